#include "gtest_parity/report/drift.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/report/fold.h"

namespace parity {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

GroupResult Group(const std::string& name, const std::string& label, Outcome outcome) {
  GroupResult group;
  group.expected = {name, "folder of " + name, {"parity", label}};
  CaseResult result;
  result.outcome = outcome;
  group.cases = {result};
  return group;
}

std::vector<std::string> Explained(Outcome drift, Outcome host) {
  return ExplainDrift({Group("spans.a.ranks1.drift", kDrift, drift),
                       Group("spans.a.ranks1.host_parity", kHostParity, host)});
}

TEST(Drift, BothPassedNeedsNoWords) {
  EXPECT_THAT(Explained(Outcome::kPass, Outcome::kPass), IsEmpty());
}

TEST(Drift, OfTheReferenceIsToldFromThatOfTheCandidate) {
  EXPECT_THAT(Explained(Outcome::kFail, Outcome::kPass),
              ElementsAre(AllOf(
                  HasSubstr("spans.a.ranks1.drift: the candidate agrees with the reference of "
                            "today (spans.a.ranks1.host_parity passed) and not with the "
                            "tracked golden: the reference has changed"),
                  HasSubstr("parity golden update"))));
  EXPECT_THAT(Explained(Outcome::kPass, Outcome::kFail),
              ElementsAre(HasSubstr("the reference has changed, and the candidate has not")));
  // The candidate's own fault, which the cases tell.
  EXPECT_THAT(Explained(Outcome::kFail, Outcome::kFail), IsEmpty());
}

TEST(Drift, WhatBrokeOrIsRefusedIsNoDrift) {
  for (const Outcome outcome : {Outcome::kError, Outcome::kBlocked, Outcome::kSelf}) {
    EXPECT_THAT(Explained(outcome, Outcome::kPass), IsEmpty()) << NameOf(outcome);
  }
  std::vector<GroupResult> groups = {Group("a.drift", kDrift, Outcome::kFail),
                                     Group("a.host_parity", kHostParity, Outcome::kPass)};
  groups[1].problems = {"did not come to its end"};
  EXPECT_THAT(ExplainDrift(groups), IsEmpty());
}

TEST(Drift, WithoutTheOtherGroupIsAProblem) {
  EXPECT_THAT(ExplainDrift({Group("a.drift", kDrift, Outcome::kPass)}),
              ElementsAre("a.drift: a.host_parity is not registered"));
  EXPECT_THAT(ExplainDrift({Group("a.host_parity", kHostParity, Outcome::kPass)}),
              ElementsAre("a.host_parity: a.drift is not registered"));
  EXPECT_THAT(ExplainDrift({Group("a", "host", Outcome::kPass)}), IsEmpty());
}

TEST(Drift, IsAmongTheProblemsOfTheFold) {
  const Folded folded = Fold({Group("a.drift", kDrift, Outcome::kFail),
                              Group("a.host_parity", kHostParity, Outcome::kPass)},
                             {});
  EXPECT_THAT(folded.problems, Contains(HasSubstr("not with the tracked golden")));
  const Folded alone = Fold({Group("a.drift", kDrift, Outcome::kPass)}, {});
  EXPECT_THAT(alone.problems, Contains("a.drift: a.host_parity is not registered"));
}

}  // namespace
}  // namespace parity
