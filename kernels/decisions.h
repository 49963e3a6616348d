// Which discrete choices differ, and how far apart the reference's own scores have them.
#ifndef GTEST_PARITY_KERNELS_DECISIONS_H_
#define GTEST_PARITY_KERNELS_DECISIONS_H_

#include <cstdint>
#include <vector>

#include "kernels/dtype.h"

namespace parity {

// One choice that is not the reference's.
struct DecisionFlip {
  std::uint64_t index = 0;  // of the element
  std::int64_t reference = 0, candidate = 0;
  // The reference's score of its choice minus that of the candidate's: 0 for a tie, negative where
  // the candidate's is the better one (an order of equals, or a choice that the reference should
  // have made). Infinite where either is none of the choices that were scored, or its score is NaN.
  double margin = 0;

  bool operator==(const DecisionFlip&) const = default;
};

struct DecisionStats {
  std::uint64_t compared = 0;
  std::vector<DecisionFlip> flips;  // by index

  bool operator==(const DecisionStats&) const = default;
};

// What choices were taken from: a row of `columns` scores for each `count / rows` choices.
struct DecisionScores {
  DType dtype = DType::kF32;  // floating
  const void* data = nullptr;
  std::uint64_t rows = 0, columns = 0;
};

// Throws std::invalid_argument for choices that are no integers, scores that are not floating, and
// rows that do not divide the choices.
void CheckDecisions(DType dtype, std::uint64_t count, const DecisionScores& scores);

// `count` choices of an integer dtype; scores with data == nullptr: there are none, all margins are
// infinite. No pointer need be aligned. Throws as CheckDecisions does.
DecisionStats CompareDecisions(DType dtype, const void* reference, const void* candidate,
                               std::uint64_t count, const DecisionScores& scores);

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_DECISIONS_H_
