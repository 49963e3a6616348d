// The nine rules, each sentence of them, and what surrounds them: docs/design.md, section 8.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/judge/evidence_builder.h"

namespace parity {
namespace {

using namespace parity::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;

EndToEndEvidence Identical() { return Program({{Rows({Row(0), Row(0)})}, {Final(Same())}}); }

// Rows differ by this KL; the output is the same.
EndToEndEvidence Drifted(double kl, bool flip = false) {
  return Program({{Rows({Row(0), Row(kl, flip)})}, {Final(Same())}});
}

EndToEndEvidence Noisy(EndToEndEvidence evidence, double kl, bool flip = false) {
  MakeNoisy(evidence, kl, flip);
  return evidence;
}

EndToEndEvidence With(EndToEndEvidence evidence,
                      const std::function<void(EndToEndEvidence&)>& change) {
  change(evidence);
  return evidence;
}

EndToEndEvidence NotRepeated(EndToEndEvidence evidence) {
  evidence.reference.clear();
  return evidence;
}

EndToEndEvidence WithoutLogits(EndToEndEvidence evidence) {
  evidence.expected_rows = 0;
  evidence.candidate.rows.clear();
  for (FreeRunEvidence& repeat : evidence.reference) repeat.rows.clear();
  return evidence;
}

// Outside [0, 511] at element 1.
FinalComparison BadToken(double value, std::uint64_t count = 1) {
  FinalComparison final = Final(Same());
  final.domain = {.count = count, .first_index = 1, .first_value = value, .min = 0, .max = 511};
  return final;
}

FinalComparison NanFinal(bool infinity) {
  ElementStats stats = Off(0, 0);
  (infinity ? stats.infinity_only_candidate : stats.nan_only_candidate) = 1;
  return Final(stats);
}

struct RuleCase {
  std::string name;
  Rules rules;
  EndToEndEvidence evidence;
  Outcome outcome;
  std::string rule;
  std::string text;  // in the summary
};

void PrintTo(const RuleCase& rule_case, std::ostream* out) { *out << rule_case.name; }

class EndToEndRules : public ::testing::TestWithParam<RuleCase> {};

TEST_P(EndToEndRules, FirstMatchWins) {
  const RuleCase& c = GetParam();
  const Verdict verdict = JudgeEndToEnd(c.evidence, c.rules);
  EXPECT_EQ(verdict.outcome, c.outcome) << verdict.summary;
  EXPECT_EQ(Property(verdict, "rule"), c.rule) << verdict.summary;
  EXPECT_THAT(verdict.summary, HasSubstr(c.text));
  EXPECT_EQ(Property(verdict, "outcome"), NameOf(c.outcome));
}

std::vector<RuleCase> Damaged() {
  const auto set = [](const std::function<void(EndToEndEvidence&)>& change) {
    return With(Identical(), change);
  };
  const auto kFail = Outcome::kFail;
  return {
      {"r1_domain", EndToEnd(), set([](auto& e) { e.candidate.finals = {BadToken(600)}; }), kFail,
       "1", "1 element outside the domain [0, 511], first 600"},
      {"r1_nan_final", EndToEnd(), set([](auto& e) { e.candidate.finals = {NanFinal(false)}; }),
       kFail, "1", "NaN only in the candidate in 1 element"},
      {"r1_infinite_final", EndToEnd(), set([](auto& e) { e.candidate.finals = {NanFinal(true)}; }),
       kFail, "1", "infinity only in the candidate, or of the other sign, in 1"},
      {"r1_nonfinite_logits", EndToEnd(),
       set([](auto& e) { e.candidate.rows[0].nonfinite_candidate_only = 2; }), kFail, "1",
       "NaN or infinity only in the candidate in 2 elements"},
      {"r1_nan_without_a_flip", EndToEnd(), set([](auto& e) {
         e.candidate.rows[0].rows[1] = Row(kInfinity);
         e.candidate.rows[0].rows[1].nan_candidate = 1;
       }),
       kFail, "1", "NaN in 1 row"},
      {"r1_before_a_noisy_reference", EndToEnd(),
       Noisy(set([](auto& e) { e.candidate.finals = {BadToken(-1)}; }), 5, true), kFail, "1",
       "first -1"},
      {"r1_before_undriven", EndToEnd(), set([](auto& e) {
         e.candidate.finals = {BadToken(600)};
         e.runs_driven = 0;
       }),
       kFail, "1", "outside the domain"},
      {"death", EndToEnd(),
       set([](auto& e) { e.death = Died(Death::Cause::kHang, "no answer within 2 s"); }), kFail,
       "death", "the candidate hung: no answer within 2 s, rank 1, b1/decode#3"},
  };
}

std::vector<RuleCase> ExactCases() {
  const auto changed_final = [](EndToEndEvidence evidence) {
    evidence.candidate.finals = {Final(Off(0.5, 3))};
    return evidence;
  };
  const auto kPass = Outcome::kPass, kFail = Outcome::kFail, kOpen = Outcome::kInconclusive;
  return {
      {"r2_identical", Exact(), Identical(), kPass, "2", "identical end to end: 2 rows, 1 output"},
      {"r2_rows_differ", Exact(), Drifted(1e-12), kFail, "2",
       "repeats bit for bit, the candidate's differs: worst KL 1e-12 nats"},
      {"r2_output_differs", Exact(), changed_final(Identical()), kFail, "2",
       "next_token differs in 1 of 64 elements, first at #5"},
      {"r2_to_r7_inside", Exact(), Noisy(Drifted(0.0039), 0.001), kPass, "7",
       "no further than the reference from itself"},
      {"r2_to_r7_outside", Exact(), Noisy(Drifted(0.0041), 0.001), kOpen, "9",
       "candidate: worst KL 0.0041 nats"},
      {"r2_kl_limit_is_no_excuse", Exact(), Noisy(Drifted(0.009), 1e-6), kOpen, "9",
       "reference against itself: worst KL 1e-06 nats, 0 flips in 2 rows, over 2 repeats"},
      {"r2_to_r3_confident_flip", Exact(), Noisy(Drifted(0.5, true), 0.001), kFail, "3",
       "argmax flip with KL above 0.01 nats: b1/decode#0, rank 0, logits row 1: argmax 5 -> 7"},
      {"r2_to_r7_flip_of_a_reference_that_flips", Exact(), Noisy(Drifted(0.5, true), 0.2, true),
       kPass, "7", "no further than the reference from itself"},
      {"r2_to_r9_flip_beyond_a_reference_that_flips", Exact(), Noisy(Drifted(0.5, true), 0.1, true),
       kOpen, "9", "candidate: worst KL 0.5 nats"},
      {"r2_not_repeated", Exact(), NotRepeated(Identical()), kOpen, "2",
       "the reference was not repeated"},
      {"r2_repeat_incomplete", Exact(),
       With(Identical(), [](auto& e) { e.reference[1].rows.clear(); }), kOpen, "2",
       "the reference was not repeated in full"},
      {"r2_empty_repeat_is_not_bitwise", Exact(),
       With(Drifted(1e-12), [](auto& e) { e.reference = {{}}; }), kOpen, "2",
       "the reference was not repeated in full"},
      {"r2_no_logits", Exact(), WithoutLogits(Identical()), kPass, "2", "identical end to end"},
      {"r2_undriven", Exact(), With(Identical(), [](auto& e) { e.runs_driven = 0; }), kOpen, "5",
       "is changed and the workload never drove it"},
  };
}

std::vector<RuleCase> FlipCases() {
  const auto explained = [](EndToEndEvidence evidence) {
    evidence.every_span_compared_in_every_run = evidence.every_span_identical = true;
    return evidence;
  };
  const auto kPass = Outcome::kPass, kFail = Outcome::kFail, kOpen = Outcome::kInconclusive;
  return {
      {"r3_steady_reference", EndToEnd(), Drifted(0.011, true), kFail, "3",
       "argmax flip with KL above 0.01 nats: b1/decode#0, rank 0, logits row 1: argmax 5 -> 7"},
      {"r3_hybrid_but_steady", EndToEnd(), Noisy(Drifted(0.5, true), 0.009), kFail, "3",
       "the reference repeats itself: worst KL 0.009"},
      {"r3_reference_kl_above", EndToEnd(), Noisy(Drifted(0.5, true), 0.011), kOpen, "3",
       "reference against itself: worst KL 0.011 nats"},
      {"r3_reference_flips", EndToEnd(), Noisy(Drifted(0.5, true), 0.001, true), kOpen, "3",
       "1 flip in 2 rows"},
      {"r3_reference_unknown", EndToEnd(), NotRepeated(Drifted(0.5, true)), kOpen, "3",
       "reference against itself: was not repeated"},
      {"r3_infinite_kl", EndToEnd(), Drifted(kInfinity, true), kFail, "3", "KL inf nats"},
      {"r3_kl_not_a_number", EndToEnd(), Drifted(kNan, true), kFail, "3", "KL inf nats"},
      {"r3_before_undriven", EndToEnd(),
       With(Drifted(0.5, true), [](auto& e) { e.runs_driven = 0; }), kFail, "3", "argmax flip"},
      {"r4_logits", EndToEnd(), explained(Drifted(1e-9)), kFail, "4",
       "unexplained end to end: every span is identical in every run, yet worst KL 1e-09"},
      {"r4_final", EndToEnd(),
       explained(With(Identical(), [](auto& e) { e.candidate.finals = {Final(Off(1, 1))}; })),
       kFail, "4", "next_token differs"},
      {"r4_not_in_every_run", EndToEnd(),
       With(explained(Drifted(1e-9)), [](auto& e) { e.every_span_compared_in_every_run = false; }),
       kPass, "6", "every KL within"},
      {"r4_not_identical", EndToEnd(),
       With(explained(Drifted(1e-9)), [](auto& e) { e.every_span_identical = false; }), kPass, "6",
       "every KL within"},
      {"r4_reference_noisy", EndToEnd(), Noisy(explained(Drifted(1e-9)), 1e-9), kPass, "6",
       "every KL within"},
      {"r5_undriven", EndToEnd(), With(Identical(), [](auto& e) { e.runs_driven = 0; }), kOpen, "5",
       "program decode is changed and the workload never drove it"},
      {"r5_unchanged", EndToEnd(),
       With(Identical(),
            [](auto& e) {
              e.runs_driven = 0;
              e.changed = false;
            }),
       kPass, "6", "identical"},
  };
}

std::vector<RuleCase> LogitCases() {
  const auto rowless = [](bool spans, ElementStats final) {
    EndToEndEvidence evidence = WithoutLogits(Identical());
    evidence.every_span_identical = spans;
    evidence.candidate.finals = {Final(final)};
    return evidence;
  };
  const auto kPass = Outcome::kPass, kOpen = Outcome::kInconclusive;
  return {
      {"r6_identical", EndToEnd(), Identical(), kPass, "6", "2 rows of logits identical"},
      {"r6_at_the_limit", EndToEnd(), Drifted(0.01), kPass, "6", "worst 0.01 in 2 rows, 0 ties"},
      {"r6_tie", EndToEnd(), Drifted(0.009, true), kPass, "6", "1 tie"},
      {"r6_needs_no_repeat", EndToEnd(), NotRepeated(Drifted(0.009)), kPass, "6",
       "every KL within"},
      {"r7_inside", EndToEnd(), Noisy(Drifted(0.08), 0.02), kPass, "7",
       "no further than the reference from itself (2 x its own distance allowed, 4 x in KL)"},
      {"r7_outside", EndToEnd(), Noisy(Drifted(0.081), 0.02), kOpen, "9",
       "candidate: worst KL 0.081 nats"},
      {"r7_needs_known_repeats", EndToEnd(), NotRepeated(Drifted(0.04)), kOpen, "9",
       "was not repeated"},
      {"r7_too_many_flips", Exact(), Noisy(Drifted(0.001, true), 0.001), kOpen, "9", "1 flip"},
      {"r7_flips_inside", Exact(), Noisy(Drifted(0.001, true), 0.001, true), kPass, "7", "1 flip"},
      {"r8_all_identical", EndToEnd(), rowless(true, Same()), kPass, "8",
       "no logits; every span and 1 output or final state identical"},
      {"r8_span_differs", EndToEnd(), rowless(false, Same()), kOpen, "8",
       "not every span is identical"},
      {"r8_output_differs", EndToEnd(), Noisy(rowless(true, Off(1, 1)), 0.1), kOpen, "8",
       "next_token differs in 1 of 64 elements"},
      {"r9_no_flip_above", EndToEnd(), Drifted(0.02), kOpen, "9",
       "reference against itself: worst KL 0 nats, 0 flips in 2 rows, over 2 repeats"},
      {"r9_kl_not_a_number", EndToEnd(), Drifted(kNan), kOpen, "9", "worst KL inf"},
  };
}

std::string NameOfCase(const ::testing::TestParamInfo<RuleCase>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Damage, EndToEndRules, ::testing::ValuesIn(Damaged()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Exact, EndToEndRules, ::testing::ValuesIn(ExactCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Flips, EndToEndRules, ::testing::ValuesIn(FlipCases()), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Logits, EndToEndRules, ::testing::ValuesIn(LogitCases()), NameOfCase);

TEST(EndToEndVerdict, MarginAndOverlapNeverDecide) {
  EndToEndEvidence evidence = Drifted(0.009);
  evidence.candidate.rows[0].rows[1].margin = 100;
  evidence.candidate.rows[0].rows[1].top_overlap = 0;
  EXPECT_EQ(JudgeEndToEnd(evidence, EndToEnd()).outcome, Outcome::kPass);
}

TEST(EndToEndVerdict, TiesAreListedWithMarginKlAndRank) {
  const Verdict verdict = JudgeEndToEnd(Drifted(0.009, true), EndToEnd());
  EXPECT_THAT(
      AllFindings(verdict),
      HasSubstr("tie: decode, b1/decode#0, rank 0, logits row 1: argmax 5 -> 7, margin 0.25, "
                "KL 0.009 nats, the reference's choice is number 2 in the candidate"));
}

TEST(EndToEndVerdict, NamesTheWorstFlipAndTheLimitThatPasses) {
  EndToEndEvidence evidence = Program({{Rows({Row(0.5, true), Row(0.75, true)})}, {Final(Same())}});
  const Verdict verdict = JudgeEndToEnd(evidence, EndToEnd());
  EXPECT_THAT(verdict.summary, HasSubstr("logits row 1"));
  EXPECT_THAT(verdict.findings.at(0), HasSubstr("smallest limit that passes: kl 0.75"));
  EXPECT_EQ(Property(verdict, "kl"), "0.75");
  EXPECT_EQ(Property(verdict, "flips"), "2");
}

// Both ranks are driven; only the reference's rank 0 is unsteady.
EndToEndEvidence TwoRanks(RowStats candidate_rank1, double noise_rank0) {
  EndToEndEvidence evidence =
      Program({{Rows({Row(0)}), Rows({candidate_rank1}, 1)}, {Final(Same())}});
  evidence.reference = {{{Rows({Row(noise_rank0, true)}), Rows({Row(0)}, 1)}, {Final(Same())}}};
  return evidence;
}

TEST(EndToEndVerdict, OneRanksNoiseDoesNotExcuseAnother) {
  const Verdict flip = JudgeEndToEnd(TwoRanks(Row(0.5, true), 3), EndToEnd());
  EXPECT_EQ(flip.outcome, Outcome::kFail);
  EXPECT_EQ(Property(flip, "rank"), "1");
  const Verdict band = JudgeEndToEnd(TwoRanks(Row(0.5), 3), Exact());
  EXPECT_EQ(band.outcome, Outcome::kInconclusive);
  EXPECT_EQ(Property(band, "rule"), "9");
}

TEST(EndToEndVerdict, RowsThatNoRepeatSpeaksForAreNotKnownToRepeat) {
  EndToEndEvidence evidence = TwoRanks(Row(0.5, true), 0);
  for (FreeRunEvidence& repeat : evidence.reference) repeat.rows = {Rows({Row(0), Row(0)})};
  EXPECT_EQ(JudgeEndToEnd(evidence, EndToEnd()).outcome, Outcome::kInconclusive);
  EndToEndEvidence unlisted = Identical();
  unlisted.expected_rows = unlisted.expected_finals = 0;
  unlisted.reference = {{}};
  EXPECT_EQ(JudgeEndToEnd(unlisted, Exact()).outcome, Outcome::kInconclusive);
}

// The reference differs from itself in scenario b3 only.
EndToEndEvidence TwoBatches(double b1, double b3) {
  EndToEndEvidence evidence =
      Program({{Rows({Row(b1)}), Rows({Row(b3)}, 0, "b3/decode#0")}, {Final(Same())}});
  evidence.reference = {{{Rows({Row(0)}), Rows({Row(0.02)}, 0, "b3/decode#0")}, {Final(Same())}}};
  return evidence;
}

TEST(EndToEndVerdict, BitwiseIsDemandedWhereTheReferenceIsBitwise) {
  EXPECT_EQ(JudgeEndToEnd(TwoBatches(0, 0.03), Exact()).outcome, Outcome::kPass);
  EXPECT_EQ(JudgeEndToEnd(TwoBatches(1e-9, 0.03), Exact()).outcome, Outcome::kInconclusive);
  // A kernel swap may differ there, within the limit.
  EXPECT_EQ(JudgeEndToEnd(TwoBatches(1e-9, 0.03), EndToEnd()).outcome, Outcome::kPass);
  EXPECT_EQ(JudgeEndToEnd(TwoBatches(0.011, 0.03), EndToEnd()).outcome, Outcome::kInconclusive);
}

TEST(EndToEndLedger, ShortRowsOrFinalsAreNotCompared) {
  EndToEndEvidence rows = Identical();
  rows.candidate.rows[0].rows.pop_back();
  EndToEndEvidence finals = Identical();
  finals.candidate.finals.clear();
  for (const auto& evidence : {rows, finals}) {
    for (const Rules& rules : {Exact(), EndToEnd()}) {
      const Verdict verdict = JudgeEndToEnd(evidence, rules);
      EXPECT_EQ(verdict.outcome, Outcome::kNotCompared);
      EXPECT_EQ(Property(verdict, "rule"), "ledger");
      EXPECT_EQ(Property(verdict, "compared"), "2");
      EXPECT_EQ(Property(verdict, "expected"), "3");
    }
  }
  EXPECT_THAT(JudgeEndToEnd(rows, Exact()).summary,
              HasSubstr("only 1 of 2 rows and 1 of 1 output or final state were compared"));
}

TEST(EndToEndLedger, AComparisonOfNothingAndASecondOneDoNotCount) {
  EndToEndEvidence empty = Identical();
  empty.candidate.finals = {Final(Same(0))};
  EXPECT_EQ(JudgeEndToEnd(empty, EndToEnd()).outcome, Outcome::kNotCompared);
  EndToEndEvidence twice = Identical();
  twice.expected_finals = 2;
  twice.candidate.finals = {Final(Same()), Final(Same())};
  EXPECT_EQ(JudgeEndToEnd(twice, EndToEnd()).outcome, Outcome::kNotCompared);
}

TEST(EndToEndLedger, NothingAtAllIsNotCompared) {
  EndToEndEvidence evidence = Program({});
  evidence.expected_rows = evidence.expected_finals = 0;
  evidence.every_span_identical = true;
  evidence.reference = {{}};
  for (const Rules& rules : {Exact(), EndToEnd()}) {
    const Verdict verdict = JudgeEndToEnd(evidence, rules);
    EXPECT_EQ(verdict.outcome, Outcome::kNotCompared);
    EXPECT_EQ(verdict.summary, "nothing was compared end to end");
  }
}

TEST(EndToEndLedger, AFailureThatWasSeenStaysOne) {
  EndToEndEvidence evidence = Drifted(0.5, true);
  evidence.expected_rows = 10;
  evidence.reference.assign(1, {{Rows(std::vector<RowStats>(10, Row(0)))}, {Final(Same())}});
  EXPECT_EQ(JudgeEndToEnd(evidence, EndToEnd()).outcome, Outcome::kFail);
  EXPECT_EQ(JudgeEndToEnd(evidence, Exact()).outcome, Outcome::kFail);
}

EndToEndEvidence SharedBadToken(double reference_value, std::size_t repeats_with_it) {
  EndToEndEvidence evidence = Identical();
  evidence.candidate.finals = {BadToken(600)};
  for (std::size_t i = 0; i < repeats_with_it; ++i) {
    evidence.reference[i].finals = {BadToken(reference_value)};
  }
  return evidence;
}

TEST(EndToEndStar, TheReferenceLeavesItsDomainInTheSameWay) {
  const Verdict verdict = JudgeEndToEnd(SharedBadToken(600, 2), EndToEnd());
  EXPECT_EQ(verdict.outcome, Outcome::kPassStar);
  EXPECT_THAT(verdict.summary, HasSubstr("the reference fails the same way"));
  EXPECT_EQ(Property(verdict, "outcome"), "PASS*");
}

TEST(EndToEndStar, NeedsEveryRepeatAndTheSameKind) {
  EXPECT_EQ(JudgeEndToEnd(SharedBadToken(600, 1), EndToEnd()).outcome, Outcome::kFail);
  EXPECT_EQ(JudgeEndToEnd(SharedBadToken(-1, 2), EndToEnd()).outcome, Outcome::kFail);
}

TEST(EndToEndVerdict, TellsFinalsThatDifferThoughTheyDoNotDecide) {
  EndToEndEvidence evidence = Drifted(0.001);
  evidence.candidate.finals = {Final(Off(0.25, 2, 3), "kv")};
  evidence.candidate.finals[0].state = true;
  evidence.notes = {"kv_scale is not compared: only the candidate has it"};
  const Verdict verdict = JudgeEndToEnd(evidence, EndToEnd());
  EXPECT_EQ(verdict.outcome, Outcome::kPass);
  EXPECT_THAT(
      AllFindings(verdict),
      AllOf(HasSubstr("state kv: differs in 1 of 64 elements, max |d| 2, nrmse 0.25, 3 ulp"),
            HasSubstr("note: kv_scale is not compared")));
  EXPECT_EQ(Property(verdict, "worst_ulp"), "3");
  EXPECT_EQ(Property(verdict, "repeats"), "exact");
}

}  // namespace
}  // namespace parity
