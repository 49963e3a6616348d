// Every rule on an id that differs, and on generations that say nothing.
#include "gtest_parity/judge/judge_greedy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace parity {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

RowStats Row(std::uint32_t reference, std::uint32_t candidate, double kl, double margin = 0.5) {
  RowStats row;
  row.argmax_reference = reference;
  row.argmax_candidate = candidate;
  row.kl = kl;
  row.margin = margin;
  row.rank = reference == candidate ? 1 : 2;
  row.identical = kl == 0;
  return row;
}

GreedyToken Token(std::size_t position, std::int32_t id, std::optional<RowStats> row,
                  int rank = 0) {
  return {rank, "b1/decode#" + std::to_string(position), 0, position, id, row};
}

// The reference says 5 6 7 8 and repeats it bit for bit, the candidate says the same.
GreedyEvidence Equal() {
  GreedyEvidence evidence;
  evidence.scenario = "b1";
  evidence.asked = evidence.least = evidence.expected = 4;
  evidence.chosen_by = "buffer next_token";
  evidence.sequences = {{{1, 2, 3}, {5, 6, 7, 8}, false}};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto id = static_cast<std::int32_t>(5 + i);
    const auto column = static_cast<std::uint32_t>(id);
    evidence.candidate.push_back(Token(i, id, Row(column, column, 0)));
  }
  evidence.repeats = {evidence.candidate, evidence.candidate};
  return evidence;
}

// At its third id the candidate says 9.
GreedyEvidence Diverging(double kl) {
  GreedyEvidence evidence = Equal();
  evidence.candidate[2] = Token(2, 9, Row(7, 9, kl));
  return evidence;
}

Rules EndToEndRules() {
  Rules rules;
  rules.exact = false;
  return rules;
}

TEST(JudgeGreedy, EqualIdsPass) {
  const Verdict verdict = JudgeGreedy(Equal(), Rules());
  EXPECT_EQ(verdict.outcome, Outcome::kPass);
  EXPECT_EQ(verdict.compared, 4u);
  EXPECT_EQ(verdict.exact, true);
  EXPECT_EQ(verdict.summary, "4 ids compared, 0 ties, worst KL 0 nats");
}

TEST(JudgeGreedy, ADivergenceOfAPortFailsHoweverClose) {
  const Verdict verdict = JudgeGreedy(Diverging(1e-6), Rules());
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_EQ(verdict.summary,
            "b1/decode#2, rank 0, sequence 0, id 2: ids differ, got reference 7, candidate 9 after "
            "5 ids: 1 2 3 5 6: the reference's margin 0.5, KL 1e-06 nats, the reference's choice "
            "is number 2 in the candidate, allowed the same ids (the reference repeats ids and "
            "logits bit for bit), no tolerance would have passed it");
  EXPECT_EQ(*FindProperty(verdict, "first_divergence"), "2");
}

TEST(JudgeGreedy, NanBesideTheReferencesOwnIdFailsInEveryMode) {
  GreedyEvidence evidence = Equal();
  evidence.candidate[1].row = Row(6, 6, kInfinity);
  evidence.candidate[1].row->nan_candidate = 1;
  for (const Rules& rules : {Rules(), EndToEndRules()}) {
    const Verdict verdict = JudgeGreedy(evidence, rules);
    EXPECT_EQ(verdict.outcome, Outcome::kFail);
    EXPECT_THAT(verdict.summary, AllOf(HasSubstr("id 1: NaN in its logits"),
                                       HasSubstr("got reference 6, candidate 6")));
  }
  evidence.candidate[1].row->nan_reference = 1;
  EXPECT_EQ(JudgeGreedy(evidence, Rules()).outcome, Outcome::kPass);
}

TEST(JudgeGreedy, WithinTheLimitOfAKernelSwapItIsATieAndListed) {
  const Verdict verdict = JudgeGreedy(Diverging(0.009), EndToEndRules());
  EXPECT_EQ(verdict.outcome, Outcome::kPass);
  EXPECT_EQ(verdict.summary, "4 ids compared, 1 tie, worst KL 0.009 nats");
  ASSERT_EQ(verdict.findings.size(), 1u);
  EXPECT_THAT(verdict.findings[0], HasSubstr("a tie, got reference 7, candidate 9"));
}

