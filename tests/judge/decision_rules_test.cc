// How discrete choices are judged, end to end and inside a span: docs/design.md, section 8.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/judge/evidence_builder.h"

namespace parity {
namespace {

using namespace parity::testing;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

const char kRun[] = "b1/decode#0";
const char kServedElsewhere[] = "router_ids of b1/decode#0, which differs";

// One expert of four rows is not the reference's: 1 -> 3, that far apart by the reference's scores.
DecisionComparison Decision(std::vector<double> margins, std::string tensor = "router_ids") {
  DecisionComparison decision;
  decision.values = Final(Same(4), std::move(tensor));
  decision.scores = "router_scores";
  decision.flips.compared = 4;
  for (std::uint64_t i = 0; i < margins.size(); ++i) {
    decision.flips.flips.push_back({i, 1, 3, margins[i]});
  }
  decision.values.stats.different = margins.size();
  return decision;
}

// Rows, outputs and all decisions but those given are the reference's; it repeats bit for bit.
EndToEndEvidence Deciding(std::vector<DecisionComparison> served,
                          std::vector<DecisionComparison> forced) {
  const FreeRunEvidence same = {{Rows({Row(0), Row(0)})}, {Final(Same())}, {}};
  EndToEndEvidence evidence = Program(same);
  evidence.expected_decisions = served.size();
  evidence.candidate.decisions = std::move(served);
  for (FreeRunEvidence& repeat : evidence.reference) {
    for (const DecisionComparison& made : evidence.candidate.decisions) {
      repeat.decisions.push_back(Decision({}, made.values.tensor));
    }
  }
  if (!forced.empty()) {
    evidence.forced = same;
    evidence.forced->decisions = std::move(forced);
    evidence.candidate.rows[0].after = evidence.candidate.finals[0].after = kServedElsewhere;
  }
  return evidence;
}

EndToEndEvidence Flipped(double margin) {
  return Deciding({Decision({margin})}, {Decision({margin})});
}

EndToEndEvidence WithScoreSpread(EndToEndEvidence evidence, double distance) {
  MakeNoisy(evidence, 1e-9);
  for (FreeRunEvidence& repeat : evidence.reference) {
    for (DecisionComparison& decision : repeat.decisions) decision.score_distance = distance;
  }
  return evidence;
}

Rules Margin(double margin) {
  Rules rules = EndToEnd();
  rules.margin = margin;
  return rules;
}

void Expect(const EndToEndEvidence& evidence, const Rules& rules, Outcome outcome,
            const std::string& rule, const std::string& text) {
  const Verdict verdict = JudgeEndToEnd(evidence, rules);
  EXPECT_EQ(verdict.outcome, outcome) << verdict.summary;
  EXPECT_EQ(Property(verdict, "rule"), rule) << verdict.summary;
  EXPECT_THAT(verdict.summary, HasSubstr(text));
}

TEST(DecisionRules, SameChoicesPass) {
  const EndToEndEvidence evidence = Deciding({Decision({})}, {});
  Expect(evidence, Exact(), Outcome::kPass, "2", "identical");
  Expect(evidence, EndToEnd(), Outcome::kPass, "6", "identical");
  EXPECT_EQ(JudgeEndToEnd(evidence, Exact()).compared, 4u) << "2 rows, an output, a decision";
}

TEST(DecisionRules, ATieIsListedAndPasses) {
  Expect(Flipped(0), EndToEnd(), Outcome::kPass, "6", "identical");
  const Verdict verdict = JudgeEndToEnd(Flipped(0), EndToEnd());
  EXPECT_THAT(verdict.findings,
              Contains(AllOf(HasSubstr("tie: decode, b1/decode#0, rank 0, router_ids[#0]: 1 -> 3"),
                             HasSubstr("margin 0 in router_scores"))));
  EXPECT_EQ(Property(verdict, "decision_ties"), "1");
  EXPECT_EQ(Property(verdict, "forced"), "yes");
}

TEST(DecisionRules, BeyondTheMarginFailsWhateverTheLogitsSay) {
  Expect(Flipped(1e-6), EndToEnd(), Outcome::kFail, "decision",
         "1 choice beyond the reference's own margin: b1/decode#0, rank 0, router_ids[#0]: 1 -> 3, "
         "margin 1e-06 in router_scores, allowed 0 (the reference's scores repeat bit for bit), "
         "smallest judge.margin that passes: 1e-06");
  Expect(Flipped(-1e-6), EndToEnd(), Outcome::kFail, "decision", "margin -1e-06");
  Expect(Flipped(kInfinity), Margin(10), Outcome::kFail, "decision",
         "no margin would have passed it");
}

TEST(DecisionRules, TheWidestFlipIsToldFirst) {
  const EndToEndEvidence evidence =
      Deciding({Decision({0.1, 0.3, 0.2})}, {Decision({0.1, 0.3, 0.2})});
  Expect(evidence, EndToEnd(), Outcome::kFail, "decision", "router_ids[#1]");
}

TEST(DecisionRules, TheDeclaredMarginIsForKernelSwapsOnly) {
  Expect(Flipped(0.01), Margin(0.01), Outcome::kPass, "6", "identical");
  Expect(Flipped(0.011), Margin(0.01), Outcome::kFail, "decision", "allowed 0.01 (judge.margin)");
  Rules exact = Margin(0.01);
  exact.exact = true;
  Expect(Flipped(0.01), exact, Outcome::kFail, "decision", "allowed 0 ");
}

TEST(DecisionRules, TheReferencesSpreadIsAllowed) {
  const auto judged = [](double margin) { return WithScoreSpread(Flipped(margin), 0.01); };
  Expect(judged(0.02), EndToEnd(), Outcome::kPass, "6", "identical");
  Expect(judged(0.02), Exact(), Outcome::kPass, "7", "no further than the reference from itself");
  Expect(judged(0.021), Exact(), Outcome::kFail, "decision",
         "allowed 0.02 (2 x the scores' distance between its repeats)");
}

TEST(DecisionRules, ASpreadFromARepeatThatWentElsewhereDoesNotCount) {
  EndToEndEvidence evidence = Flipped(0.02);
  MakeNoisy(evidence, 1e-9);
  for (FreeRunEvidence& repeat : evidence.reference) {
    DecisionComparison parted = Decision({0}, "draft");
    DecisionComparison later = Decision({});
    later.score_distance = 5;
    repeat.decisions = {parted, later};
  }
  Expect(evidence, EndToEnd(), Outcome::kFail, "decision", "allowed 0 ");
}

TEST(DecisionRules, ExactDemandsEveryBitOfAReferenceThatRepeats) {
  Expect(Flipped(0), Exact(), Outcome::kFail, "2", "router_ids[#0]: 1 -> 3, margin 0");
}

TEST(DecisionRules, WithoutScoresIsInconclusive) {
  DecisionComparison unscored = Decision({kInfinity});
  unscored.scores = "";
  unscored.unscored = "the reference declares none";
  const EndToEndEvidence evidence = Deciding({unscored}, {unscored});
  Expect(evidence, EndToEnd(), Outcome::kInconclusive, "decision",
         "1 other choice: b1/decode#0, rank 0, router_ids[#0]: 1 -> 3, without scores: the "
         "reference declares none");
  Expect(evidence, Exact(), Outcome::kFail, "2", "without scores");
}

TEST(DecisionRules, ADomainViolationFailsBeforeAnythingElse) {
  DecisionComparison outside = Decision({kInfinity});
  outside.values.domain = {.count = 1, .first_index = 0, .first_value = 7, .min = 0, .max = 3};
  for (const bool forced_too : {false, true}) {
    const EndToEndEvidence evidence =
        Deciding({outside}, forced_too ? std::vector{outside} : std::vector{Decision({0})});
    Expect(evidence, EndToEnd(), Outcome::kFail, "1",
           "router_ids: 1 element outside the domain [0, 3], first 7");
    const Verdict verdict = JudgeEndToEnd(evidence, EndToEnd());
    EXPECT_EQ(std::count(verdict.findings.begin(), verdict.findings.end(), verdict.summary), 1);
  }
}

TEST(DecisionRules, RowsAfterOneThatCannotBeForcedAreInconclusive) {
  const std::string after = "router_ids of b1/decode#0, which differs and cannot be forced: fused";
  EndToEndEvidence evidence = Flipped(0);
  evidence.forced->rows[0] = Rows({Row(5, true), Row(5, true)});  // wild, but not comparable
  evidence.forced->rows[0].after = evidence.forced->finals[0].after = after;
  Expect(evidence, EndToEnd(), Outcome::kInconclusive, "decision",
         "3 comparisons not judged, as they come after " + after);
  evidence.forced->finals[0].stats = Off(1, 1);
  EXPECT_THAT(JudgeEndToEnd(evidence, EndToEnd()).findings,
              Not(Contains(HasSubstr("next_token: differs"))))
      << "what is not comparable is no finding";
  EXPECT_THAT(JudgeEndToEnd(evidence, EndToEnd()).findings, Contains(HasSubstr(after)));
}

TEST(DecisionRules, LaterChoicesAreNotHeldAgainstACandidateThatWasLedElsewhere) {
  DecisionComparison later = Decision({5}, "later");
  later.values.after = "router_ids of b1/decode#0";
  DecisionComparison served = Decision({5}, "later");
  served.values.after = kServedElsewhere;
  const EndToEndEvidence evidence = Deciding({Decision({0}), served}, {Decision({0}), later});
  Expect(evidence, EndToEnd(), Outcome::kInconclusive, "decision", "1 comparison not judged");
}

TEST(DecisionRules, RowsOfTheForcedRunDecide) {
  EndToEndEvidence evidence = Flipped(0);
  evidence.candidate.rows[0] = Rows({Row(5, true), Row(0)});
  evidence.candidate.rows[0].after = kServedElsewhere;
  Expect(evidence, EndToEnd(), Outcome::kPass, "6", "2 rows of logits identical");
  evidence.forced->rows[0] = Rows({Row(5, true), Row(0)});
  Expect(evidence, EndToEnd(), Outcome::kFail, "3", "argmax flip");
}

// A captured graph that computes otherwise than the ops do one by one.
TEST(DecisionRules, WhatWasServedBeforeTheFirstFlipIsJudgedThoughTheForcedRunIsClean) {
  EndToEndEvidence evidence = Flipped(0);
  FreeRunEvidence earlier = {{Rows({Row(5, true)}, 0, "b1/prefill#0")}, {}, {}};
  evidence.candidate.rows.push_back(earlier.rows[0]);
  earlier.rows[0] = Rows({Row(0)}, 0, "b1/prefill#0");
  evidence.forced->rows.push_back(earlier.rows[0]);
  for (FreeRunEvidence& repeat : evidence.reference) repeat.rows.push_back(earlier.rows[0]);
  evidence.expected_rows += 1;
  Expect(evidence, EndToEnd(), Outcome::kFail, "3", "b1/prefill#0");
}

TEST(DecisionRules, AChoiceAsServedIsJudgedThoughTheForcedRunMakesTheReferences) {
  Expect(Deciding({Decision({0.5})}, {Decision({})}), EndToEnd(), Outcome::kFail, "decision",
         "margin 0.5");
  Expect(Deciding({Decision({0})}, {Decision({})}), Exact(), Outcome::kFail, "2",
         "router_ids[#0]: 1 -> 3");
}

TEST(DecisionRules, DamageAsServedFailsThoughTheForcedRunIsClean) {
  EndToEndEvidence evidence = Flipped(0);
  evidence.candidate.rows[0].nonfinite_candidate_only = 1;
  Expect(evidence, EndToEnd(), Outcome::kFail, "1", "NaN or infinity only in the candidate");
}

// Choices of the next token: 5 -> 7 in the second row, as the logits have it or not.
EndToEndEvidence NextTokens(double kl, std::int64_t candidate) {
  DecisionComparison choice = Decision({}, "choice");
  choice.scores = "logits";
  choice.flips = {2, {{1, 5, candidate, 0.25}}};
  choice.values.stats.different = 1;
  EndToEndEvidence evidence = Deciding({choice}, {choice});
  evidence.forced->rows[0] = Rows({Row(0), Row(kl, true)});
  evidence.candidate.rows[0] = evidence.forced->rows[0];  // what the choice was taken from
  return evidence;
}

TEST(DecisionRules, ChoicesFromLogitsAreJudgedAsTheirRowsAre) {
  Expect(NextTokens(0.009, 7), EndToEnd(), Outcome::kPass, "6", "1 tie");
  Expect(NextTokens(0.02, 7), EndToEnd(), Outcome::kFail, "3", "argmax flip");
  Expect(NextTokens(0.009, 6), EndToEnd(), Outcome::kFail, "decision", "5 -> 6, margin 0.25");
}

TEST(DecisionRules, ADecisionThatWasNotComparedIsMissed) {
  EndToEndEvidence evidence = Deciding({Decision({})}, {});
  evidence.candidate.decisions.clear();
  Expect(evidence, EndToEnd(), Outcome::kNotCompared, "ledger", "0 of 1 decision were compared");
  evidence.expected_decisions = 0;
  Expect(evidence, EndToEnd(), Outcome::kPass, "6", "identical");
}

// The same in a span, whose inputs are the reference's.
SpanEvidence ChoosingSpan(double margin, const std::string& unscored = "") {
  TensorComparison comparison = Comparison(Off(0, 2, 2, 5), 0, kRun, "router_ids");
  comparison.dtype = DType::kI32;
  comparison.choices = ChoiceComparison{
      {64, {{5, 1, 3, margin}}}, unscored.empty() ? "router_scores" : "", unscored, {}};
  return Span({comparison});
}

SpanEvidence Unsteady(SpanEvidence evidence, double scores) {
  evidence.comparisons[0].spread = Hybrid(1, 3);
  evidence.comparisons[0].choices->spread = Hybrid(0.01, scores);
  return evidence;
}

TEST(DecisionInASpan, TieIsWithinTheSpreadOfAKernelSwap) {
  const Verdict verdict = JudgeSpan(ChoosingSpan(0), EndToEnd(), {});
  EXPECT_EQ(verdict.outcome, Outcome::kPass) << verdict.summary;
  EXPECT_EQ(verdict.span_class, SpanClass::kWithinSpread);
  EXPECT_THAT(verdict.findings,
              Contains(AllOf(HasSubstr("tie: 1 other choice, widest at [0, 5]: 1 -> 3, margin 0 in "
                                       "router_scores"),
                             HasSubstr("allowed margin 0"))));
  EXPECT_FALSE(NeedsEndToEnd(ChoosingSpan(0), EndToEnd()));
}

TEST(DecisionInASpan, BeyondFailsWhateverTheLogitsSay) {
  const Verdict verdict = JudgeSpan(ChoosingSpan(0.5), EndToEnd(), Whole(Outcome::kPass));
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_EQ(verdict.span_class, SpanClass::kDifferent);
  EXPECT_THAT(verdict.summary,
              AllOf(HasSubstr("margin 0.5 in router_scores"), Not(HasSubstr("nrmse")),
                    HasSubstr("smallest judge.margin that passes: 0.5")));
  EXPECT_EQ(JudgeSpan(ChoosingSpan(0.5), Margin(0.5), {}).outcome, Outcome::kPass);
}

TEST(DecisionInASpan, WithoutScoresIsInconclusiveUnlessTheLogitsFail) {
  const SpanEvidence evidence = ChoosingSpan(kInfinity, "they lie inside the span");
  const Verdict verdict = JudgeSpan(evidence, EndToEnd(), Whole(Outcome::kPass));
  EXPECT_EQ(verdict.outcome, Outcome::kInconclusive);
  EXPECT_THAT(verdict.summary, HasSubstr("without scores: they lie inside the span"));
  SpanEvidence broken = evidence;
  broken.comparisons.push_back(Comparison(NanOnly(true)));
  broken.expected = 2;
  EXPECT_EQ(JudgeSpan(broken, EndToEnd(), {}).outcome, Outcome::kFail);
}

TEST(DecisionInASpan, ExactDemandsEveryBitOfAReferenceThatRepeats) {
  EXPECT_EQ(JudgeSpan(ChoosingSpan(0), Exact(), {}).outcome, Outcome::kFail);
  EXPECT_EQ(JudgeSpan(ChoosingSpan(kInfinity, "none"), Exact(), {}).outcome, Outcome::kFail);
}

TEST(DecisionInASpan, AReferenceThatDoesNotRepeatAllowsItsScoresSpread) {
  EXPECT_EQ(JudgeSpan(Unsteady(ChoosingSpan(0.2), 0.1), Exact(), {}).outcome, Outcome::kPass);
  EXPECT_EQ(JudgeSpan(Unsteady(ChoosingSpan(0.21), 0.1), Exact(), {}).outcome, Outcome::kFail);
  EXPECT_EQ(JudgeSpan(Unsteady(ChoosingSpan(kInfinity, "none"), 0.1), Exact(), {}).outcome,
            Outcome::kInconclusive);
}

TEST(DecisionInASpan, OutsideTheDomainIsBroken) {
  SpanEvidence evidence = ChoosingSpan(0);
  evidence.comparisons[0].domain = {
      .count = 1, .first_index = 5, .first_value = 7, .min = 0, .max = 3};
  const Verdict verdict = JudgeSpan(evidence, EndToEnd(), Whole(Outcome::kPass));
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_EQ(verdict.span_class, SpanClass::kBroken);
}

TEST(DecisionInASpan, ADeclaredToleranceWaives) {
  const Rules rules = Waiving(EndToEnd(), {}, 2, "2030-12-31", "router_ids");
  EXPECT_EQ(JudgeSpan(ChoosingSpan(0.5), rules, {}).outcome, Outcome::kWaived);
}

}  // namespace
}  // namespace parity
