#include "suites/kv/judge_cell.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parity::kv {
namespace {

using ::testing::HasSubstr;

constexpr CellKey kOwn{true, true}, kCrossed{true, false};
constexpr char kToday[] = "2030-01-02";

class JudgeCellTest : public testing::Test {
 protected:
  JudgeCellTest() {
    lane_.name = "evict";
    for (const Check check : kAllChecks) own_.push_back(Result(kOwn, check));
  }

  static CellResult Result(const CellKey& key, Check check, const std::string& signature = "") {
    CellResult result;
    result.key = key;
    result.check = check;
    result.checked.Expect(signature.empty(), signature, signature + ": got 0, expected 1");
    return result;
  }

  void OwnFails(Check check, const std::string& signature) {
    own_[static_cast<std::size_t>(check)] = Result(kOwn, check, signature);
  }

  Verdict Judge(const CellResult& result) {
    return JudgeCell(lane_, result, own_, exceptions_, kToday);
  }

  void Except(const std::string& signature, const std::string& until = "2030-01-02") {
    exceptions_.push_back({"E-1", "evict", "reuse", signature, "both do", until, {}});
  }

  Lane lane_;
  std::vector<CellResult> own_;
  std::vector<LaneException> exceptions_;
};

TEST_F(JudgeCellTest, WhatHoldsPasses) {
  const Verdict verdict = Judge(Result(kCrossed, Check::kReuse));
  EXPECT_EQ(verdict.outcome, Outcome::kPass);
  EXPECT_EQ(verdict.compared, 1u);
}

TEST_F(JudgeCellTest, NothingComparedIsNoPass) {
  CellResult nothing;
  nothing.key = kCrossed;
  EXPECT_EQ(Judge(nothing).outcome, Outcome::kNotCompared);
}

TEST_F(JudgeCellTest, WhatDoesNotHoldFails) {
  const Verdict verdict = Judge(Result(kCrossed, Check::kReuse, "reuse: cached 0"));
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_EQ(*FindProperty(verdict, "signature"), "reuse: cached 0");
  EXPECT_THAT(verdict.summary, HasSubstr("reference_to_candidate: reuse: cached 0"));
}

// The lane's own check is the reference's: without it nothing can be held against the candidate.
TEST_F(JudgeCellTest, OwnCheckThatFailsIsAnErrorAndBlocksTheOthers) {
  OwnFails(Check::kFiles, "files: gone");
  EXPECT_EQ(Judge(own_[static_cast<std::size_t>(Check::kFiles)]).outcome, Outcome::kError);
  EXPECT_EQ(Judge(own_.front()).outcome, Outcome::kPass);
  for (const CellKey& key : kAllCells) {
    if (key.IsOwnCheck()) continue;
    const Verdict verdict = Judge(Result(key, Check::kReuse));
    EXPECT_EQ(verdict.outcome, Outcome::kBlocked) << key.Text();
    EXPECT_EQ(verdict.compared, 0u);
    EXPECT_EQ(*FindProperty(verdict, "needs"), "reference");
  }
}

// What a side does not tell is no pass, and what is wrong all the same is no less wrong.
TEST_F(JudgeCellTest, WithoutAProofItIsBlocked) {
  CellResult unproven = Result(kCrossed, Check::kReuse);
  unproven.checked.CannotTell("nothing was counted");
  unproven.checked.CannotTell("nor told");
  const Verdict verdict = Judge(unproven);
  EXPECT_EQ(verdict.outcome, Outcome::kBlocked);
  EXPECT_EQ(verdict.summary, "nothing was counted");
  EXPECT_EQ(verdict.compared, 0u);
  EXPECT_EQ(*FindProperty(verdict, "needs"), "telling server");
  unproven.checked.Expect(false, "reuse: cached 0", "cached: got 0");
  EXPECT_EQ(Judge(unproven).outcome, Outcome::kFail);
  own_[2] = unproven;
  own_[2].checked.findings.clear();
  EXPECT_EQ(Judge(Result(kCrossed, Check::kReuse)).outcome, Outcome::kPass)
      << "the reference's proof is not the candidate's";
}

TEST_F(JudgeCellTest, ALaneThatTheReferenceCannotRunIsBlockedWhole) {
  for (CellResult& own : own_) own.blocked = "it has one rank";
  for (const CellKey& key : kAllCells) {
    CellResult result = key.IsOwnCheck() ? own_[2] : Result(key, Check::kReuse);
    EXPECT_EQ(Judge(result).outcome, Outcome::kBlocked) << key.Text();
    EXPECT_EQ(Judge(result).summary, "it has one rank");
  }
}

TEST_F(JudgeCellTest, ADeathIsItsSides) {
  CellResult dead = Result(kCrossed, Check::kReuse);
  dead.failure = "the candidate died";
  EXPECT_EQ(Judge(dead).outcome, Outcome::kFail);
  dead.failure_is_reference = true;
  EXPECT_EQ(Judge(dead).outcome, Outcome::kError);
}

TEST_F(JudgeCellTest, AnExceptionThatTheReferenceShowsIsPassStar) {
  Except("reuse: cached 0");
  OwnFails(Check::kReuse, "reuse: cached 0");
  EXPECT_EQ(Judge(own_[static_cast<std::size_t>(Check::kReuse)]).outcome, Outcome::kPassStar);
  const Verdict verdict = Judge(Result(kCrossed, Check::kReuse, "reuse: cached 0"));
  EXPECT_EQ(verdict.outcome, Outcome::kPassStar);
  EXPECT_EQ(*FindProperty(verdict, "exception"), "E-1");
  // A cell that does not fail that way needs no exception, and other checks are not blocked.
  EXPECT_EQ(Judge(Result(kCrossed, Check::kReuse)).outcome, Outcome::kPass);
  EXPECT_EQ(Judge(Result(kCrossed, Check::kFiles)).outcome, Outcome::kPass);
}

TEST_F(JudgeCellTest, TheExceptionThatIsToldIsTheFindings) {
  Except("reuse: prompt");
  Except("reuse: cached 0");
  exceptions_.back().id = "E-2";
  OwnFails(Check::kReuse, "reuse: cached 0");
  own_[static_cast<std::size_t>(Check::kReuse)].checked.Expect(false, "reuse: prompt", "prompt");
  const Verdict verdict = Judge(Result(kCrossed, Check::kReuse, "reuse: cached 0"));
  EXPECT_EQ(verdict.outcome, Outcome::kPassStar);
  EXPECT_EQ(*FindProperty(verdict, "exception"), "E-2");
}

TEST_F(JudgeCellTest, AnExceptionIsForItsSignatureAlone) {
  Except("reuse: cached 0");
  OwnFails(Check::kReuse, "reuse: cached 0");
  EXPECT_EQ(Judge(Result(kCrossed, Check::kReuse, "reuse: prompt")).outcome, Outcome::kFail);
  CellResult both = Result(kCrossed, Check::kReuse, "reuse: cached 0");
  both.checked.Expect(false, "reuse: prompt", "prompt");
  EXPECT_EQ(Judge(both).outcome, Outcome::kFail);
  EXPECT_EQ(Judge(Result(kCrossed, Check::kFiles, "reuse: cached 0")).outcome, Outcome::kFail);
}

TEST_F(JudgeCellTest, AnExceptionThatStoppedReproducingFails) {
  Except("reuse: cached 0");
  const Verdict verdict = Judge(own_[static_cast<std::size_t>(Check::kReuse)]);
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.summary, HasSubstr("stopped reproducing"));
  EXPECT_EQ(Judge(Result(kCrossed, Check::kReuse, "reuse: cached 0")).outcome, Outcome::kFail);
}

