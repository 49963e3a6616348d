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
