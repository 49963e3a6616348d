// Under what the reference's distance from itself is pooled.
#ifndef GTEST_PARITY_REPLAY_SPREAD_KEY_H_
#define GTEST_PARITY_REPLAY_SPREAD_KEY_H_

#include <cstdint>
#include <string>

#include "gtest_parity/judge/spread.h"
#include "gtest_parity/manifest/plan.h"
#include "gtest_parity/replay/workload.h"

namespace parity {

// Of a tensor that the span touches, in that run on that rank.
inline SpreadKey SpreadKeyOf(const Plan& plan, const Span& span, const std::string& tensor,
                             const WorkloadRun& run, int rank) {
  return {rank, span.program, span.slug, tensor,
          plan.reference.tensors.at(tensor).Shape(VarsOf(run, plan.manifest.ranks.count))};
}

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_SPREAD_KEY_H_
