// What two sides' own greedy generations of one scenario came to.
#ifndef GTEST_PARITY_JUDGE_GREEDY_EVIDENCE_H_
#define GTEST_PARITY_JUDGE_GREEDY_EVIDENCE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/judge/death.h"
#include "kernels/rows.h"

namespace parity {

// One id that one sequence came to on one rank, after the same ids on both sides.
struct GreedyToken {
  int rank = 0;
  std::string run;           // the run whose last row chose it
  std::size_t sequence = 0;  // index in GreedyEvidence::sequences
  std::size_t position = 0;  // from 0, the prompt not counted
  std::int32_t candidate = 0;
  // The reference's row of logits against the side's; nothing: they have none in common.
  std::optional<RowStats> row;
};

// What the reference generated from its own choices.
struct GreedySequence {
  std::vector<std::int32_t> prompt, ids;  // `ids` with the one that ended it
  bool ended = false;                     // the last of `ids` ends the sequence
};

struct GreedyEvidence {
  std::string scenario;
  std::uint64_t asked = 0;  // ids per sequence
  std::uint64_t least = 0;  // fewer than these say nothing
  std::vector<std::int32_t> end;
  std::string chosen_by;  // "buffer next_token", "argmax of logits"
  std::vector<GreedySequence> sequences;
  std::uint64_t expected = 0;  // ids x ranks
  std::vector<GreedyToken> candidate;
  // The reference, given its own ids again, once per repeat.
  std::vector<std::vector<GreedyToken>> repeats;
  std::optional<Death> death;
};

}  // namespace parity

#endif  // GTEST_PARITY_JUDGE_GREEDY_EVIDENCE_H_
