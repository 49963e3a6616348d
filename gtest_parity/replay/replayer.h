// Replays one span on the candidate, run by run, from what the reference had.
#ifndef GTEST_PARITY_REPLAY_REPLAYER_H_
#define GTEST_PARITY_REPLAY_REPLAYER_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/judge/evidence.h"
#include "gtest_parity/manifest/plan.h"
#include "gtest_parity/replay/recording.h"
#include "gtest_parity/side/side.h"

namespace parity {

// Restricts a replay for a person at work; empty means everything.
struct ReplayFilter {
  std::string run;          // part of a run's name
  std::optional<int> rank;  // comparisons of the others are left out
};

// All kept runs of a span: its frontier is put as the reference had it, pure outputs are poisoned, the
// candidate's ops run, once under each poison, and what they wrote is compared on the set that the
// reference wrote. A death is part of the evidence; comparisons of the runs before it are kept.
SpanEvidence ReplaySpan(const Plan& plan, const Workload& workload, const Recording& recording,
                        std::size_t span, const ReplayFilter& filter, Side& side);

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_REPLAYER_H_
