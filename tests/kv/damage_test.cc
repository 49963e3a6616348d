#include "suites/kv/damage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parity::kv {
namespace {

using ::testing::HasSubstr;

Damaged Of(const std::string& slug, const DamageOutcome& reference,
           const DamageOutcome& candidate) {
  Damaged damaged;
  damaged.harm.slug = slug;
  damaged.harm.what = "in words";
  damaged.reference = reference;
  damaged.candidate = candidate;
  return damaged;
}

const DamageOutcome kRefused = {"", {"hash_mismatch"}, 0, true, "kept"};
const DamageOutcome kTaken = {"", {}, 40, false, "written"};

TEST(Damage, BothAlikePass) {
  const Verdict verdict = JudgeDamage(
      "flip", {Of("flip_text", kRefused, kRefused), Of("cut_at_text", kRefused, kTaken)});
  EXPECT_EQ(verdict.outcome, Outcome::kPass) << "another group's is its own case";
  EXPECT_EQ(verdict.compared, 1u);
  EXPECT_EQ(FindProperty(verdict, "shared_risk"), nullptr);
}

TEST(Damage, EveryPartOfTheOutcomeCounts) {
  std::vector<DamageOutcome> others(5, kRefused);
  others[0].refusals = {"invalid_header"};
  others[1].cached = 1;
  others[2].as_cold = false;
  others[3].record = "gone";
  others[4].death = "died: signal SIGSEGV";
  for (const DamageOutcome& other : others) {
    const Verdict verdict = JudgeDamage("flip", {Of("flip_text", kRefused, other)});
    EXPECT_EQ(verdict.outcome, Outcome::kFail) << other.Text();
    EXPECT_THAT(verdict.summary, HasSubstr("flip_text (in words): got " + other.Text()));
  }
}

// What one side does not tell is not held against either, and the case says so.
TEST(Damage, WhatASideDoesNotTellIsLeftOut) {
  DamageOutcome silent = kRefused;
  silent.refusals.clear();
  silent.cached = 0;
  silent.tells_refusals = silent.tells_cached = false;
  const Verdict verdict = JudgeDamage("flip", {Of("flip_text", kRefused, silent)});
  EXPECT_EQ(verdict.outcome, Outcome::kPass);
  EXPECT_EQ(*FindProperty(verdict, "not_told"), "cached or refusals");
  silent.as_cold = false;
  const Verdict other = JudgeDamage("flip", {Of("flip_text", kRefused, silent)});
  EXPECT_EQ(other.outcome, Outcome::kFail);
  EXPECT_THAT(other.summary, HasSubstr("got cached not told, refusals not told"));
}

TEST(Damage, TheReferencesDeathIsAnError) {
  DamageOutcome dead;
  dead.death = "died";
  EXPECT_EQ(JudgeDamage("flip", {Of("flip_text", dead, dead)}).outcome, Outcome::kError);
}

// An end that both come to, and that is declared, is told for what it is, and no pass.
class DeclaredDeath : public ::testing::Test {
 protected:
  DeclaredDeath() {
    dead_.death = "died: signal SIGABRT, rank 0";
    exception_.id = "E-1";
    exception_.signature = "died: signal SIGABRT";
    exception_.reason = "an assertion";
    exception_.until = "2030-01-01";
  }
  Verdict Judge(const std::vector<Damaged>& all, const std::string& today = "2029-01-01") const {
    return JudgeDamage("flip", all, {&exception_}, today);
  }
  DamageOutcome dead_;
  LaneException exception_;
};

TEST_F(DeclaredDeath, IsExcusedWhereBothDie) {
  const Verdict verdict =
      Judge({Of("flip_text", dead_, dead_), Of("flip_magic", kRefused, kRefused)});
  EXPECT_EQ(verdict.outcome, Outcome::kPassStar);
  EXPECT_EQ(verdict.summary, "exception E-1: an assertion");
  EXPECT_EQ(*FindProperty(verdict, "excused"), "flip_text");
}

TEST_F(DeclaredDeath, IsForItsSignatureAndForBoth) {
  EXPECT_EQ(Judge({Of("flip_text", dead_, kRefused)}).outcome, Outcome::kError);
  DamageOutcome other = dead_;
  other.death = "died: signal SIGSEGV, rank 0";
  EXPECT_EQ(Judge({Of("flip_text", other, other)}).outcome, Outcome::kError);
  EXPECT_EQ(Judge({Of("flip_text", dead_, dead_), Of("flip_magic", kRefused, kTaken)}).outcome,
            Outcome::kFail);
}

TEST_F(DeclaredDeath, ExpiresAndGoesStale) {
  const Verdict expired = Judge({Of("flip_text", dead_, dead_)}, "2031-01-01");
  EXPECT_EQ(expired.outcome, Outcome::kError);
  EXPECT_THAT(expired.summary, HasSubstr("exception E-1 has expired, its last day was 2030-01-01"));
  const Verdict stale = Judge({Of("flip_text", kRefused, kRefused)});
  EXPECT_EQ(stale.outcome, Outcome::kFail);
  EXPECT_THAT(stale.summary, HasSubstr("exception E-1 stopped reproducing"));
}

// No checksum: nobody can notice, and both answer otherwise.
TEST(Damage, WhatBothTakeUpIsTold) {
  const Verdict verdict = JudgeDamage("flip", {Of("flip_payload", kTaken, kTaken)});
  EXPECT_EQ(verdict.outcome, Outcome::kPass);
  EXPECT_EQ(*FindProperty(verdict, "shared_risk"), "flip_payload");
  EXPECT_EQ(SharedRisks({Of("flip_payload", kTaken, kTaken), Of("flip_text", kRefused, kTaken),
                         Of("flip_magic", kRefused, kRefused)}),
            std::vector<std::string>{"flip_payload"});
}

TEST(Damage, NothingLoadedIsNoPass) {
  EXPECT_EQ(JudgeDamage("flip", {}).outcome, Outcome::kNotCompared);
  Damaged half = Of("flip_text", kRefused, kRefused);
  half.candidate.reset();
  EXPECT_EQ(JudgeDamage("flip", {half}).outcome, Outcome::kNotCompared);
}

}  // namespace
}  // namespace parity::kv
