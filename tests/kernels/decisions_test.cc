#include "kernels/decisions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace parity {
namespace {

// Two rows of four scores.
const std::vector<float> kScores = {0.5f, 2, 1.75f, 2, /**/ -1, 0, 3, -HUGE_VALF};

DecisionScores Scores(const std::vector<float>& scores = kScores, std::uint64_t columns = 4) {
  return {DType::kF32, scores.data(), scores.size() / columns, columns};
}

DecisionStats Compare(std::vector<std::int32_t> reference, std::vector<std::int32_t> candidate,
                      const DecisionScores& scores = Scores()) {
  return CompareDecisions(DType::kI32, reference.data(), candidate.data(), reference.size(),
                          scores);
}

TEST(DecisionsTest, EqualChoicesAreNoFlips) {
  const DecisionStats stats = Compare({1, 2, 2, 1}, {1, 2, 2, 1});
  EXPECT_EQ(stats.compared, 4u);
  EXPECT_TRUE(stats.flips.empty());
}

TEST(DecisionsTest, MarginIsTheReferencesScoreOfItsChoiceLessThatOfTheOther) {
  const DecisionStats stats = Compare({1, 2, 2, 1}, {1, 0, 0, 2});
  ASSERT_EQ(stats.flips.size(), 3u);
  EXPECT_EQ(stats.flips[0], (DecisionFlip{1, 2, 0, 1.25}));
  EXPECT_EQ(stats.flips[1], (DecisionFlip{2, 2, 0, 4}));
  EXPECT_EQ(stats.flips[2], (DecisionFlip{3, 1, 2, -3})) << "the candidate's is the better one";
}

TEST(DecisionsTest, EqualScoresAreATie) {
  EXPECT_EQ(Compare({1, 2}, {3, 2}).flips.at(0).margin, 0);
  const std::vector<float> masked = {-HUGE_VALF, -HUGE_VALF};
  EXPECT_EQ(Compare({0}, {1}, Scores(masked, 2)).flips.at(0).margin, 0);
}

TEST(DecisionsTest, WhatWasNotScoredIsInfinitelyFar) {
  EXPECT_EQ(Compare({1, 2}, {7, 2}).flips.at(0).margin, HUGE_VAL);
  EXPECT_EQ(Compare({1, 2}, {-1, 2}).flips.at(0).margin, HUGE_VAL);
  EXPECT_EQ(Compare({4, 2}, {1, 2}).flips.at(0).margin, HUGE_VAL);
  EXPECT_EQ(Compare({0, 2}, {0, 3}).flips.at(0).margin, HUGE_VAL) << "3 - -inf";
  const std::vector<float> nan = {1, std::nanf("")};
  EXPECT_EQ(Compare({0}, {1}, Scores(nan, 2)).flips.at(0).margin, HUGE_VAL);
  EXPECT_EQ(Compare({1}, {2}, {}).flips.at(0).margin, HUGE_VAL) << "no scores at all";
}

TEST(DecisionsTest, EveryIntegerAndFloatIsTakenAtAnyAddress) {
  const double scores[] = {0, 1, 2, 3};
  std::vector<unsigned char> unaligned(1 + sizeof(scores));
  std::memcpy(unaligned.data() + 1, scores, sizeof(scores));
  const std::int64_t a = 3, b = 1;
  const std::uint8_t c = 3, d = 1;
  const DecisionScores wide = {DType::kF64, unaligned.data() + 1, 1, 4};
  EXPECT_EQ(CompareDecisions(DType::kI64, &a, &b, 1, wide).flips.at(0), (DecisionFlip{0, 3, 1, 2}));
  EXPECT_EQ(CompareDecisions(DType::kU8, &c, &d, 1, wide).flips.at(0), (DecisionFlip{0, 3, 1, 2}));
}

TEST(DecisionsTest, BadArgumentsAreRefused) {
  const float choice = 1;
  const std::int32_t id = 1;
  EXPECT_THROW(CompareDecisions(DType::kF32, &choice, &choice, 1, Scores()), std::invalid_argument);
  EXPECT_THROW(CompareDecisions(DType::kBytes, &id, &id, 1, Scores()), std::invalid_argument);
  EXPECT_THROW(CompareDecisions(DType::kI32, &id, &id, 1, {DType::kI32, &id, 1, 1}),
               std::invalid_argument);
  EXPECT_THROW(Compare({1, 2, 3}, {1, 2, 3}), std::invalid_argument) << "three choices, two rows";
  EXPECT_THROW(Compare({1}, {1}, {DType::kF32, kScores.data(), 0, 4}), std::invalid_argument);
}

TEST(DecisionsTest, NothingIsNoFlip) {
  EXPECT_EQ(Compare({}, {}, {DType::kF32, kScores.data(), 0, 4}), DecisionStats{});
}

}  // namespace
}  // namespace parity