TEST_F(JudgeCellTest, AnExceptionEnds) {
  Except("reuse: cached 0", "2030-01-01");
  OwnFails(Check::kReuse, "reuse: cached 0");
  const Verdict verdict = Judge(own_[static_cast<std::size_t>(Check::kReuse)]);
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.summary, HasSubstr("its last day was 2030-01-01"));
  EXPECT_EQ(Judge(Result(kCrossed, Check::kReuse)).outcome, Outcome::kBlocked);
}

// Another payload is of two savers: the candidate's cells show it, and judge whether it is still
// so.
class OtherPayloadTest : public JudgeCellTest {
 protected:
  OtherPayloadTest() {
    exceptions_.push_back({"E-2", "evict", "record", kSignature, "other sums", "2030-01-02", {}});
  }
  static constexpr char kSignature[] = "record: payload.layer_data";
  static constexpr CellKey kCandidate{false, false}, kBack{false, true};
};

TEST_F(OtherPayloadTest, StarsTheCandidatesRecords) {
  EXPECT_EQ(Judge(Result(kOwn, Check::kRecord)).outcome, Outcome::kPass);
  for (const CellKey& key : {kCandidate, kBack}) {
    const Verdict verdict = Judge(Result(key, Check::kRecord, kSignature));
    EXPECT_EQ(verdict.outcome, Outcome::kPassStar) << key.Text();
    EXPECT_EQ(*FindProperty(verdict, "exception"), "E-2");
  }
}

TEST_F(OtherPayloadTest, StandsForThatSignatureAlone) {
  EXPECT_EQ(Judge(Result(kCandidate, Check::kRecord, "record: payload.token_ids")).outcome,
            Outcome::kFail);
  EXPECT_EQ(Judge(Result(kBack, Check::kContinuation, "continuation: logits")).outcome,
            Outcome::kFail);
}

TEST_F(OtherPayloadTest, IsStaleWhereTheCandidateShowsItNoMore) {
  const Verdict verdict = Judge(Result(kCandidate, Check::kRecord));
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.summary, HasSubstr("the candidate does not show"));
}

TEST_F(OtherPayloadTest, Expires) {
  exceptions_.back().until = "2030-01-01";
  EXPECT_THAT(Judge(Result(kCandidate, Check::kRecord, kSignature)).summary,
              HasSubstr("has expired, its last day was 2030-01-01"));
  EXPECT_EQ(Judge(Result(kBack, Check::kRecord, kSignature)).outcome, Outcome::kFail);
}

}  // namespace
}  // namespace parity::kv
