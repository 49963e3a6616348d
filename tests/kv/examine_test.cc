// What each check finds wrong with a cell that is right but for one thing.
#include "suites/kv/examine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parity::kv {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kKey[] = "0123456789012345678901234567890123456789";

class ExamineTest : public ::testing::Test {
 protected:
  ExamineTest() {
    lane_.name = "evict";
    saved_.fit = reference_saved_.fit = {std::string(kKey) + ".kv"};
    for (Loaded* loaded : {&warm_, &reference_warm_}) {
      loaded->answer.restored_key = kKey;
      loaded->answer.restored_from = "disk";
      loaded->answer.hits = loaded->hits = 1;
      loaded->events = {"hit evict 40"};
      loaded->answer.finish = "length";
      loaded->generated = {{4, 5}, {1, 2, 1, 2}};
    }
    cold_.generated = reference_cold_.generated = warm_.generated;
    cold_.answer.finish = reference_cold_.answer.finish = "length";
  }

  std::vector<std::string> Signatures(Check check, const CellKey& key = {true, false}) {
    const Cell cell = {&lane_, key,    &saved_,          &reference_saved_,
                       &warm_, &cold_, &reference_warm_, &reference_cold_,
                       nullptr};
    std::vector<std::string> signatures;
    for (const Finding& finding : Examine(check, cell, rules_).findings) {
      signatures.push_back(finding.signature);
    }
    return signatures;
  }

  Lane lane_;
  Saved saved_, reference_saved_;
  Loaded warm_, cold_, reference_warm_, reference_cold_;
  Rules rules_;
};

TEST_F(ExamineTest, WhatIsRightHasNoFindings) {
  EXPECT_THAT(Signatures(Check::kAccepted), IsEmpty());
  EXPECT_THAT(Signatures(Check::kContinuation), IsEmpty());
}

TEST_F(ExamineTest, EventsAreTheReferencesInOrder) {
  warm_.events = {"hit evict 40", "refuse shutdown 60: over_budget"};
  EXPECT_THAT(Signatures(Check::kAccepted), Contains("accepted: events"));
}

TEST_F(ExamineTest, ASaversEventsAreTheReferences) {
  saved_.answers.resize(1);
  reference_saved_.answers.resize(1);
  saved_.fit.clear();  // nothing else is looked at
  EXPECT_THAT(Signatures(Check::kRecord, {false, false}), Not(Contains("record: events")));
  reference_saved_.answers[0].events = {"store cold 32"};
  EXPECT_THAT(Signatures(Check::kRecord, {false, false}), Contains("record: events"));
}

TEST_F(ExamineTest, ARefusalIsForItsReasonAlone) {
  lane_.answer.refused = true;
  lane_.answer.why = "identity_mismatch";
  warm_.answer.restored_key.clear();
  warm_.answer.refusals = {"identity_mismatch", "identity_mismatch"};
  EXPECT_THAT(Signatures(Check::kAccepted), IsEmpty());
  warm_.answer.refusals = {"identity_mismatch", "hash_mismatch"};
  EXPECT_THAT(Signatures(Check::kAccepted),
              Contains("accepted: refused identity_mismatch, hash_mismatch"));
  warm_.answer.refusals.clear();
  EXPECT_THAT(Signatures(Check::kAccepted), Contains("accepted: not refused"));
}

// Declined in this cell alone: all is as without the record, whatever the reference makes of its
// own.
class DeclinedTest : public ExamineTest {
 protected:
  DeclinedTest() {
    lane_.answer.refused = true;
    lane_.answer.refused_in = {{true, false}};
    lane_.answer.why = "load_state";
    lane_.answer.words = "mismatched key type";
    warm_.answer.restored_key.clear();
    warm_.answer.refusals = {"load_state"};
    warm_.answer.refusal_words = {"load_state: mismatched key type (8 != 1)"};
    warm_.events = {"refuse load 40: load_state"};
    for (Loaded* loaded : {&warm_, &cold_}) {
      loaded->answer.prompt = loaded->answer.computed = 42;
      loaded->answer.rows = 44;
      loaded->answer.output = 2;
    }
    reference_warm_.answer.prompt = 42;
    reference_warm_.answer.cached = 40;
    reference_warm_.answer.computed = 2;
    saved_.files[saved_.fit.front()] = warm_.before[saved_.fit.front()] =
        warm_.after[saved_.fit.front()] = {1, "digest"};
  }
};

TEST_F(DeclinedTest, IsAsTheLaneSays) {
  for (const Check check : {Check::kAccepted, Check::kReuse, Check::kContinuation, Check::kFiles}) {
    EXPECT_THAT(Signatures(check), IsEmpty()) << NameOf(check);
  }
}

