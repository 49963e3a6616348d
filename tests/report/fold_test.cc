#include "gtest_parity/report/fold.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/golden.h"
#include "tests/report/results.h"

namespace parity {
namespace {

using namespace parity::testing;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

GroupResult Good(const std::string& manifest = "paged_vs_fused", std::uint32_t ranks = 1) {
  return Group(manifest, {Span(Outcome::kPass, SpanClass::kIdentical, true)}, ranks);
}

GroupResult Ended(GroupResult group, int code) {
  group.info->exit_code = code;
  return group;
}

FoldRules Allowing(const char* text) { return {AllowedBlocked::Parse(text), ""}; }

TEST(Fold, PassesWhenEverythingIsThereAndPasses) {
  const Folded folded = Fold({Good("a"), Good("b"), Good("b", 2)}, {});
  EXPECT_TRUE(folded.Passed()) << folded.Text();
  EXPECT_EQ(folded.total.cases, 3u);
  EXPECT_EQ(folded.total.exact.passed, 3u);
  EXPECT_THAT(folded.Text(), HasSubstr("\nparity.verdict: PASS, 3 groups, 3 cases: 3 PASS\n"));
}

TEST(Fold, FailsIfNothingPassed) {
  EXPECT_THAT(Fold({}, {}).problems,
              ElementsAre("no group is registered", "nothing was compared and passed"));
  const Folded blocked = Fold({Ended(Group("a", {Blocked("gpu")}), 77)}, Allowing("gpu=none here"));
  EXPECT_THAT(blocked.problems, ElementsAre("nothing was compared and passed"));
  GroupResult idle = Good();
  idle.cases[0].verdict.compared = 0;
  EXPECT_THAT(Fold({idle}, {}).problems, ElementsAre("nothing was compared and passed"));
}

TEST(Fold, FailsForEveryOutcomeThatDoesNotPass) {
  for (const Outcome outcome : kAllOutcomes) {
    const int code = outcome == Outcome::kBlocked || Passes(outcome) ? 0 : 1;
    const Folded folded = Fold(
        {Good("a"), Ended(Group("b", {Result(Outcome::kPass, "x"), Result(outcome)}), code)}, {});
    EXPECT_EQ(folded.Passed(), Passes(outcome)) << NameOf(outcome);
    if (Passes(outcome)) continue;
    EXPECT_THAT(folded.problems, ElementsAre("spans.b.r1: 1 " + std::string(NameOf(outcome)) +
                                             ": paged_vs_fused/SpanParity.Matches/decode_layer0"));
  }
}

TEST(Fold, FailsForWhatAGroupDidNotLeave) {
  GroupResult missing;
  missing.expected = {"spans.b.r1", "out/b", {}};
  missing.problems = {"left no result: there is no out/b/group.json"};
  EXPECT_THAT(Fold({Good("a"), missing}, {}).problems,
              ElementsAre("spans.b.r1: left no result: there is no out/b/group.json"));
}

TEST(Fold, RefusesARunInTheJudgesProcess) {
  GroupResult group = Good("a");
  group.cases[0].properties.emplace_back("sides", "own processes");
  EXPECT_TRUE(Fold({group}, {}).Passed());
  group.cases[0].properties.back().second = kInProcess;
  EXPECT_THAT(Fold({group}, {}).problems, ElementsAre("spans.a.r1: ran in process: not evidence"));
}

TEST(Fold, BlockedNeedsAReason) {
  const GroupResult group =
      Group("a", {Result(Outcome::kPass), Blocked("gpu", "g"), Blocked("nvlink", "n")});
  const Folded one = Fold({Ended(group, 3)}, Allowing("gpu=no GPU in this runner"));
  EXPECT_THAT(one.problems, ElementsAre("spans.a.r1: 1 BLOCKED: paged_vs_fused/SpanParity.n"));
  EXPECT_THAT(one.allowed, ElementsAre("spans.a.r1: 1 BLOCKED, no GPU in this runner: "
                                       "paged_vs_fused/SpanParity.g"));
  EXPECT_TRUE(Fold({Ended(group, 0)}, Allowing("spans.a.r1=a small runner")).Passed());
  EXPECT_TRUE(Fold({Ended(group, 3)}, Allowing("spans.a.r1=a small runner")).Passed());
}

TEST(Fold, ExitCodesMustAgreeWithCases) {
  EXPECT_THAT(Fold({Ended(Good(), 4)}, {}).problems,
              ElementsAre("spans.paged_vs_fused.r1: exit code 4 does not agree with its cases: "
                          "1 PASS"));
  EXPECT_THAT(Fold({Good("a"), Group("b", {Result(Outcome::kFail)})}, {}).problems,
              Contains("spans.b.r1: exit code 0 does not agree with its cases: 1 FAIL"));
  EXPECT_FALSE(Fold({Ended(Good(), 3)}, {}).Passed());
}

TEST(Fold, AnOlderRunsResultDoesNotCount) {
  FoldRules rules;
  rules.not_before = "2030-06-15T09:00:00Z";
  EXPECT_TRUE(Fold({Good()}, rules).Passed());
  rules.not_before = "2030-06-15T10:00:01Z";
  EXPECT_THAT(Fold({Good()}, rules).problems, ElementsAre(HasSubstr("is of an older run")));
}

TEST(Fold, APartOfAGroupIsNotTheGroup) {
  GroupResult part = Good();
  part.info->part = "--parity_rank=1";
  EXPECT_THAT(Fold({part}, {}).problems,
              ElementsAre(HasSubstr(": only a part of it ran: --parity_rank=1")));
}

TEST(Fold, AGroupCountsOnce) {
  EXPECT_THAT(Fold({Good(), Good()}, {}).problems,
              UnorderedElementsAre(HasSubstr("is registered twice"),
                                   HasSubstr("another group has its folder")));
}

TEST(Fold, NamesAFewCasesAndCountsTheRest) {
  std::vector<CaseResult> cases;
  for (int i = 0; i < 8; ++i) {
    cases.push_back(Result(Outcome::kFail, std::string("t").append(std::to_string(i))));
  }
  EXPECT_THAT(Fold({Ended(Group("a", cases), 1)}, {}).problems,
              Contains(AllOf(HasSubstr("8 FAIL"), HasSubstr("SpanParity.t4 and 3 more"))));
  for (CaseResult& blocked : cases) blocked = Blocked("gpu");
  EXPECT_THAT(Fold({Ended(Group("a", cases), 77)}, Allowing("gpu=none here")).allowed,
              ElementsAre(AllOf(HasSubstr("8 BLOCKED, none here: "), HasSubstr(" and 3 more"))));
}

TEST(CheckSums, FindsPartsThatDoNotAddUp) {
  const Tally part = Count({Span(Outcome::kPass, SpanClass::kIdentical, true)});
  const Tally whole = Count({Span(Outcome::kPass, SpanClass::kIdentical, true),
                             Span(Outcome::kFail, SpanClass::kDifferent, true)});
  EXPECT_THAT(CheckSums({part, part}, Count({Span(Outcome::kPass, SpanClass::kIdentical, true),
                                             Span(Outcome::kPass, SpanClass::kIdentical, true)})),
              IsEmpty());
  EXPECT_THAT(CheckSums({part, part}, whole),
              ElementsAre("PASS: the groups add up to 2, the total is 1",
                          "FAIL: the groups add up to 0, the total is 1",
                          "identical: the groups add up to 2, the total is 1",
                          "different: the groups add up to 0, the total is 1"));
  EXPECT_THAT(CheckSums({part}, whole), Contains(HasSubstr("cases: the groups add up to 1")));
  Tally unjudged = part;
  ++unjudged.cases;
  EXPECT_THAT(CheckSums({unjudged}, unjudged),
              ElementsAre("cases: the groups add up to 2, the outcomes to 1, the total is 2"));
}

TEST(WithLabel, ChoosesGroups) {
  const std::vector<ExpectedGroup> groups = {{"a", "", {"parity", "gpu"}}, {"b", "", {"parity"}}};
  EXPECT_EQ(WithLabel(groups, "gpu").size(), 1u);
  EXPECT_EQ(WithLabel(groups, "parity").size(), 2u);
  EXPECT_EQ(WithLabel(groups, "").size(), 2u);
  EXPECT_EQ(WithLabel(groups, "par").size(), 0u);
}

TEST(Fold, TextMatchesTheGolden) {
  GroupResult failing = Ended(Group("paged_vs_fused",
                                    {Span(Outcome::kFail, SpanClass::kDifferent, false),
                                     Whole(Outcome::kPass, "0.0021"), Blocked("gpu")},
                                    2),
                              1);
  GroupResult missing;
  missing.expected = {"spans.paged_vs_rebuilt.r1", "out/rebuilt", {}};
  missing.problems = {"left no result: there is no out/rebuilt/group.json"};
  const Folded folded =
      Fold({Good("paged_vs_ported"), failing, missing}, Allowing("gpu=no GPU in this runner"));
  EXPECT_TRUE(MatchesGolden("fold.txt", folded.Text()));
}

}  // namespace
}  // namespace parity
