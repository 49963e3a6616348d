#include "gtest_parity/report/tally.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/report/results.h"

namespace parity {
namespace {

using namespace parity::testing;

TEST(Tally, CountsOutcomesClassesAndRepeats) {
  const Tally tally =
      Count({Span(Outcome::kPass, SpanClass::kIdentical, true),
             Span(Outcome::kFail, SpanClass::kDifferent, true),
             Span(Outcome::kPass, SpanClass::kWithinSpread, false), Result(Outcome::kPass)});
  EXPECT_EQ(tally.cases, 4u);
  EXPECT_EQ(tally.Of(Outcome::kPass), 3u);
  EXPECT_EQ(tally.Of(Outcome::kError), 0u);
  EXPECT_EQ(tally.classes.at(SpanClass::kDifferent), 1u);
  EXPECT_EQ(tally.exact.passed, 1u);
  EXPECT_EQ(tally.exact.all, 2u);
  EXPECT_EQ(tally.hybrid.passed, 1u);
  EXPECT_EQ(tally.hybrid.all, 1u);
  EXPECT_EQ(tally.compared, 16u);
}

TEST(Tally, KeepsTheWorstKl) {
  EXPECT_EQ(Count({Result(Outcome::kPass)}).worst_kl, std::nullopt);
  EXPECT_EQ(Count({Whole(Outcome::kPass, "0.25"), Whole(Outcome::kPass, "1e-3")}).worst_kl, 0.25);
  EXPECT_EQ(Count({Whole(Outcome::kFail, "inf")}).worst_kl,
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(Count({Whole(Outcome::kFail, "nan")}).worst_kl,
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(Count({Whole(Outcome::kFail, "0.1 nats")}).worst_kl, std::nullopt);
}

TEST(Tally, OutcomesTextListsWhatOccurs) {
  EXPECT_EQ(OutcomesText(Tally{}), "no case");
  EXPECT_EQ(
      OutcomesText(Count({Result(Outcome::kFail), Result(Outcome::kPass), Result(Outcome::kPass)})),
      "2 PASS, 1 FAIL");
}

TEST(Worse, IsAStrictOrderOverAllOutcomes) {
  int pairs = 0;
  for (const Outcome a : kAllOutcomes) {
    EXPECT_FALSE(Worse(a, a));
    for (const Outcome b : kAllOutcomes) pairs += Worse(a, b);
  }
  EXPECT_EQ(pairs, 9 * 8 / 2);
  EXPECT_TRUE(Worse(Outcome::kFail, Outcome::kError));
  EXPECT_TRUE(Worse(Outcome::kError, Outcome::kInconclusive));
  EXPECT_TRUE(Worse(Outcome::kBlocked, Outcome::kPass));
}

}  // namespace
}  // namespace parity
