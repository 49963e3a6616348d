// Whether what the harness sees of a side is what the side has.
#ifndef GTEST_PARITY_REPLAY_PROVE_VIEWS_H_
#define GTEST_PARITY_REPLAY_PROVE_VIEWS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "gtest_parity/manifest/plan.h"
#include "gtest_parity/replay/workload.h"
#include "gtest_parity/side/side.h"

namespace parity {

struct ViewProofs {
  std::size_t proofs = 0;          // views x runs x ranks
  std::vector<std::string> wrong;  // what does not hold, with run, rank and coordinates
};

// Views of the side's own description that the plan uses.
std::vector<TensorRef> ViewsOf(const Description& side);

// Proves every view after the first run of each program in the workload's last scenario; unless
// `run`, on what the side holds when those runs are staged. Throws SideFailure.
ViewProofs ProveViews(const Plan& plan, const Description& side, const Workload& workload, bool run,
                      Side& on);

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_PROVE_VIEWS_H_
