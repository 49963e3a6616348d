#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/judge/evidence_builder.h"

namespace parity {
namespace {

using namespace parity::testing;
using ::testing::HasSubstr;

DomainViolation Violation(double value, std::uint64_t index = 2, std::uint64_t count = 3) {
  return {.count = count, .first_index = index, .first_value = value, .min = 0, .max = 511};
}

DomainEvidence Checked(DomainViolation candidate, DomainViolation reference) {
  DomainEvidence evidence;
  evidence.program = "decode";
  evidence.tensor = "next_token";
  evidence.expected = 2;
  evidence.checks = {{.rank = 0, .run = "b1/decode#0", .elements = 8},
                     {.rank = 1,
                      .run = "b1/decode#1",
                      .elements = 8,
                      .candidate = candidate,
                      .reference = reference}};
  return evidence;
}

TEST(DomainVerdict, InsideIsPass) {
  const Verdict verdict = JudgeDomain(Checked({}, {}));
  EXPECT_EQ(verdict.outcome, Outcome::kPass);
  EXPECT_EQ(verdict.summary, "inside its domain: 2 of 2 checked");
}

TEST(DomainVerdict, OutsideIsBroken) {
  const Verdict verdict = JudgeDomain(Checked(Violation(600), {}));
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_EQ(verdict.span_class, SpanClass::kBroken);
  EXPECT_EQ(verdict.summary,
            "decode, b1/decode#1, rank 1, next_token: candidate 3 elements outside the domain "
            "[0, 511], first 600 at [#2], reference none, allowed none (the declared domain), no "
            "tolerance would have passed it");
  EXPECT_EQ(Property(verdict, "rank"), "1");
  EXPECT_EQ(Property(verdict, "run"), "b1/decode#1");
}

TEST(DomainVerdict, TheSameFailureOfTheReferenceIsAStar) {
  const Verdict verdict = JudgeDomain(Checked(Violation(600), Violation(601)));
  EXPECT_EQ(verdict.outcome, Outcome::kPassStar);
  EXPECT_THAT(verdict.summary, HasSubstr("the reference fails the same way"));
}

TEST(DomainVerdict, AnotherFailureOfTheReferenceIsNone) {
  const DomainViolation candidate = Violation(600);
  EXPECT_EQ(JudgeDomain(Checked(candidate, Violation(-1))).outcome, Outcome::kFail);
  EXPECT_EQ(JudgeDomain(Checked(candidate, Violation(kNan))).outcome, Outcome::kFail);
  EXPECT_EQ(JudgeDomain(Checked(candidate, Violation(600, 3))).outcome, Outcome::kFail);
  EXPECT_EQ(JudgeDomain(Checked(candidate, Violation(600, 2, 2))).outcome, Outcome::kFail);
}

TEST(DomainVerdict, OneSharedFailureDoesNotCoverAnother) {
  DomainEvidence evidence = Checked(Violation(600), Violation(600));
  evidence.checks[0].candidate = Violation(700);
  const Verdict verdict = JudgeDomain(evidence);
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_EQ(Property(verdict, "rank"), "0");
  EXPECT_EQ(verdict.findings.size(), 2u);
}

TEST(DomainVerdict, TellsWhatOnlyTheReferenceViolates) {
  const Verdict verdict = JudgeDomain(Checked({}, Violation(600)));
  EXPECT_EQ(verdict.outcome, Outcome::kPass);
  EXPECT_THAT(AllFindings(verdict), HasSubstr("candidate none, reference 3 elements"));
}

TEST(DomainVerdict, NothingCheckedIsNeverAPass) {
  DomainEvidence none = Checked({}, {});
  none.checks.clear();
  EXPECT_EQ(JudgeDomain(none).outcome, Outcome::kNotCompared);
  DomainEvidence empty = Checked({}, {});
  for (auto& check : empty.checks) check.elements = 0;
  EXPECT_EQ(JudgeDomain(empty).summary, "nothing was checked");
  DomainEvidence short_of = Checked({}, {});
  short_of.expected = 3;
  EXPECT_EQ(JudgeDomain(short_of).outcome, Outcome::kNotCompared);
  EXPECT_EQ(JudgeDomain(short_of).summary, "only 2 of 3 checked");
  // A star needs the whole ledger as well.
  DomainEvidence star = Checked(Violation(600), Violation(600));
  star.expected = 3;
  EXPECT_EQ(JudgeDomain(star).outcome, Outcome::kNotCompared);
}

TEST(DomainVerdict, ADeathFails) {
  DomainEvidence evidence = Checked({}, {});
  evidence.death = Died(Death::Cause::kSignal, "signal SIGSEGV");
  const Verdict verdict = JudgeDomain(evidence);
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.findings.at(0), HasSubstr("signal SIGSEGV, rank 1"));
  EXPECT_EQ(*FindProperty(verdict, "rank"), "1");
  EXPECT_EQ(*FindProperty(verdict, "run"), evidence.death->run);
}

}  // namespace
}  // namespace parity
