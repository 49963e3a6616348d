// Greedy generation: each side continues the workload's prompts with what it chooses itself.
#ifndef GTEST_PARITY_REPLAY_GREEDY_H_
#define GTEST_PARITY_REPLAY_GREEDY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "gtest_parity/judge/greedy_evidence.h"
#include "gtest_parity/manifest/plan.h"
#include "gtest_parity/replay/greedy_driver.h"
#include "gtest_parity/replay/workload.h"
#include "gtest_parity/side/side.h"

namespace parity {

// Names of the workload's scenarios, in order.
std::vector<std::string> ScenariosOf(const Workload& workload);

// One scenario as the reference drove it: its prompts, then runs of `decode` on its own ids.
struct GreedyScenario {
  std::string name;
  std::uint64_t asked = 0;                 // ids per sequence: 1 + decode steps
  std::vector<WorkloadRun> runs;           // every run, own ids included
  std::vector<std::vector<Image>> logits;  // [run][rank]; empty images: no logits
  std::vector<GreedySequence> sequences;   // by slot
  // For each of a run's sequences that has come to the end of its prompt.
  std::vector<std::vector<GreedyChoice>> choices;  // [run]
};

// Lets the reference generate, its own choice on rank 0 being the next input, until every sequence
// has `asked` ids or chose one of `end`; keeps its logits. Throws SideFailure, or
// std::runtime_error where its ranks choose differently, its ids leave the vocabulary, or the
// memory budget does not hold the logits.
GreedyScenario RecordGreedy(const Plan& plan, const Workload& workload, const std::string& scenario,
                            const std::vector<std::int32_t>& end, Side& reference);

// Drives a side through the same runs and compares each choice. Until its first divergence the
// reference's ids are the side's own, so that this is its own generation too; behind it the side
// goes on from the reference's prefix, so that later choices are compared. Throws SideFailure.
std::vector<GreedyToken> CompareGreedy(const Plan& plan, const Workload& workload,
                                       const GreedyScenario& scenario,
                                       const Description& description, Side& side);

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_GREEDY_H_