TEST_F(DeclinedTest, TakenUpAllTheSameIsAFinding) {
  warm_.answer.refusals.clear();
  warm_.answer.refusal_words.clear();
  warm_.answer.restored_key = kKey;
  warm_.answer.cached = 40;
  EXPECT_THAT(Signatures(Check::kAccepted), Contains("accepted: not refused"));
  EXPECT_THAT(Signatures(Check::kAccepted), Contains("accepted: taken up"));
  EXPECT_THAT(Signatures(Check::kReuse), Contains("reuse: cached above 0"));
}

TEST_F(DeclinedTest, ForAnotherReasonOrInOtherWordsIsAFinding) {
  warm_.answer.refusal_words = {"load_state: truncated"};
  EXPECT_THAT(Signatures(Check::kAccepted), Contains("accepted: other words"));
  warm_.answer.refusals = {"no_record"};
  EXPECT_THAT(Signatures(Check::kAccepted), Contains("accepted: refused no_record"));
}

TEST_F(DeclinedTest, WhatIsDeclinedElsewhereIsNotDeclaredHere) {
  EXPECT_THAT(Signatures(Check::kAccepted, {false, false}),
              Contains("accepted: refused load_state"));
}

TEST_F(DeclinedTest, TheAnswerIsTheColdOne) {
  warm_.generated.logits[0] = 7;
  EXPECT_THAT(Signatures(Check::kContinuation), Contains("continuation: logits"));
  warm_.answer.rows = 4;
  EXPECT_THAT(Signatures(Check::kReuse), Contains("reuse: rows skipped"));
  warm_.answer.prompt = 41;
  EXPECT_THAT(Signatures(Check::kReuse), Contains("reuse: prompt"));
}

TEST_F(DeclinedTest, TheRecordStaysAsItIs) {
  warm_.after[saved_.fit.front()].digest = "other";
  EXPECT_THAT(Signatures(Check::kFiles), Contains("files: written"));
}

// Rows that a step ran are counted by the engine too.
TEST_F(ExamineTest, TheEnginesOwnCountOfTokensIsTheRowsThatRan) {
  for (Loaded* loaded : {&warm_, &cold_, &reference_warm_}) {
    loaded->answer.prompt = 42;
    loaded->answer.cached = 40;
    loaded->answer.computed = 2;
    loaded->answer.rows = loaded == &cold_ ? 44 : 4;
  }
  warm_.counters_before = {{"tokens", 10}};
  warm_.counters_after = {{"tokens", 14}};
  EXPECT_THAT(Signatures(Check::kReuse), IsEmpty());
  warm_.counters_after = {{"tokens", 54}};
  EXPECT_THAT(Signatures(Check::kReuse), Contains("reuse: counter tokens"));
}

// The record is taken up by a request before the judged one, once.
TEST_F(ExamineTest, WhatGoesOnFromMemoryWasTakenFromTheRecord) {
  lane_.answer.from_memory = true;
  for (Loaded* loaded : {&warm_, &reference_warm_}) {
    loaded->answer.restored_from = "memory";
    loaded->answer.restored_key = "of the session";
    loaded->answer.hits = 0;
  }
  EXPECT_THAT(Signatures(Check::kAccepted), IsEmpty());
  warm_.hits = 0;
  EXPECT_THAT(Signatures(Check::kAccepted), Contains("accepted: hit 0 times"));
  warm_.answer.restored_from = "disk";
  EXPECT_THAT(Signatures(Check::kAccepted), Contains("accepted: not from memory"));
  warm_.answer.restored_key = kKey;
  EXPECT_THAT(Signatures(Check::kAccepted), Contains("accepted: not taken up"));
}

class SharedRiskTest : public ExamineTest {
 protected:
  SharedRiskTest() {
    lane_.answer.shared_risk = true;
    warm_.generated = reference_warm_.generated = {{7, 8}, {2, 1, 2, 1}};
  }
};

TEST_F(SharedRiskTest, BothGoOnAlikeAndOtherwiseThanWithout) {
  EXPECT_THAT(Signatures(Check::kContinuation), IsEmpty());
}

TEST_F(SharedRiskTest, WhoGoesOnOtherwiseThanTheReferenceFails) {
  warm_.generated.logits[0] = 3;
  EXPECT_THAT(Signatures(Check::kContinuation), Contains("continuation: logits"));
  rules_.exact = false;
  rules_.kl_limit = 100;
  EXPECT_THAT(Signatures(Check::kContinuation), IsEmpty());
  warm_.answer.finish = "stop";
  EXPECT_THAT(Signatures(Check::kContinuation), Contains("continuation: finish"));
}

TEST_F(SharedRiskTest, ARiskThatIsNoneIsToldSo) {
  warm_.generated = reference_warm_.generated = reference_cold_.generated;
  EXPECT_THAT(Signatures(Check::kContinuation), Contains("continuation: no risk"));
}

TEST_F(SharedRiskTest, NothingToCompareIsNoPass) {
  warm_.generated = {};
  EXPECT_THAT(Signatures(Check::kContinuation), Contains("continuation: nothing to compare"));
}

}  // namespace
}  // namespace parity::kv
