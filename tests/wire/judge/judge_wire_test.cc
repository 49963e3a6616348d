#include "suites/wire/judge/judge_wire.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suites/wire/transcript/read_transcript.h"
#include "tests/wire/rules/mutation.h"

namespace parity::wire::testing {
namespace {

using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

Transcript Good() { return ReadTranscript(PARITY_SOURCE_DIR "/tests/wire/fixtures/good.jsonl"); }

Transcript Damaged(const std::string& exchange, const Edit& edit) {
  Transcript transcript = Good();
  for (Exchange& one : transcript.exchanges) {
    if (one.name != exchange) continue;
    edit(one);
    MendLengths(one);
  }
  return transcript;
}

WireJudgement Judged(const Transcript& reference, const Transcript& candidate) {
  RuleOptions options;
  options.strict = false;
  return JudgeWire(SideView(reference), SideView(candidate), options, options);
}

// "C-02: candidate breaks core"
std::vector<std::string> ClassesOf(const WireJudgement& judgement) {
  std::set<std::string> classes;
  for (const ClassedFinding& found : judgement.findings) {
    classes.insert(found.finding.rule + ": " + std::string(NameOf(found.kind)));
  }
  return {classes.begin(), classes.end()};
}

const Edit kNoRole = Drop("\"role\"");

TEST(JudgeWire, TheSameTranscriptTwiceHasNoFinding) {
  const WireJudgement judgement = Judged(Good(), Good());
  EXPECT_THAT(ClassesOf(judgement), IsEmpty());
  EXPECT_THAT(judgement.Failing(), IsEmpty());
}

TEST(JudgeWire, WhoBreaksCore) {
  const Transcript good = Good(), broken = Damaged("chat/called_streamed", kNoRole);
  EXPECT_THAT(ClassesOf(Judged(good, broken)), UnorderedElementsAre("C-02: candidate breaks core"));
  const WireJudgement reference = Judged(broken, good);
  EXPECT_THAT(ClassesOf(reference), UnorderedElementsAre("C-02: reference breaks core"));
  EXPECT_THAT(reference.Failing(), IsEmpty());
  const WireJudgement both = Judged(broken, broken);
  EXPECT_THAT(ClassesOf(both), UnorderedElementsAre("C-02: both break core"));
  EXPECT_THAT(both.Failing(), IsEmpty());
}

TEST(JudgeWire, AProfileRuleCountsWhereTheReferenceKeepsIt) {
  const Edit edit = ReplaceLast("\"delta\":{}", "\"delta\":{\"content\":\"z\"}");
  const Transcript good = Good(), late = Damaged("chat/n2", edit);
  EXPECT_THAT(ClassesOf(Judged(good, late)),
              UnorderedElementsAre("C-04: candidate leaves the profile"));
  EXPECT_THAT(Judged(good, late).Failing().size(), 1u);
  // In another exchange: what the reference does anywhere is its way.
  Transcript elsewhere = Damaged("chat/long", edit);
  EXPECT_THAT(Judged(elsewhere, late).Failing(), IsEmpty());
}

// A stream that goes on past a second shows that each chunk has a time of its own; which does is
// luck.
TEST(JudgeWire, WhatTheClockDecidesIsExcusedByAnyExchangeOfTheReference) {
  const Edit edit = ReplaceLast("1767225600", "1767225601");
  const Transcript good = Good(), here = Damaged("chat/n2", edit),
                   there = Damaged("chat/long", edit);
  EXPECT_THAT(ClassesOf(Judged(good, here)),
              UnorderedElementsAre("C-01.created: candidate breaks core"));
  EXPECT_THAT(ClassesOf(Judged(there, here)),
              UnorderedElementsAre("C-01.created: both break core"));
  EXPECT_THAT(ClassesOf(Judged(there, good)),
              UnorderedElementsAre("C-01.created: reference breaks core"));
  // In another session, too.
  const SideView reference(good), candidate(here), elsewhere(there);
  RuleOptions options;
  options.strict = false;
  const WireJudgement judgement =
      JudgeWire(reference, candidate, options, options, HabitsOf(elsewhere, options));
  EXPECT_THAT(ClassesOf(judgement), UnorderedElementsAre("C-01.created: both break core"));
  // What no clock decides is not excused so.
  const Edit other = ReplaceLast("\"id\":\"chatcmpl-", "\"id\":\"chatcmpl-9");
  EXPECT_THAT(ClassesOf(Judged(Damaged("chat/long", other), Damaged("chat/n2", other))),
              ::testing::Contains("C-01: candidate breaks core"));
}

TEST(JudgeWire, TheLearnedProfileIsHeld) {
  const struct {
    std::string exchange;
    Edit edit;
    std::string rule;
  } rows[] = {
      {"chat/marked_a", Replace("\"model\"", "\"timings\":{},\"model\""), "profile.keys"},
      {"stats", Replace("\"messages\":0", "\"message\":0"), "profile.keys"},
      {"chat/marked_a", Replace("\"reasoning_tokens\":0", "\"reasoning_tokens\":null"),
       "profile.types"},
      {"models/again", Replace("\"owned_by\":\"parity\"", "\"owned_by\":\"other\""),
       "profile.values"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.rule);
    const Transcript candidate = Damaged(row.exchange, row.edit);
    EXPECT_THAT(ClassesOf(Judged(Good(), candidate)),
                UnorderedElementsAre(row.rule + ": candidate leaves the profile"));
  }
}

TEST(JudgeWire, StepsThatTheReferenceNeverTakes) {
  const Transcript candidate =
      Damaged("chat/long", Replace("\"content\":\"c\"", "\"reasoning\":\"c\""));
  EXPECT_THAT(ClassesOf(Judged(Good(), candidate)),
              ::testing::IsSupersetOf({std::string("profile.path: candidate leaves the profile")}));
}

// What a server does not do it does not count; whoever the other is, it cannot tell that from 0.
TEST(JudgeWire, AFamilyOfMetricsThatOneSideLacks) {
  const Transcript more =
      Damaged("metrics/again", Append("# TYPE batches_total counter\nbatches_total 0\n"));
  for (const WireJudgement& judgement : {Judged(Good(), more), Judged(more, Good())}) {
    EXPECT_THAT(ClassesOf(judgement),
                UnorderedElementsAre("equal.families: candidate leaves the profile"));
  }
  RuleOptions options;
  options.strict = false;
  options.same_metrics = false;
  const Transcript good = Good();
  EXPECT_THAT(ClassesOf(JudgeWire(SideView(good), SideView(more), options, options)), IsEmpty());
}

TEST(JudgeWire, AnExchangeThatOneSideLacks) {
  Transcript fewer = Good();
  fewer.exchanges.pop_back();
  EXPECT_THAT(ClassesOf(Judged(Good(), fewer)),
              UnorderedElementsAre("equal.exchange: candidate leaves the profile"));
  EXPECT_THAT(ClassesOf(Judged(fewer, Good())),
              UnorderedElementsAre("equal.exchange: candidate leaves the profile"));
}

TEST(JudgeWire, EveryRuleTellsHowMuchItLookedAt) {
  Transcript one = Good();
  one.exchanges.resize(1);
  const WireJudgement judgement = Judged(one, one);
  std::size_t looked = 0;
  for (const RuleOutcome& rule : judgement.rules) {
    if (rule.rule == "C-02") {
      EXPECT_EQ(rule.looked, 0u);
    }
    if (rule.rule == "H-08") {
      EXPECT_GT(rule.looked, 0u);
    }
    looked += rule.looked;
  }
  EXPECT_GT(looked, 0u);
  EXPECT_GE(judgement.rules.size(), AllRules().size());
}

}  // namespace
}  // namespace parity::wire::testing
