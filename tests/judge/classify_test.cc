// What excuses a difference and what never does: docs/design.md, section 8.
#include "gtest_parity/judge/classify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/judge/evidence_builder.h"

namespace parity {
namespace {

using namespace parity::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(WithinSpread, BothDistancesMustBeInside) {
  EXPECT_EQ(JudgeSpan(HybridSpan(Off(0.02, 1.0)), Exact(), {}).span_class,
            SpanClass::kWithinSpread);
  EXPECT_EQ(JudgeSpan(HybridSpan(Off(0.0201, 1.0)), Exact(), {}).span_class, SpanClass::kDifferent);
  const Verdict far = JudgeSpan(HybridSpan(Off(0.02, 1.01)), Exact(), {});
  EXPECT_EQ(far.outcome, Outcome::kFail);
  EXPECT_THAT(far.summary, HasSubstr("allowed nrmse 0.02 and |d| 1 (2 x the reference's distance "
                                     "from itself on rank 0 over 28 pairs)"));
}

TEST(WithinSpread, FactorIsTheRules) {
  Rules rules = Exact();
  rules.spread_factor = 1;
  EXPECT_EQ(JudgeSpan(HybridSpan(Off(0.02, 0.1)), rules, {}).span_class, SpanClass::kDifferent);
}

TEST(WithinSpread, NeverExcusesNaN) {
  const Verdict reference_only = JudgeSpan(HybridSpan(NanOnly(false)), Exact(), {});
  EXPECT_EQ(reference_only.span_class, SpanClass::kDifferent);
  EXPECT_THAT(reference_only.summary, AllOf(HasSubstr("NaN only in the reference in 1 element"),
                                            HasSubstr("no tolerance would have passed it")));
  EXPECT_EQ(JudgeSpan(HybridSpan(NanOnly(true)), Exact(), {}).span_class, SpanClass::kBroken);
}

TEST(WithinSpread, NeverExcusesInfinity) {
  const auto judge = [](std::uint64_t ElementStats::*whose) {
    return JudgeSpan(HybridSpan(Infinite(whose)), Exact(), {});
  };
  EXPECT_EQ(judge(&ElementStats::infinity_only_candidate).span_class, SpanClass::kBroken);
  EXPECT_EQ(judge(&ElementStats::infinity_opposite).span_class, SpanClass::kBroken);
  const Verdict reference_only = judge(&ElementStats::infinity_only_reference);
  EXPECT_EQ(reference_only.span_class, SpanClass::kDifferent);
  EXPECT_THAT(reference_only.summary,
              AllOf(HasSubstr("infinity only in the reference in 1 element"),
                    HasSubstr("no tolerance would have passed it")));
}

TEST(WithinSpread, NeverExcusesMissingOrOutsideWrites) {
  SpanEvidence missing = HybridSpan(Off(0.001, 0.001));
  missing.comparisons[0].missing_writes = 1;
  EXPECT_EQ(JudgeSpan(missing, Exact(), {}).outcome, Outcome::kFail);
  SpanEvidence outside = HybridSpan(Off(0.001, 0.001));
  outside.outside = {{.run = "b1/decode#0", .tensor = "kv", .bytes = 1}};
  EXPECT_EQ(JudgeSpan(outside, Exact(), {}).outcome, Outcome::kFail);
}

TEST(WithinSpread, NeverExcusesIntegersOrBytes) {
  for (const DType dtype : {DType::kI32, DType::kU8, DType::kI64, DType::kBool, DType::kBytes}) {
    SpanEvidence evidence = HybridSpan(Off(1e-9, 1e-9, 1));
    evidence.comparisons[0].dtype = dtype;
    const Verdict verdict = JudgeSpan(evidence, Exact(), {});
    EXPECT_EQ(verdict.outcome, Outcome::kFail) << NameOf(dtype);
    EXPECT_THAT(verdict.summary, HasSubstr("spread never excuses " + std::string(NameOf(dtype))));
  }
}

TEST(WithinSpread, IsPerComparisonSoOneRankCannotExcuseAnother) {
  TensorComparison noisy = Comparison(Off(0.01, 0.5), 0);
  noisy.spread = Hybrid(0.01, 0.5);
  const TensorComparison wrong = Comparison(Off(0.01, 0.5), 1);
  const Verdict verdict = JudgeSpan(Span({noisy, wrong}), Exact(), {});
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_EQ(Property(verdict, "rank"), "1");
  EXPECT_THAT(verdict.summary,
              AllOf(HasSubstr("rank 1, attn"), HasSubstr("bit for bit on rank 1")));
}

TEST(WithinSpread, NeedsAMeasuredFiniteSpread) {
  SpanEvidence unmeasured = HybridSpan(Off(0.001, 0.001));
  unmeasured.comparisons[0].spread.measured = false;
  const Verdict verdict = JudgeSpan(unmeasured, Exact(), {});
  EXPECT_EQ(verdict.span_class, SpanClass::kDifferent);
  EXPECT_THAT(verdict.summary, HasSubstr("the reference's spread was not measured on rank 0"));
  SpanEvidence infinite = HybridSpan(Off(0.001, 0.001));
  infinite.comparisons[0].spread = Hybrid(kInfinity, 1);
  EXPECT_EQ(JudgeSpan(infinite, Exact(), {}).span_class, SpanClass::kDifferent);
}

TEST(WithinSpread, BitwiseIsDemandedWhereTheReferenceIsBitwise) {
  SpanEvidence evidence = SpanOf(Off(1e-12, 1e-12, 1));
  EXPECT_EQ(JudgeSpan(evidence, Exact(), {}).outcome, Outcome::kFail);
}

TEST(ValueIdentical, IsForFloatingNumbersOnly) {
  SpanEvidence evidence = SpanOf(SignedZero());
  evidence.comparisons[0].dtype = DType::kI64;
  EXPECT_EQ(JudgeSpan(evidence, Exact(), {}).span_class, SpanClass::kDifferent);
}

TEST(SelfDifference, IsAFindingWhereTheReferenceIsExact) {
  SpanEvidence evidence = SpanOf(Same());
  evidence.comparisons[0].self_differs = true;
  const Verdict verdict = JudgeSpan(evidence, Exact(), {});
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_EQ(verdict.span_class, SpanClass::kDifferent);
  EXPECT_THAT(verdict.summary,
              HasSubstr("the candidate differs from itself, the reference does not"));
  const Rules generous = Waiving(Exact(), 1e9, std::nullopt);
  EXPECT_EQ(JudgeSpan(evidence, generous, {}).outcome, Outcome::kFail);
}

TEST(SelfDifference, IsExpectedWhereTheReferenceIsHybrid) {
  SpanEvidence evidence = HybridSpan(Off(0.01, 0.5));
  evidence.comparisons[0].self_differs = true;
  EXPECT_EQ(JudgeSpan(evidence, Exact(), {}).outcome, Outcome::kPass);
}

TEST(Tolerance, BothLimitsMustHold) {
  const SpanEvidence evidence = SpanOf(Off(0.05, 1, 100));
  const auto judge = [&](std::optional<double> nrmse, std::optional<std::uint64_t> ulp) {
    return JudgeSpan(evidence, Waiving(Exact(), nrmse, ulp), {}).outcome;
  };
  EXPECT_EQ(judge(0.05, 100), Outcome::kWaived);
  EXPECT_EQ(judge(0.05, 99), Outcome::kFail);
  EXPECT_EQ(judge(0.049, 100), Outcome::kFail);
  EXPECT_EQ(judge(std::nullopt, std::nullopt), Outcome::kFail);
}

TEST(Tolerance, CountsOnItsLastDayAndNotAfter) {
  const SpanEvidence evidence = SpanOf(Off(0.05, 1));
  EXPECT_EQ(JudgeSpan(evidence, Waiving(Exact(), 1, {}, "2030-06-15"), {}).outcome,
            Outcome::kWaived);
  const Verdict expired = JudgeSpan(evidence, Waiving(Exact(), 1, {}, "2030-06-14"), {});
  EXPECT_EQ(expired.outcome, Outcome::kFail);
  EXPECT_THAT(expired.summary, HasSubstr("\"vendor kernel\" expired on 2030-06-14"));
}

TEST(Tolerance, IsNotInForceWithoutProperDates) {
  const SpanEvidence evidence = SpanOf(Off(0.05, 1));
  EXPECT_EQ(JudgeSpan(evidence, Waiving(Exact(), 1, {}, ""), {}).outcome, Outcome::kFail);
  EXPECT_EQ(JudgeSpan(evidence, Waiving(Exact(), 1, {}, "2031-6-1"), {}).outcome, Outcome::kFail);
  Rules rules = Waiving(Exact(), 1, {});
  rules.today.clear();
  const Verdict verdict = JudgeSpan(evidence, rules, {});
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.summary, HasSubstr("not in force"));
}

TEST(Tolerance, NamesItsTensorOrAll) {
  const SpanEvidence evidence = SpanOf(Off(0.05, 1));
  EXPECT_EQ(JudgeSpan(evidence, Waiving(Exact(), 1, {}, "2030-12-31", "kv"), {}).outcome,
            Outcome::kFail);
  EXPECT_EQ(JudgeSpan(evidence, Waiving(Exact(), 1, {}, "2030-12-31", ""), {}).outcome,
            Outcome::kWaived);
}

TEST(Tolerance, NeverExcusesNaNOrBytes) {
  const Rules rules = Waiving(Exact(), 1e9, 1u << 30);
  EXPECT_EQ(JudgeSpan(SpanOf(NanOnly(false)), rules, {}).outcome, Outcome::kFail);
  SpanEvidence bytes = SpanOf(Off(0.01, 1));
  bytes.comparisons[0].dtype = DType::kBytes;
  const Verdict verdict = JudgeSpan(bytes, rules, {});
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.summary, HasSubstr("no tolerance applies to bytes"));
}

TEST(Tolerance, DoesNotWaiveABrokenSpan) {
  SpanEvidence evidence = SpanOf(Off(0.01, 1));
  evidence.comparisons[0].missing_writes = 1;
  EXPECT_EQ(JudgeSpan(evidence, Waiving(Exact(), 1e9, {}), {}).outcome, Outcome::kFail);
}

}  // namespace
}  // namespace parity
