#include "gtest_parity/replay/probe_runs.h"

#include <algorithm>
#include <string>

namespace parity {
namespace {

constexpr std::size_t kProbeTokens[] = {4, 3};  // of each sequence, in `prefill`

}  // namespace

std::vector<WorkloadRun> ProbeRuns(const Workload& workload, const Description& description) {
  const std::size_t sequences = std::min<std::size_t>(description.var_max.at("seqs"), 2);
  const std::vector<std::int32_t>& text = workload.runs.front().sequences.front().tokens;
  std::vector<WorkloadRun> runs;
  std::size_t past[] = {0, 0}, token = 0;
  for (const char* program : {"prefill", "decode"}) {
    if (description.FindProgram(program) == nullptr) continue;
    WorkloadRun& run = runs.emplace_back();
    run.name = std::string("probe/") + program;
    run.scenario = "probe";
    run.program = program;
    for (std::size_t s = 0; s < sequences; ++s) {
      WorkloadRun::Sequence& sequence = run.sequences.emplace_back();
      sequence.slot = static_cast<std::uint32_t>(s);
      sequence.past = past[s];
      const std::size_t rows = run.program == "prefill" ? kProbeTokens[s] : 1;
      for (std::size_t i = 0; i < rows; ++i) {
        sequence.tokens.push_back(text[token++ % text.size()]);
      }
      past[s] += rows;
    }
  }
  return runs;
}

}  // namespace parity
