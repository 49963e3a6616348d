#include "suites/kv/oracles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parity::kv {
namespace {

using ::testing::HasSubstr;

OracleOutcome Good() {
  OracleOutcome outcome;
  outcome.Expect(true, "");
  outcome.facts = "1 file";
  return outcome;
}

OracleOutcome Bad() {
  OracleOutcome outcome = Good();
  outcome.Expect(false, "a.kv: got nothing, expected what it was");
  return outcome;
}

OracleOutcome Unasked() {
  OracleOutcome outcome;
  outcome.blocked = "its processes cannot be limited";
  return outcome;
}

Verdict Judge(const OracleOutcome& reference, const OracleOutcome& candidate) {
  return JudgeOracle("killed_writer", {{"killed_writer", reference}},
                     {{"killed_writer", candidate}});
}

TEST(Oracles, WhatBothStandPasses) {
  const Verdict verdict = Judge(Good(), Good());
  EXPECT_EQ(verdict.outcome, Outcome::kPass);
  EXPECT_EQ(verdict.compared, 2u);
  EXPECT_EQ(verdict.summary, "1 file");
}

TEST(Oracles, FindingsAreTheirSides) {
  EXPECT_EQ(Judge(Bad(), Good()).outcome, Outcome::kError);
  EXPECT_EQ(Judge(Bad(), Bad()).outcome, Outcome::kError);
  const Verdict verdict = Judge(Good(), Bad());
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_EQ(verdict.summary, "the candidate: a.kv: got nothing, expected what it was");
}

TEST(Oracles, FactsMustBeTheReferences) {
  OracleOutcome other = Good();
  other.facts = "2 files";
  const Verdict verdict = Judge(Good(), other);
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.summary, HasSubstr("got 2 files, expected 1 file as the reference"));
}

TEST(Oracles, WhatCannotBeAskedIsBlockedOrTheCandidatesFailure) {
  const Verdict blocked = Judge(Unasked(), Good());
  EXPECT_EQ(blocked.outcome, Outcome::kBlocked);
  EXPECT_EQ(blocked.compared, 0u);
  EXPECT_EQ(*FindProperty(blocked, "needs"), "killed_writer");
  EXPECT_EQ(Judge(Good(), Unasked()).outcome, Outcome::kFail);
}

TEST(Oracles, WhatWasNotAskedIsNoPass) {
  EXPECT_EQ(JudgeOracle("killed_writer", {}, {}).outcome, Outcome::kNotCompared);
  EXPECT_EQ(Judge({}, {}).outcome, Outcome::kNotCompared);
}

TEST(Oracles, WhatIsLeftBehindIsTold) {
  OracleOutcome leaves = Good();
  leaves.left_behind = "a.kv.tmp.7";
  const Verdict verdict = Judge(Good(), leaves);
  EXPECT_EQ(verdict.outcome, Outcome::kPass);
  EXPECT_EQ(*FindProperty(verdict, "left_behind_by_candidate"), "a.kv.tmp.7");
  EXPECT_EQ(FindProperty(verdict, "left_behind_by_reference"), nullptr);
}

}  // namespace
}  // namespace parity::kv
