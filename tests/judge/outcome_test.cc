#include "gtest_parity/judge/outcome.h"

#include <gtest/gtest.h>

#include "gtest_parity/judge/verdict.h"

namespace parity {
namespace {

TEST(Outcome, NamesAreReadBack) {
  for (const Outcome outcome : kAllOutcomes) EXPECT_EQ(ParseOutcome(NameOf(outcome)), outcome);
  for (const SpanClass c : kAllSpanClasses) EXPECT_EQ(ParseSpanClass(NameOf(c)), c);
}

TEST(Outcome, OtherTextIsNoOutcome) {
  EXPECT_EQ(ParseOutcome("pass"), std::nullopt);
  EXPECT_EQ(ParseOutcome(""), std::nullopt);
  EXPECT_EQ(ParseSpanClass("Identical"), std::nullopt);
}

TEST(Outcome, OnlyThreePass) {
  int passing = 0;
  for (const Outcome outcome : kAllOutcomes) passing += Passes(outcome);
  EXPECT_EQ(passing, 3);
  EXPECT_TRUE(Passes(Outcome::kPass) && Passes(Outcome::kPassStar) && Passes(Outcome::kWaived));
  EXPECT_FALSE(Passes(Verdict{}.outcome)) << "what was never judged must not pass";
}

TEST(Verdict, PropertiesAreReplacedByKey) {
  Verdict verdict;
  SetProperty(verdict, "kl", "1");
  SetProperty(verdict, "kl", "2");
  ASSERT_EQ(verdict.properties.size(), 1u);
  EXPECT_EQ(*FindProperty(verdict, "kl"), "2");
  EXPECT_EQ(FindProperty(verdict, "rank"), nullptr);
}

}  // namespace
}  // namespace parity
