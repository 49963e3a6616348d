// The table of span classes and every sentence about it: docs/design.md, section 8.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/judge/evidence_builder.h"

namespace parity {
namespace {

using namespace parity::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

DomainViolation Outside(double value) {
  return {.count = 1, .first_index = 5, .first_value = value, .min = 0, .max = 511};
}

// One line of the table, in both modes; end to end says PASS.
struct TableRow {
  std::string name;
  SpanEvidence evidence;
  std::optional<AppliedTolerance> tolerance;
  SpanClass span_class;
  Outcome exact, end_to_end;
  std::string text;  // in the summary of `exact`
};

void PrintTo(const TableRow& row, std::ostream* out) { *out << row.name; }

class SpanTable : public ::testing::TestWithParam<TableRow> {};

TEST_P(SpanTable, HasTheClassAndBothOutcomes) {
  const TableRow& row = GetParam();
  for (const bool exact : {true, false}) {
    Rules rules = exact ? Exact() : EndToEnd();
    if (row.tolerance) rules.tolerances = {*row.tolerance};
    const Verdict verdict = JudgeSpan(row.evidence, rules, Whole(Outcome::kPass));
    EXPECT_EQ(verdict.span_class, row.span_class) << AllFindings(verdict);
    EXPECT_EQ(verdict.outcome, exact ? row.exact : row.end_to_end) << verdict.summary;
    EXPECT_EQ(Property(verdict, "class"), NameOf(row.span_class));
    EXPECT_EQ(Property(verdict, "outcome"), NameOf(verdict.outcome));
    if (exact) {
      EXPECT_THAT(verdict.summary, HasSubstr(row.text));
    }
  }
}

std::vector<TableRow> Table() {
  const auto changed = [](const std::function<void(TensorComparison&)>& change) {
    return Span({With(Comparison(Same()), change)});
  };
  SpanEvidence outside = SpanOf(Same());
  outside.outside = {
      {.rank = 1, .run = "b1/decode#0", .tensor = "kv", .bytes = 64, .first_offset = 4096}};
  const auto dead = [](Death::Cause cause, const char* what) {
    SpanEvidence evidence = Span({});
    evidence.expected = 4;
    evidence.death = Died(cause, what);
    return evidence;
  };
  const AppliedTolerance tolerance{"attn", 0.1, std::nullopt, "vendor kernel", "2030-12-31"};
  const auto kPass = Outcome::kPass, kFail = Outcome::kFail, kWaived = Outcome::kWaived;
  const auto kBroken = SpanClass::kBroken;
  return {
      {"identical", SpanOf(Same()), {}, SpanClass::kIdentical, kPass, kPass, "identical: 1 of 1"},
      {"signed_zero",
       SpanOf(SignedZero()),
       {},
       SpanClass::kValueIdentical,
       kPass,
       kPass,
       "value_identical: 1 of 1"},
      {"nan_payload",
       SpanOf(NanPayload()),
       {},
       SpanClass::kValueIdentical,
       kPass,
       kPass,
       "value_identical"},
      {"within_spread",
       HybridSpan(Off(0.019, 0.9)),
       {},
       SpanClass::kWithinSpread,
       kPass,
       kPass,
       "within_spread"},
      {"within_tolerance", SpanOf(Off(0.05, 1)), tolerance, SpanClass::kWithinTolerance, kWaived,
       kWaived, "waived: vendor kernel"},
      {"different",
       SpanOf(Off(0.05, 1)),
       {},
       SpanClass::kDifferent,
       kFail,
       kPass,
       "differs in 1 of 64 elements"},
      {"nan_only_in_the_candidate",
       SpanOf(NanOnly(true)),
       {},
       kBroken,
       kFail,
       kFail,
       "NaN only in the candidate in 1 element"},
      {"infinity_only_in_the_candidate",
       SpanOf(Infinite(&ElementStats::infinity_only_candidate)),
       {},
       kBroken,
       kFail,
       kFail,
       "infinity only in the candidate in 1 element"},
      {"infinity_of_the_other_sign",
       SpanOf(Infinite(&ElementStats::infinity_opposite)),
       {},
       kBroken,
       kFail,
       kFail,
       "infinity of the other sign in 1 element"},
      {"missing_write",
       changed([](auto& c) { c.missing_writes = 3; }),
       {},
       kBroken,
       kFail,
       kFail,
       "3 elements not written"},
      {"outside_write",
       outside,
       {},
       kBroken,
       kFail,
       kFail,
       "rank 1, kv: broken; 64 bytes written outside what the reference writes, first at byte "
       "4096"},
      {"undefined_read",
       changed([](auto& c) { c.undefined_read = true; }),
       {},
       kBroken,
       kFail,
       kFail,
       "undefined read"},
      {"domain",
       Span({With(Comparison(Off(1, 600)), [](auto& c) { c.domain = Outside(600); })}),
       {},
       kBroken,
       kFail,
       kFail,
       "1 element outside the domain [0, 511], first 600 at [0, 5]"},
      {"crash",
       dead(Death::Cause::kSignal, "signal SIGSEGV"),
       {},
       kBroken,
       kFail,
       kFail,
       "the candidate died: signal SIGSEGV, rank 1, b1/decode#3, op layer0.attention"},
      {"exit",
       dead(Death::Cause::kExit, "exit status 77"),
       {},
       kBroken,
       kFail,
       kFail,
       "the candidate left: exit status 77, rank 1"},
      {"hang",
       dead(Death::Cause::kHang, "no answer within 2 s"),
       {},
       kBroken,
       kFail,
       kFail,
       "the candidate hung: no answer within 2 s, rank 1, b1/decode#3, op layer0.attention"},
      {"failure",
       dead(Death::Cause::kFailed, "CUDA error 700"),
       {},
       kBroken,
       kFail,
       kFail,
       "the candidate failed: CUDA error 700"},
      {"refusal",
       dead(Death::Cause::kRefused, "guard rows_multiple: rows % 16 == 0, rows = 3"),
       {},
       kBroken,
       kFail,
       kFail,
       "the candidate refused: guard rows_multiple: rows % 16 == 0, rows = 3"},
  };
}

INSTANTIATE_TEST_SUITE_P(Rows, SpanTable, ::testing::ValuesIn(Table()),
                         [](const auto& info) { return info.param.name; });

TEST(SpanVerdict, ClassIsTheWorstOverComparisons) {
  const Verdict verdict =
      JudgeSpan(Span({Comparison(Same()), Comparison(Off(0.5, 1), 0, "b1/decode#7"),
                      Comparison(SignedZero(), 1)}),
                Exact(), std::nullopt);
  EXPECT_EQ(verdict.span_class, SpanClass::kDifferent);
  EXPECT_EQ(Property(verdict, "run"), "b1/decode#7");
  EXPECT_EQ(Property(verdict, "compared"), "3");
  ASSERT_EQ(verdict.findings.size(), 2u);
  EXPECT_THAT(verdict.findings[0], HasSubstr("b1/decode#7"));
}

TEST(SpanVerdict, FindingReadsFromPlaceToSmallestTolerance) {
  SpanEvidence evidence = SpanOf(Off(0.05, 0.25, 4096, 21));
  evidence.comparisons[0].worst_values = {"0.5", "0.75"};
  const Verdict verdict = JudgeSpan(evidence, Exact(), std::nullopt);
  EXPECT_EQ(
      verdict.findings.at(0),
      "decode_layer0_attention, b1/decode#0, rank 0, attn[1, 5]: different; differs in 1 of 64 "
      "elements, got reference 0.5, candidate 0.75: max |d| 0.25, nrmse 0.05, 4096 ulp, "
      "allowed every bit (the reference repeats this bit for bit on rank 0 over 3 pairs), "
      "smallest tolerance that passes: nrmse 0.05 or max_ulp 4096");
}

TEST(SpanVerdict, SmallestToleranceReallyPasses) {
  const SpanEvidence evidence = SpanOf(Off(0.1 + 0.2, 1, 77));
  const Verdict verdict = JudgeSpan(evidence, Exact(), std::nullopt);
  const std::string& text = verdict.findings.at(0);
  const double nrmse = std::stod(text.substr(text.rfind("nrmse ") + 6));
  const auto judge = [&](std::optional<double> limit, std::optional<std::uint64_t> ulp) {
    return JudgeSpan(evidence, Waiving(Exact(), limit, ulp), std::nullopt).outcome;
  };
  EXPECT_EQ(judge(nrmse, std::nullopt), Outcome::kWaived);
  EXPECT_EQ(judge(std::nextafter(nrmse, 0), std::nullopt), Outcome::kFail);
  EXPECT_EQ(judge(std::nullopt, 77), Outcome::kWaived);
  EXPECT_EQ(judge(std::nullopt, 76), Outcome::kFail);
}

TEST(SpanVerdict, TellsTheNumbersAsProperties) {
  const Verdict verdict =
      JudgeSpan(Span({Comparison(Off(0.5, 0.25, 9), 1, "b3/decode#2")}), Exact(), std::nullopt);
  EXPECT_EQ(Property(verdict, "worst_ulp"), "9");
  EXPECT_EQ(Property(verdict, "nrmse"), "0.5");
  EXPECT_EQ(Property(verdict, "max_abs"), "0.25");
  EXPECT_EQ(Property(verdict, "rank"), "1");
  EXPECT_EQ(Property(verdict, "run"), "b3/decode#2");
  EXPECT_EQ(Property(verdict, "repeats"), "exact");
  EXPECT_EQ(Property(verdict, "expected"), "1");
}

TEST(SpanVerdict, IsHybridIfAnyComparisonIs) {
  EXPECT_EQ(JudgeSpan(HybridSpan(Same()), Exact(), std::nullopt).exact, false);
  EXPECT_EQ(JudgeSpan(SpanOf(Same()), Exact(), std::nullopt).exact, true);
  SpanEvidence unmeasured = SpanOf(Same());
  unmeasured.comparisons[0].spread = Spread{};
  EXPECT_EQ(JudgeSpan(unmeasured, Exact(), std::nullopt).exact, std::nullopt);
}

TEST(SpanVerdict, NotesAreFindings) {
  SpanEvidence evidence = SpanOf(Same());
  evidence.notes = {"poison is not available: the engine is tap only"};
  EXPECT_THAT(AllFindings(JudgeSpan(evidence, Exact(), std::nullopt)),
              HasSubstr("note: poison is not available"));
}

TEST(JudgedEndToEnd, CarriesTheProgramsVerdict) {
  const SpanEvidence evidence = SpanOf(Off(0.05, 1));
  const auto judge = [&](Outcome outcome) {
    return JudgeSpan(evidence, EndToEnd(), Whole(outcome, "every KL within")).outcome;
  };
  EXPECT_EQ(judge(Outcome::kPass), Outcome::kPass);
  EXPECT_EQ(judge(Outcome::kPassStar), Outcome::kPassStar);
  EXPECT_EQ(judge(Outcome::kWaived), Outcome::kWaived);
  EXPECT_EQ(judge(Outcome::kFail), Outcome::kFail);
  EXPECT_EQ(judge(Outcome::kInconclusive), Outcome::kInconclusive);
  EXPECT_EQ(judge(Outcome::kError), Outcome::kError);
  EXPECT_EQ(judge(Outcome::kNotCompared), Outcome::kNotCompared);
  EXPECT_EQ(judge(Outcome::kBlocked), Outcome::kInconclusive);
  EXPECT_EQ(judge(Outcome::kSelf), Outcome::kInconclusive);
}

TEST(JudgedEndToEnd, SaysSo) {
  Verdict whole = Whole(Outcome::kPass, "every KL within 0.01 nats");
  SetProperty(whole, "kl", "0.002");
  SetProperty(whole, "rule", "6");
  const Verdict verdict = JudgeSpan(SpanOf(Off(0.05, 1)), EndToEnd(), whole);
  EXPECT_THAT(verdict.summary, HasSubstr("judged end to end: PASS every KL within 0.01 nats"));
  EXPECT_EQ(Property(verdict, "kl"), "0.002");
  EXPECT_EQ(Property(verdict, "rule"), "6");
}

TEST(JudgedEndToEnd, WithoutAVerdictIsNotCompared) {
  const Verdict verdict = JudgeSpan(SpanOf(Off(0.05, 1)), EndToEnd(), std::nullopt);
  EXPECT_EQ(verdict.outcome, Outcome::kNotCompared);
  EXPECT_THAT(verdict.summary, HasSubstr("was not judged end to end"));
}

TEST(JudgedEndToEnd, IsNeededOnlyForDifferent) {
  EXPECT_TRUE(NeedsEndToEnd(SpanOf(Off(0.05, 1)), EndToEnd()));
  EXPECT_FALSE(NeedsEndToEnd(SpanOf(Off(0.05, 1)), Exact()));
  EXPECT_FALSE(NeedsEndToEnd(SpanOf(Same()), EndToEnd()));
  EXPECT_FALSE(NeedsEndToEnd(SpanOf(NanOnly(true)), EndToEnd()));
  EXPECT_FALSE(NeedsEndToEnd(SpanOf(Off(0.05, 1)), Waiving(EndToEnd(), 1, {})));
  SpanEvidence dead = SpanOf(Off(0.05, 1));
  dead.death = Died(Death::Cause::kSignal, "signal SIGABRT");
  EXPECT_FALSE(NeedsEndToEnd(dead, EndToEnd()));
}

TEST(Ledger, NothingComparedIsNeverAPass) {
  SpanEvidence evidence = Span({});
  const Verdict verdict = JudgeSpan(evidence, Exact(), {});
  EXPECT_EQ(verdict.outcome, Outcome::kNotCompared);
  EXPECT_EQ(verdict.span_class, std::nullopt);
  EXPECT_EQ(verdict.summary, "nothing was compared");
}

TEST(Ledger, AComparisonOfNoElementIsNoIdentity) {
  const Verdict verdict =
      JudgeSpan(Span({Comparison(Same()), Comparison(Same(0), 1)}), Exact(), {});
  EXPECT_EQ(verdict.outcome, Outcome::kNotCompared);
  EXPECT_THAT(verdict.summary, AllOf(HasSubstr("no element was compared"), HasSubstr("rank 1")));
  EXPECT_EQ(JudgeSpan(SpanOf(Same(0)), Exact(), {}).span_class, std::nullopt);
}

TEST(Ledger, FewerThanExpectedIsNotCompared) {
  SpanEvidence evidence = SpanOf(Same());
  evidence.expected = 4;
  const Verdict verdict = JudgeSpan(evidence, EndToEnd(), Whole(Outcome::kPass));
  EXPECT_EQ(verdict.outcome, Outcome::kNotCompared);
  EXPECT_EQ(verdict.summary, "only 1 of 4 comparisons took place");
}

TEST(Ledger, TheSameThingTwiceCountsOnce) {
  const Verdict verdict = JudgeSpan(Span({Comparison(Same()), Comparison(Same())}), Exact(), {});
  EXPECT_EQ(verdict.outcome, Outcome::kNotCompared);
  EXPECT_EQ(verdict.compared, 1u);
}

TEST(Ledger, ADifferenceThatWasSeenFailsWhateverIsMissing) {
  SpanEvidence evidence = SpanOf(Off(0.05, 1));
  evidence.expected = 4;
  EXPECT_EQ(JudgeSpan(evidence, Exact(), {}).outcome, Outcome::kFail);
  EXPECT_EQ(JudgeSpan(evidence, EndToEnd(), Whole(Outcome::kPass)).outcome, Outcome::kNotCompared);
}

TEST(Ledger, ADeathExplainsWhatIsMissing) {
  SpanEvidence evidence = SpanOf(Same());
  evidence.expected = 4;
  evidence.death = Died(Death::Cause::kSignal, "signal SIGKILL");
  const Verdict verdict = JudgeSpan(evidence, EndToEnd(), Whole(Outcome::kPass));
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.summary, HasSubstr("signal SIGKILL"));
  EXPECT_EQ(Property(verdict, "rank"), "1");
  EXPECT_EQ(Property(verdict, "run"), "b1/decode#3");
}

SpanEvidence SharedViolation() {
  SpanEvidence evidence = SpanOf(Same());
  evidence.comparisons[0].domain = Outside(600);
  return evidence;
}

TEST(SpanStar, TheReferencesOwnValueOutsideItsDomain) {
  const Verdict verdict = JudgeSpan(SharedViolation(), Exact(), {});
  EXPECT_EQ(verdict.outcome, Outcome::kPassStar);
  EXPECT_EQ(verdict.span_class, SpanClass::kBroken);
  EXPECT_THAT(verdict.summary, StartsWith("the reference fails the same way"));
}

TEST(SpanStar, DoesNotCoverAnythingElse) {
  SpanEvidence other = SharedViolation();
  other.comparisons.push_back(Comparison(Off(0.05, 1), 1));
  other.expected = 2;
  const Verdict verdict = JudgeSpan(other, Exact(), {});
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  SpanEvidence empty = SharedViolation();
  empty.comparisons[0].stats = Same(0);
  EXPECT_EQ(JudgeSpan(empty, Exact(), {}).outcome, Outcome::kFail);
}

TEST(SpanStar, NamesTheFailureThatIsTheCandidatesAlone) {
  SpanEvidence evidence = SharedViolation();
  evidence.comparisons.push_back(Comparison(Same(), 1));
  evidence.comparisons[1].missing_writes = 2;
  evidence.expected = 2;
  const Verdict verdict = JudgeSpan(evidence, Exact(), {});
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.summary, HasSubstr("2 elements not written"));
  EXPECT_THAT(verdict.summary, Not(HasSubstr("domain")));
}

// Ran on something else than the reference: neither right nor wrong, in both modes.
TEST(SpanVerdict, WhatCannotBeRestoredIsNotCompared) {
  SpanEvidence evidence = Span({});
  evidence.expected = 1;
  evidence.not_restored = {{1, "b1/decode#0", "h", "h[3, 17] is 1.1, which bf16 does not hold"}};
  for (const Rules& rules : {Exact(), EndToEnd()}) {
    const Verdict verdict = JudgeSpan(evidence, rules, Whole(Outcome::kPass));
    EXPECT_EQ(verdict.outcome, Outcome::kNotCompared);
    EXPECT_THAT(verdict.summary,
                AllOf(HasSubstr("b1/decode#0, rank 1, h: the candidate cannot be put as the "
                                "reference was: h[3, 17] is 1.1, which bf16 does not hold")));
    EXPECT_THAT(AllFindings(verdict), HasSubstr("which bf16 does not hold"));
  }
}

}  // namespace
}  // namespace parity
