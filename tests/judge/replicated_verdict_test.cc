#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/judge/evidence_builder.h"

namespace parity {
namespace {

using namespace parity::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;

using Digests = std::vector<std::string>;

ReplicatedEvidence Held(Digests candidate, Digests reference) {
  ReplicatedEvidence evidence;
  evidence.program = "decode";
  evidence.tensor = "hidden";
  evidence.expected = 2;
  evidence.runs = {{"b1/decode#0", {"aa", "aa", "aa"}, {"aa", "aa", "aa"}},
                   {"b1/decode#1", std::move(candidate), std::move(reference)}};
  return evidence;
}

TEST(ReplicatedVerdict, AlikeIsPass) {
  const Verdict verdict = JudgeReplicated(Held({"bb", "bb", "bb"}, {"cc", "cc", "cc"}));
  EXPECT_EQ(verdict.outcome, Outcome::kPass);
  EXPECT_EQ(verdict.summary, "alike on every rank: 2 of 2 runs");
}

TEST(ReplicatedVerdict, DifferenceNamesRunRanksAndTensor) {
  const Verdict verdict = JudgeReplicated(Held({"bb", "cc", "bb"}, {"bb", "bb", "bb"}));
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.summary,
              AllOf(HasSubstr("b1/decode#1, hidden"), HasSubstr("candidate's fall into {0 2} {1}"),
                    HasSubstr("reference's into {0 1 2}"), HasSubstr("rank 1 cc")));
  EXPECT_EQ(Property(verdict, "rank"), "1");
  EXPECT_EQ(Property(verdict, "run"), "b1/decode#1");
}

TEST(ReplicatedVerdict, DifferenceTellsWhereItIs) {
  ReplicatedEvidence evidence = Held({"bb", "cc", "bb"}, {"bb", "bb", "bb"});
  RankDifference& difference = evidence.runs[1].difference.emplace();
  difference = {
      .rank = 1, .shape = {4, 16}, .stats = Off(0.1, 0.5, 4, 18), .first_values = {"1", "1.5"}};
  EXPECT_THAT(
      JudgeReplicated(evidence).summary,
      HasSubstr(
          "; rank 1 differs from rank 0 in 1 of 64 elements, first at [1, 2]: 1.5 against 1"));
  difference.stats = Same();
  EXPECT_THAT(JudgeReplicated(evidence).summary,
              HasSubstr("; rank 1 differs from rank 0 no more when the scenario was served again"));
  EXPECT_EQ(JudgeReplicated(evidence).outcome, Outcome::kFail);
  evidence.runs[1].difference.reset();
  evidence.runs[1].not_located = "served again, the candidate left";
  EXPECT_THAT(JudgeReplicated(evidence).summary,
              HasSubstr("; not located: served again, the candidate left"));
}

TEST(ReplicatedVerdict, TheSamePartitionOfTheReferenceIsAStar) {
  EXPECT_EQ(JudgeReplicated(Held({"bb", "cc", "bb"}, {"x", "y", "x"})).outcome, Outcome::kPassStar);
  EXPECT_EQ(JudgeReplicated(Held({"bb", "cc", "bb"}, {"x", "x", "y"})).outcome, Outcome::kFail);
  EXPECT_EQ(JudgeReplicated(Held({"bb", "cc", "bb"}, {"x", "y", "z"})).outcome, Outcome::kFail);
  EXPECT_EQ(JudgeReplicated(Held({"bb", "cc", "bb"}, {"x", "", "x"})).outcome, Outcome::kFail);
  const Verdict unknown = JudgeReplicated(Held({"bb", "cc", "bb"}, {}));
  EXPECT_EQ(unknown.outcome, Outcome::kFail);
  EXPECT_THAT(unknown.summary, HasSubstr("the reference's were not recorded"));
}

TEST(ReplicatedVerdict, TheReferencesFailureInAnotherRunIsNone) {
  ReplicatedEvidence evidence = Held({"bb", "cc", "bb"}, {"x", "x", "x"});
  evidence.runs[0].reference = {"x", "y", "x"};
  EXPECT_EQ(JudgeReplicated(evidence).outcome, Outcome::kFail);
}

TEST(ReplicatedVerdict, NothingComparedIsNeverAPass) {
  ReplicatedEvidence none = Held({"b", "b", "b"}, {});
  none.runs.clear();
  EXPECT_EQ(JudgeReplicated(none).summary, "no two ranks were compared");
  EXPECT_EQ(JudgeReplicated(none).outcome, Outcome::kNotCompared);
  EXPECT_EQ(JudgeReplicated(Held({"bb"}, {"bb"})).outcome, Outcome::kNotCompared);
  const Verdict missing = JudgeReplicated(Held({"bb", "", "bb"}, {"bb", "bb", "bb"}));
  EXPECT_EQ(missing.outcome, Outcome::kNotCompared);
  EXPECT_EQ(missing.summary, "only 1 of 2 runs");
}

TEST(ReplicatedVerdict, ADeathFails) {
  ReplicatedEvidence evidence = Held({"bb", "bb", "bb"}, {});
  evidence.death = Died(Death::Cause::kExit, "exit status 0");
  const Verdict verdict = JudgeReplicated(evidence);
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.findings.at(0), HasSubstr("left: exit status 0"));
  EXPECT_EQ(*FindProperty(verdict, "rank"), std::to_string(evidence.death->ranks.front()));
  EXPECT_EQ(*FindProperty(verdict, "run"), evidence.death->run);
}

}  // namespace
}  // namespace parity
