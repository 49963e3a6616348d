// What each check makes of a server that does not tell a thing: never a pass on nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suites/kv/examine.h"

namespace parity::kv {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A crossing cell that holds, of sides that tell everything but the rows of logits.
class ExamineUntold : public testing::Test {
 protected:
  ExamineUntold() {
    lane_.load.requests = {{{"prompt", "a"}}};
    saved_.fit = {"ab.kv"};
    for (Loaded* loaded : {&warm_, &cold_, &own_warm_, &own_cold_}) {
      Answer& answer = loaded->answer;
      answer.untold = {"logits"};
      answer.text = " b";
      answer.finish = "length";
      answer.prompt = 12;
      answer.output = 2;
      const bool taken = loaded == &warm_ || loaded == &own_warm_;
      answer.cached = taken ? 8 : 0;
      answer.computed = 12 - answer.cached;
      answer.rows = answer.computed + 2;
      answer.hits = taken ? 1 : 0;
      answer.restored_key = taken ? "ab" : "";
      answer.restored_from = taken ? "disk" : "";
    }
    counters_ = {{"prefill_computed", 4}, {"prefill_cached", 8}, {"decoded", 2}, {"hits", 1}};
  }

  Checked Run(Check check) {
    const Cell cell = {&lane_, {true, false}, &saved_,    &saved_, &warm_,
                       &cold_, &own_warm_,    &own_cold_, nullptr};
    return Examine(check, cell, {});
  }
  void Untell(std::set<std::string> what) {
    for (Loaded* loaded : {&warm_, &cold_, &own_warm_, &own_cold_}) {
      loaded->answer.untold.insert(what.begin(), what.end());
    }
  }
  void Count() { warm_.counters_after = counters_; }

  Lane lane_;
  Saved saved_;
  Loaded warm_, cold_, own_warm_, own_cold_;
  nlohmann::json counters_;
};

// Nothing is wrong, and it is proven.
MATCHER(Holds, "") { return arg.findings.empty() && arg.unproven.empty() && arg.compared > 0; }
MATCHER_P(IsUnproven, why, "") {
  return arg.findings.empty() && arg.unproven.find(why) != std::string::npos;
}
MATCHER_P(Finds, signature, "") {
  for (const Finding& finding : arg.findings) {
    if (finding.signature == signature) return true;
  }
  return false;
}

TEST_F(ExamineUntold, WhatIsToldHolds) {
  for (const Check check : {Check::kAccepted, Check::kReuse, Check::kContinuation}) {
    EXPECT_THAT(Run(check), Holds()) << NameOf(check);
  }
}

TEST_F(ExamineUntold, ReuseNeedsRowsOrCounters) {
  Untell({"ran", "computed"});
  EXPECT_THAT(Run(Check::kReuse), IsUnproven("that the prefill was skipped is not shown"));
  Count();
  EXPECT_THAT(Run(Check::kReuse), Holds());
  warm_.counters_after["prefill_computed"] = 12;
  EXPECT_THAT(Run(Check::kReuse), Finds("reuse: counter prefill_computed"));
}

TEST_F(ExamineUntold, ReuseNeedsWhatWasCached) {
  Untell({"cached"});
  EXPECT_THAT(Run(Check::kReuse), IsUnproven("how much was cached"));
}

// A finding is one, whatever else is not told.
TEST_F(ExamineUntold, WhatIsWrongIsFoundWithoutAProof) {
  Untell({"ran"});
  warm_.answer.cached = 0;
  EXPECT_THAT(Run(Check::kReuse), Finds("reuse: cached 0"));
}

TEST_F(ExamineUntold, ARouteThatIsDemandedMustBeTold) {
  Untell({"route"});
  EXPECT_THAT(Run(Check::kReuse), Holds());
  lane_.answer.route = {{"lane", "serial"}};
  EXPECT_THAT(Run(Check::kReuse), IsUnproven("does not tell its route"));
}

TEST_F(ExamineUntold, AcceptedByCountsOfAProcessThatHasNothingElse) {
  Untell({"restored", "hits", "refusals"});
  EXPECT_THAT(Run(Check::kAccepted), Holds());
  warm_.answer.cached = 0;
  EXPECT_THAT(Run(Check::kAccepted), Finds("accepted: not taken up"));
  warm_.answer.cached = 8;
  lane_.load.requests.push_back({{"prompt", "a"}});
  EXPECT_THAT(Run(Check::kAccepted), IsUnproven("neither what it restored nor a counter hits"));
  warm_.answer.untold.erase("hits");
  EXPECT_THAT(Run(Check::kAccepted), Holds());
  warm_.answer.hits = 0;
  EXPECT_THAT(Run(Check::kAccepted), Finds("accepted: hit 0 times"));
}

TEST_F(ExamineUntold, ARefusalMustBeTold) {
  lane_.answer.refused = true;
  warm_.answer.cached = 0;
  Untell({"restored", "hits", "refusals"});
  EXPECT_THAT(Run(Check::kAccepted), IsUnproven("whether it refused"));
  warm_.answer.cached = 8;
  EXPECT_THAT(Run(Check::kAccepted), Finds("accepted: taken up"));
}

TEST_F(ExamineUntold, AMissNeedsCachedOrRestored) {
  lane_.answer.miss = true;
  Untell({"restored", "cached", "hits", "refusals"});
  EXPECT_THAT(Run(Check::kAccepted), IsUnproven("neither what it restored nor what was cached"));
}

TEST_F(ExamineUntold, WithoutLogitsWordsAreCompared) {
  const Checked holds = Run(Check::kContinuation);
  EXPECT_THAT(holds.properties, testing::Contains(testing::Pair("compared", HasSubstr("text"))));
  warm_.answer.text = " c";
  EXPECT_THAT(Run(Check::kContinuation), Finds("continuation: text"));
}

TEST_F(ExamineUntold, CallsAndIdsAreWords) {
  warm_.answer.calls = {{"f", {{"a", "x"}}}};
  EXPECT_THAT(Run(Check::kContinuation), Finds("continuation: text"));
  warm_.answer.calls = cold_.answer.calls;
  warm_.answer.ids = {7};
  EXPECT_THAT(Run(Check::kContinuation), Finds("continuation: text"));
  Untell({"ids"});
  EXPECT_THAT(Run(Check::kContinuation), Holds());
}

TEST_F(ExamineUntold, NoWordsAreNothingToCompare) {
  for (Loaded* loaded : {&warm_, &cold_}) loaded->answer.text.clear();
  EXPECT_THAT(Run(Check::kContinuation), Finds("continuation: nothing to compare"));
}

}  // namespace
}  // namespace parity::kv