TEST(JudgeGreedy, BeyondTheLimitItFailsWhereTheReferenceRepeatsItself) {
  const Verdict verdict = JudgeGreedy(Diverging(0.011), EndToEndRules());
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.summary, AllOf(HasSubstr("allowed KL 0.01 nats"),
                                     HasSubstr("smallest limit that passes: kl 0.011")));
}

TEST(JudgeGreedy, AfterADivergenceLaterIdsAreJudgedToo) {
  GreedyEvidence evidence = Diverging(0.001);
  evidence.candidate[3] = Token(3, 4, Row(8, 4, 2.0));
  const Verdict verdict = JudgeGreedy(evidence, EndToEndRules());
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.summary, HasSubstr("id 3: ids differ (after a divergence, on the "
                                         "reference's prefix), got reference 8, candidate 4"));
}

TEST(JudgeGreedy, AReferenceThatDoesNotRepeatItselfAllowsItsOwnSpreadAndNoMore) {
  GreedyEvidence evidence = Diverging(0.07);
  evidence.repeats[1][2] = Token(2, 9, Row(7, 9, 0.02));  // allows 4 x 0.02
  EXPECT_EQ(JudgeGreedy(evidence, EndToEndRules()).outcome, Outcome::kPass);
  EXPECT_EQ(JudgeGreedy(evidence, Rules()).outcome, Outcome::kPass);
  evidence.candidate[2].row->kl = 0.09;
  for (const Rules& rules : {EndToEndRules(), Rules()}) {
    const Verdict verdict = JudgeGreedy(evidence, rules);
    EXPECT_EQ(verdict.outcome, Outcome::kInconclusive);
    EXPECT_THAT(verdict.summary, HasSubstr("the reference does not repeat itself either"));
  }
  evidence.candidate[2].rank = 1;  // the spread of rank 0 excuses no other
  evidence.candidate[2].row->kl = 0.07;
  EXPECT_EQ(JudgeGreedy(evidence, EndToEndRules()).outcome, Outcome::kInconclusive);
}

TEST(JudgeGreedy, ASpreadIsNoExcuseWhereIdsRepeatWithinTheLimit) {
  GreedyEvidence evidence = Diverging(0.03);
  evidence.repeats[1][2] = Token(2, 7, Row(7, 7, 0.009));
  EXPECT_EQ(JudgeGreedy(evidence, EndToEndRules()).outcome, Outcome::kFail);
}

TEST(JudgeGreedy, AChoiceThatItsOwnLogitsDenyFails) {
  GreedyEvidence evidence = Equal();
  evidence.candidate[1] = Token(1, 9, Row(6, 6, 0, 0));
  for (const Rules& rules : {EndToEndRules(), Rules()}) {
    const Verdict verdict = JudgeGreedy(evidence, rules);
    EXPECT_EQ(verdict.outcome, Outcome::kFail);
    EXPECT_THAT(verdict.summary,
                HasSubstr("not what its own logits say: the highest is 6, lowest index first; a "
                          "tie of equal logits is broken otherwise"));
  }
}

TEST(JudgeGreedy, TheReferencesIdIsLuckWhereTheLogitsDenyIt) {
  GreedyEvidence evidence = Equal();
  evidence.candidate[1].row = Row(6, 4, 0.001);
  EXPECT_EQ(JudgeGreedy(evidence, EndToEndRules()).outcome, Outcome::kFail);
  // Where the reference's choices do not follow its logits, a choice says nothing of them.
  evidence.repeats[0][3].row = Row(8, 3, 0.001);
  EXPECT_EQ(JudgeGreedy(evidence, EndToEndRules()).outcome, Outcome::kPass);
}

TEST(JudgeGreedy, NanFails) {
  GreedyEvidence evidence = Diverging(kInfinity);
  evidence.candidate[2].row->nan_candidate = 1;
  evidence.repeats[0][2] = Token(2, 9, Row(7, 9, kInfinity));
  const Verdict verdict = JudgeGreedy(evidence, EndToEndRules());
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.summary, HasSubstr("NaN in its logits"));
}

