#include "gtest_parity/replay/rank_difference.h"

#include <algorithm>

#include "gtest_parity/replay/workload.h"
#include "gtest_parity/side/value_text.h"
#include "kernels/elements.h"

namespace parity {

RankDifference LocateRankDifference(const ReplayContext& context, std::size_t run,
                                    const std::string& tensor, std::size_t rank, Side& side) {
  const Description& candidate = context.plan.candidate;
  const Tensor& declared = candidate.tensors.at(tensor);
  std::size_t first = run;
  while (!context.workload.runs[first].first_of_scenario) --first;

  Script script;
  script.Reset();
  for (std::size_t at = first; at <= run; ++at) {
    const WorkloadRun& served = context.workload.runs[at];
    script.Stage(StepFor(served, candidate, context.workload.seed));
    const std::size_t ops = candidate.FindProgram(served.program)->ops.size();
    script.RunWhole(served.program, static_cast<std::uint32_t>(ops));
  }
  const std::size_t bytes = script.Bytes({declared.kind, tensor, declared.dtype}, Source::Live());
  const std::uint32_t ranks = context.plan.manifest.ranks.count;
  const std::vector<Results> results = side.Run(std::vector<Script>(ranks, script));

  const std::vector<std::uint8_t>& a = results.front()[bytes].bytes;
  const std::vector<std::uint8_t>& b = results[rank][bytes].bytes;
  RankDifference difference;
  difference.rank = static_cast<int>(rank);
  difference.shape = declared.Shape(VarsOf(context.workload.runs[run], ranks));
  difference.stats = CompareElements(declared.dtype, a.data(), b.data(),
                                     ElementsIn(declared.dtype, std::min(a.size(), b.size())));
  if (!difference.stats.Identical()) {
    const std::uint64_t at = difference.stats.first_index;
    difference.first_values = {ValueText(declared.dtype, a.data(), at),
                               ValueText(declared.dtype, b.data(), at)};
  }
  return difference;
}

}  // namespace parity
