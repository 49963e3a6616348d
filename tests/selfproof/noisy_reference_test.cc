// What a reference that does not repeat itself excuses, and what it does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/selfproof/findings.h"
#include "tests/selfproof/reference_rows.h"
#include "tests/selfproof/row_file.h"

namespace parity::testing {
namespace {

using ::testing::IsEmpty;

bool StartsWithOneOf(const std::string& text, const std::vector<std::string>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](const std::string& beginning) { return text.starts_with(beginning); });
}

class NoisyReferenceTest : public ::testing::TestWithParam<ReferenceRow> {};

TEST_P(NoisyReferenceTest, ExcusesNoMoreThanItsOwnNoise) {
  const ReferenceRow& row = GetParam();
  RemoveCell(row.test, "exact");
  const SuiteRun run(row.arguments);
  EXPECT_THAT(run.group().problems, IsEmpty());
  std::set<int> ranks;
  for (const std::string& slug : row.spans) {
    SCOPED_TRACE(slug);
    const CaseResult& span = run.At("SpanParity/" + slug);
    EXPECT_EQ(span.verdict.span_class, row.span_class) << span.verdict.summary;
    EXPECT_EQ(span.outcome, row.outcome) << span.verdict.summary;
    EXPECT_EQ(span.verdict.exact, row.exact);
    if (row.outcome != Outcome::kFail) continue;
    for (const std::string& finding : span.verdict.findings) {
      // Those on what is within the spread come after those that fail.
      if (finding.find(": different") == std::string::npos) continue;
      ranks.merge(RanksNamed({finding}));
      for (const std::string& run_named : RunsNamed({finding})) {
        EXPECT_TRUE(StartsWithOneOf(run_named, row.runs)) << run_named;
      }
    }
  }
  if (row.outcome == Outcome::kFail) {
    EXPECT_EQ(ranks, row.ranks);
  }
  EXPECT_EQ(RedCases(run.cases()), row.red);
  if (HasFailure()) return;  // a row of the table is one that held
  WriteCell(row.test, "exact", CellOf(run.cases(), row.spans));
}

INSTANTIATE_TEST_SUITE_P(rows, NoisyReferenceTest,
                         ::testing::ValuesIn(ReferenceRows().begin(), ReferenceRows().end()),
                         [](const ::testing::TestParamInfo<ReferenceRow>& info) {
                           return info.param.test;
                         });

// Noise that is the reference's own never fails it, and is told apart from what repeats.
TEST(NoisyReferenceAgainstItself, PassesEverySpanAndProgram) {
  RemoveCell("NoisySelf", "exact");
  const SuiteRun run({.manifest = "tests/selfproof/noisy_self.yaml"});
  EXPECT_EQ(run.exit_code(), 0) << run.out() << run.err();
  EXPECT_THAT(RedCases(run.cases()), IsEmpty());
  std::vector<std::string> hybrid;
  for (const CaseResult& result : run.cases()) {
    if (FixtureOf(result) == "EndToEnd") {
      EXPECT_EQ(PropertyOf(result, "rule"), "7") << result.verdict.summary;
    }
    if (FixtureOf(result) != "SpanParity") continue;
    SCOPED_TRACE(ShortName(result));
    ASSERT_TRUE(result.verdict.exact.has_value());
    EXPECT_EQ(result.verdict.compared, result.verdict.expected);
    if (*result.verdict.exact) {
      EXPECT_EQ(result.verdict.span_class, SpanClass::kIdentical);
    } else {
      hybrid.push_back(SlugOf(result));
    }
  }
  // The linear ops: 7 in each of 3 layers and the logits, in both programs.
  EXPECT_EQ(hybrid.size(), 2u * (7 * 3 + 1));
  if (HasFailure()) return;  // a row of the table is one that held
  WriteCell("NoisySelf", "exact", CellOf(run.cases(), hybrid));
}

}  // namespace
}  // namespace parity::testing
