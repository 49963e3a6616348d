#include "suites/kv/continuation.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace parity::kv {
namespace {

const Generated kCold = {{4, 5, 6}, {1, 2, 3, 1, 2, 3, 1, 2, 3}};

TEST(Continuation, IdenticalIsEveryIdAndEveryBit) {
  const Continuation same = CompareContinuations(kCold, kCold);
  EXPECT_TRUE(same.Identical());
  EXPECT_EQ(same.ids, 3u);
  EXPECT_EQ(same.rows, 3u);
  EXPECT_EQ(same.elements.compared, 9u);
}

TEST(Continuation, OneBitOfOneLogit) {
  Generated warm = kCold;
  warm.logits[4] = 2.0000002f;
  const Continuation apart = CompareContinuations(kCold, warm);
  EXPECT_FALSE(apart.Identical());
  EXPECT_FALSE(apart.first_apart);
  EXPECT_EQ(apart.elements.different, 1u);
  EXPECT_EQ(apart.worst_row, 1u);
}

// Rows behind an id that differs were computed from other tokens.
TEST(Continuation, RowsAreComparedUpToTheFirstIdThatDiffers) {
  Generated warm = kCold;
  warm.ids[1] = 7;
  warm.logits[8] = 100;
  const Continuation apart = CompareContinuations(kCold, warm);
  EXPECT_EQ(apart.first_apart, 1u);
  EXPECT_EQ(apart.rows, 2u);
  EXPECT_TRUE(apart.elements.Identical());
  EXPECT_FALSE(apart.Identical());
}

TEST(Continuation, OneThatEndsEarlierIsApart) {
  const Generated warm = {{4, 5}, {1, 2, 3, 1, 2, 3}};
  const Continuation apart = CompareContinuations(kCold, warm);
  EXPECT_EQ(apart.first_apart, 2u);
  EXPECT_EQ(apart.rows, 2u);
  EXPECT_FALSE(apart.Identical());
}

TEST(Continuation, NothingIsNotIdentical) {
  EXPECT_FALSE(CompareContinuations({}, {}).Identical());
}

// An answer that ends at once has no rows, and is not one that goes on.
TEST(Continuation, NothingAgainstSomething) {
  for (const auto& [cold, warm] : {std::pair{kCold, Generated{}}, {Generated{}, kCold}}) {
    const Continuation result = CompareContinuations(cold, warm);
    EXPECT_FALSE(result.Identical());
    EXPECT_EQ(result.first_apart, 0u);
    EXPECT_EQ(result.rows, 0u);
  }
}

TEST(Continuation, LogitsMustBeWholeRowsOfOneWidth) {
  EXPECT_THROW(CompareContinuations(kCold, {{4, 5, 6}, {1, 2}}), std::invalid_argument);
  EXPECT_THROW(CompareContinuations(kCold, {{4, 5, 6}, {1, 2, 3, 1, 2, 3}}), std::invalid_argument);
}

}  // namespace
}  // namespace parity::kv