TEST(JudgeGreedy, WithoutLogitsATieCannotBeTold) {
  GreedyEvidence evidence = Equal();
  evidence.candidate[2] = Token(2, 9, std::nullopt);
  for (auto& repeat : evidence.repeats) {
    for (GreedyToken& token : repeat) token.row.reset();
  }
  EXPECT_EQ(JudgeGreedy(evidence, EndToEndRules()).outcome, Outcome::kInconclusive);
  EXPECT_EQ(JudgeGreedy(evidence, Rules()).outcome, Outcome::kFail);
}

TEST(JudgeGreedy, ExactNeedsTheReferencesRepeats) {
  GreedyEvidence evidence = Diverging(0.001);
  evidence.repeats.clear();
  EXPECT_EQ(JudgeGreedy(evidence, Rules()).outcome, Outcome::kInconclusive);
}

// 8 ends a sequence.
GreedyEvidence Ending() {
  GreedyEvidence evidence = Equal();
  evidence.end = {8};
  evidence.asked = evidence.least = 10;
  evidence.sequences[0].ended = true;
  return evidence;
}

TEST(JudgeGreedy, AnEarlyEndIsNoEvidence) {
  Verdict verdict = JudgeGreedy(Ending(), Rules());
  EXPECT_EQ(verdict.outcome, Outcome::kInconclusive);
  EXPECT_EQ(verdict.summary,
            "b1, sequence 0: the reference ended after 3 ids, the candidate after 3, of 10 asked "
            "for at least 10 are needed: an early end is no evidence");
  GreedyEvidence enough = Ending();
  enough.least = 3;
  EXPECT_EQ(JudgeGreedy(enough, Rules()).outcome, Outcome::kPass);
}

TEST(JudgeGreedy, AnEndAtOnceComparesNothing) {
  GreedyEvidence evidence = Ending();
  evidence.sequences[0].ids = {8};
  evidence.expected = 1;
  evidence.candidate = {Token(0, 8, Row(8, 8, 0))};
  evidence.repeats = {evidence.candidate};
  const Verdict verdict = JudgeGreedy(evidence, Rules());
  EXPECT_EQ(verdict.outcome, Outcome::kNotCompared);
  EXPECT_THAT(verdict.summary, HasSubstr("the reference ended after 0 ids, the candidate after 0"));
}

TEST(JudgeGreedy, AnEndOnOneSideIsADivergence) {
  GreedyEvidence later = Ending();
  later.candidate[3] = Token(3, 4, Row(8, 4, 1.0));
  EXPECT_THAT(JudgeGreedy(later, EndToEndRules()).summary,
              HasSubstr("got reference 8 (ends the sequence), candidate 4 after"));
  GreedyEvidence earlier = Equal();
  earlier.end = {9};
  earlier.candidate[2] = Token(2, 9, Row(7, 9, 1.0));
  const Verdict verdict = JudgeGreedy(earlier, EndToEndRules());
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.summary, HasSubstr("got reference 7, candidate 9 (ends the sequence)"));
}

TEST(JudgeGreedy, FewerIdsThanExpectedAreNotCompared) {
  GreedyEvidence evidence = Equal();
  evidence.candidate.pop_back();
  EXPECT_EQ(JudgeGreedy(evidence, Rules()).outcome, Outcome::kNotCompared);
  evidence.candidate.push_back(evidence.candidate.front());  // one id twice is one
  EXPECT_EQ(JudgeGreedy(evidence, Rules()).outcome, Outcome::kNotCompared);
  EXPECT_EQ(JudgeGreedy(GreedyEvidence(), Rules()).outcome, Outcome::kNotCompared);
}

TEST(JudgeGreedy, ADeathFails) {
  GreedyEvidence evidence = Equal();
  evidence.death = Death{.what = "signal SIGSEGV"};
  EXPECT_EQ(JudgeGreedy(evidence, Rules()).outcome, Outcome::kFail);
}

}  // namespace
}  // namespace parity
