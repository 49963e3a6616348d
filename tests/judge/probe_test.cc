#include "gtest_parity/judge/probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parity {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ElementStats Stats(std::uint64_t different, double max_abs = 0) {
  ElementStats stats;
  stats.compared = 10;
  stats.different = different;
  stats.max_abs = max_abs;
  stats.sum_dd = max_abs * max_abs;
  stats.sum_aa = 10;
  return stats;
}

ProbeComparison At(ElementStats stats, const std::string& tensor = "logits") {
  return {"with 3 taps on", 1, "probe/decode", tensor, stats};
}

ProbeEvidence Neutral() {
  ProbeEvidence evidence;
  evidence.check = "observer neutrality";
  evidence.repeats = {At(Stats(0)), At(Stats(0))};
  evidence.alike = {At(Stats(0))};
  evidence.runs = 8;
  return evidence;
}

TEST(JudgeProbe, WhatDoesNotMovePasses) {
  const Verdict verdict = JudgeProbe(Neutral(), 2);
  EXPECT_EQ(verdict.outcome, Outcome::kPass);
  EXPECT_EQ(verdict.summary, "observer neutrality: 1 result unmoved, in 8 runs");
  EXPECT_EQ(verdict.compared, 0u) << "of the two sides nothing is";
  EXPECT_EQ(verdict.exact, true);
}

TEST(JudgeProbe, WhatMovesByABitFailsWhereTheEngineRepeatsItself) {
  ProbeEvidence evidence = Neutral();
  evidence.alike.push_back(At(Stats(3, 1e-6), "next"));
  evidence.found = {"the cut is known"};
  const Verdict verdict = JudgeProbe(evidence, 2);
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(
      verdict.findings,
      ElementsAre("observer neutrality, probe/decode, rank 1, next: with 3 taps on, 3 of 10 "
                  "elements moved, got max |d| 1e-06, allowed no bit (the engine repeats "
                  "this bit for bit)",
                  "the cut is known"));
}

TEST(JudgeProbe, NoiseOfTheSamePlaceIsAllowedAndNoMore) {
  ProbeEvidence evidence = Neutral();
  evidence.repeats.push_back(At(Stats(5, 0.1)));
  evidence.alike = {At(Stats(5, 0.19))};
  EXPECT_EQ(JudgeProbe(evidence, 2).outcome, Outcome::kPass);
  EXPECT_EQ(JudgeProbe(evidence, 2).exact, false);
  evidence.alike = {At(Stats(5, 0.21))};
  EXPECT_THAT(JudgeProbe(evidence, 2).summary, HasSubstr("allowed max |d| 0.2"));
  evidence.alike = {At(Stats(5, 0.1), "another")};
  EXPECT_EQ(JudgeProbe(evidence, 2).outcome, Outcome::kFail);
}

TEST(JudgeProbe, NoiseNeverExcusesNanOrInfinity) {
  ProbeEvidence evidence = Neutral();
  evidence.repeats.push_back(At(Stats(5, 0.1)));
  ElementStats nan = Stats(1, 0);
  nan.nan_only_candidate = 1;
  evidence.alike = {At(nan)};
  EXPECT_EQ(JudgeProbe(evidence, 2).outcome, Outcome::kFail);
}

TEST(JudgeProbe, AnEffectThatIsMissingFails) {
  ProbeEvidence evidence = Neutral();
  evidence.effects = {{"overwrote q", "a copy", {At(Stats(0)), At(Stats(2, 1))}},
                      {"overwrote k", "a copy", {At(Stats(0))}}};
  const Verdict verdict = JudgeProbe(evidence, 2);
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.findings,
              ElementsAre("observer neutrality: overwrote k, and nothing moved: a copy"));
}

TEST(JudgeProbe, AnEffectThatIsNoLargerThanNoiseIsNone) {
  ProbeEvidence evidence = Neutral();
  evidence.repeats.push_back(At(Stats(5, 0.1)));
  evidence.effects = {{"overwrote q", "a copy", {At(Stats(5, 0.15))}}};
  EXPECT_EQ(JudgeProbe(evidence, 2).outcome, Outcome::kFail);
}

TEST(JudgeProbe, NothingComparedIsNoPass) {
  ProbeEvidence evidence = Neutral();
  evidence.alike.clear();
  EXPECT_EQ(JudgeProbe(evidence, 2).outcome, Outcome::kNotCompared);
  evidence.alike = {At(ElementStats())};
  EXPECT_EQ(JudgeProbe(evidence, 2).outcome, Outcome::kNotCompared);
  evidence.effects = {{"overwrote q", "a copy", {At(Stats(2, 1))}}};
  EXPECT_EQ(JudgeProbe(evidence, 2).outcome, Outcome::kNotCompared);
}

TEST(JudgeProbe, WhatWasNotLookedAtIsMissing) {
  for (const bool effect : {false, true}) {
    ProbeEvidence evidence = Neutral();
    if (effect) {
      evidence.effects = {{"another token", "it does not read its tokens", {}}};
    } else {
      evidence.alike.push_back(At(ElementStats(), "next"));
    }
    const Verdict verdict = JudgeProbe(evidence, 2);
    EXPECT_EQ(verdict.outcome, Outcome::kNotCompared);
    EXPECT_EQ(verdict.summary, "observer neutrality: only 1 of 2 comparisons took place");
  }
}

TEST(JudgeProbe, ADeathFails) {
  ProbeEvidence evidence = Neutral();
  evidence.death = Death{.cause = Death::Cause::kSignal,
                         .what = "signal SIGSEGV",
                         .ranks = {1},
                         .run = "probe/decode",
                         .op = "embed"};
  const Verdict verdict = JudgeProbe(evidence, 2);
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.summary, HasSubstr("signal SIGSEGV, rank 1, probe/decode, op embed"));
  ASSERT_NE(FindProperty(verdict, "died"), nullptr);
}

}  // namespace
}  // namespace parity
