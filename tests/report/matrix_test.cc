#include "gtest_parity/report/matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/report/tally.h"
#include "tests/report/golden.h"
#include "tests/report/results.h"

namespace parity {
namespace {

using namespace parity::testing;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<GroupResult> TwoGroups() {
  CaseResult crashed = Result(Outcome::kFail, "Matches/decode_layer3");
  crashed.verdict.span_class = SpanClass::kBroken;
  GroupResult missing;
  missing.expected = {"spans.paged_vs_rebuilt.r1", "out/rebuilt", {"parity"}};
  missing.problems = {"left no result"};
  return {Group("paged_vs_ported", {Span(Outcome::kPass, SpanClass::kIdentical, true, "a"),
                                    Span(Outcome::kPass, SpanClass::kValueIdentical, true, "b"),
                                    Whole(Outcome::kPass, "0")}),
          Group("paged_vs_fused",
                {Span(Outcome::kPass, SpanClass::kDifferent, true, "a"),
                 Span(Outcome::kFail, SpanClass::kDifferent, false, "b"),
                 Span(Outcome::kPass, SpanClass::kWithinSpread, false, "c"), crashed,
                 Whole(Outcome::kInconclusive, "0.0234567"), Blocked("gpu")},
                2),
          missing};
}

TEST(Matrix, MatchesTheGolden) {
  EXPECT_TRUE(MatchesGolden("matrix.txt", MatrixText(TwoGroups())));
}

TEST(Matrix, CountsCasesThatCouldBeCheckedInPartOnlyWhereThereAreAny) {
  EXPECT_THAT(MatrixText(TwoGroups()), Not(HasSubstr("limited")));
  std::vector<GroupResult> groups = TwoGroups();
  SetProperty(groups[0].cases[0].verdict, "unavailable", "missing writes");
  SetProperty(groups[0].cases[1].verdict, "unavailable", "missing writes");
  EXPECT_THAT(MatrixText(groups), HasSubstr("limited"));
  EXPECT_EQ(Count(groups[0].cases).limited, 2u);
  EXPECT_EQ(Count(groups[1].cases).limited, 0u);
}

TEST(Matrix, HasColoursOnlyIfAsked) {
  EXPECT_THAT(MatrixText(TwoGroups()), Not(HasSubstr("\x1b")));
  EXPECT_THAT(MatrixText(TwoGroups(), true), HasSubstr("\x1b[31m1\x1b[0m"));
}

TEST(Matrix, OfNothingHasATotal) {
  EXPECT_THAT(MatrixText({}), HasSubstr("exact 0/0 · hybrid 0/0"));
}

}  // namespace
}  // namespace parity
