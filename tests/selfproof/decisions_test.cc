// Choices that are not the reference's: tied, wrong, without scores, impossible; forced or not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/selfproof/findings.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::UnorderedElementsAre;

const char kPorted[] = "manifests/tiny/routed_vs_ported.yaml";
const char kReordered[] = "manifests/tiny/routed_vs_reordered.yaml";
const char kMargin[] = "tests/selfproof/routed_vs_reordered_margin.yaml";

SuiteRun RunMutant(const char* manifest, const std::string& mutant, const std::string& filter,
                   std::uint32_t ranks = 1) {
  return SuiteRun({.manifest = manifest,
                   .ranks = ranks,
                   .filter = "*Preflight*:" + filter,
                   .candidate = mutant});
}

void ExpectWhole(const CaseResult& result) {
  EXPECT_GT(result.verdict.expected, 0u);
  EXPECT_EQ(result.verdict.compared, result.verdict.expected) << result.verdict.summary;
}

// One tied draft goes the other way. Its KV and its place in the history are other tokens' from
// there on; with the reference's draft in its place all later rows are compared, and pass.
TEST(DecisionsTest, TiedDraftIsForcedAndAllLaterRowsAreCompared) {
  const SuiteRun run = RunMutant(kReordered, R"({"name": "tied_draft"})",
                                 "*EndToEnd*:*SpanParity*/speculate_draft1:*Domain*draft*");
  EXPECT_EQ(run.exit_code(), 0) << run.out();
  EXPECT_THAT(RedCases(run.cases()), IsEmpty());
  const CaseResult& whole = run.At("EndToEnd/speculate");
  EXPECT_EQ(whole.outcome, Outcome::kPass) << whole.verdict.summary;
  EXPECT_EQ(PropertyOf(whole, "rule"), "6");
  EXPECT_EQ(PropertyOf(whole, "forced"), "yes");
  EXPECT_THAT(whole.verdict.findings,
              Contains(AllOf(HasSubstr("tie: speculate, b2_speculate/speculate#"),
                             HasSubstr("draft1[#"), HasSubstr("margin 0 in draft_scores1"))));
  ExpectWhole(whole);
  const auto stretches =
      Contains(HasSubstr("note: what follows a choice that differs ran in stretches"));
  EXPECT_THAT(whole.verdict.findings, stretches);
  EXPECT_THAT(run.At("EndToEnd/decode").verdict.findings, ::testing::Not(stretches));
  EXPECT_EQ(PropertyOf(run.At("EndToEnd/decode"), "decision_ties"), "0");
  const CaseResult& span = run.At("SpanParity/speculate_draft1");
  EXPECT_EQ(span.verdict.span_class, SpanClass::kWithinSpread);
  EXPECT_EQ(span.outcome, Outcome::kPass);
}

TEST(DecisionsTest, ExactForgivesNoTieAndStillComparesTheRest) {
  const SuiteRun run =
      RunMutant(kPorted, R"({"name": "tied_draft"})", "*EndToEnd*:*SpanParity*/speculate_draft*");
  EXPECT_EQ(run.exit_code(), 1);
  EXPECT_THAT(RedCases(run.cases()),
              UnorderedElementsAre("EndToEnd/speculate", "SpanParity/speculate_draft1"));
  const CaseResult& whole = run.At("EndToEnd/speculate");
  EXPECT_EQ(PropertyOf(whole, "rule"), "2");
  EXPECT_EQ(PropertyOf(whole, "kl"), "0") << "with the reference's drafts its rows are the same";
  EXPECT_THAT(whole.verdict.summary, HasSubstr("draft1[#"));
  ExpectWhole(whole);
}

// Off only where the whole program runs in one call, as a captured graph may be: with the
// reference's choices in their place nothing is left to be seen.
TEST(DecisionsTest, AFaultAsServedIsFoundThoughTheForcedRunHasNone) {
  for (const char* manifest : {kPorted, kReordered}) {
    const SuiteRun run =
        RunMutant(manifest, R"({"name": "drift", "factor": 2, "served": true})", "*EndToEnd*");
    EXPECT_EQ(run.exit_code(), 1);
    EXPECT_THAT(RedCases(run.cases()), Contains("EndToEnd/prefill")) << manifest;
    EXPECT_EQ(PropertyOf(run.At("EndToEnd/prefill"), "forced"), "yes");
  }
}

TEST(DecisionsTest, AChoiceBeyondTheMarginFails) {
  const SuiteRun run = RunMutant(kReordered, R"({"name": "wrong_choice"})",
                                 "*EndToEnd*:*SpanParity*/speculate_draft*");
  EXPECT_EQ(run.exit_code(), 1);
  EXPECT_THAT(RedCases(run.cases()),
              UnorderedElementsAre("EndToEnd/speculate", "SpanParity/speculate_draft1"));
  const CaseResult& whole = run.At("EndToEnd/speculate");
  EXPECT_EQ(whole.outcome, Outcome::kFail);
  EXPECT_EQ(PropertyOf(whole, "rule"), "decision");
  EXPECT_THAT(whole.verdict.summary,
              AllOf(HasSubstr("beyond the reference's own margin"), HasSubstr("draft1[#"),
                    HasSubstr("smallest judge.margin that passes")));
}

TEST(DecisionsTest, AChoiceWithoutScoresIsInconclusive) {
  const SuiteRun run = RunMutant(kReordered, R"({"name": "accept_one_more"})",
                                 "*EndToEnd*:*SpanParity*/speculate_accept");
  EXPECT_EQ(run.exit_code(), 3) << run.out();
  for (const char* name : {"EndToEnd/speculate", "SpanParity/speculate_accept"}) {
    EXPECT_EQ(run.At(name).outcome, Outcome::kInconclusive) << name;
    EXPECT_THAT(run.At(name).verdict.summary, HasSubstr("without scores")) << name;
  }
}

TEST(DecisionsTest, AnExpertThatThereIsNotFails) {
  const SuiteRun run = RunMutant(kReordered, R"({"name": "no_expert", "program": "decode"})",
                                 "*EndToEnd*:*SpanParity*/decode_layer1_route*:*Domain*router_ids");
  EXPECT_EQ(run.exit_code(), 1);
  EXPECT_EQ(PropertyOf(run.At("EndToEnd/decode"), "rule"), "1");
  EXPECT_THAT(
      run.At("EndToEnd/decode").verdict.summary,
      AllOf(HasSubstr("layer1.router_ids"), HasSubstr("outside the domain [0, 3], first 7")));
  EXPECT_THAT(RedCases(run.cases()),
              IsSupersetOf({"EndToEnd/decode", "Domain/decode_layer1_router_ids"}));
  EXPECT_EQ(run.At("Domain/decode_layer0_router_ids").outcome, Outcome::kPass);
}

// The candidate routes and weighs in one op, so that another choice has had its effect before it
// can be taken back.
TEST(DecisionsTest, RowsAfterAChoiceThatCannotBeForcedAreInconclusive) {
  const SuiteRun run = RunMutant(
      kMargin,
      R"({"name": "wrong_choice", "label": "layer1.route", "run": "b2_page_edge/decode#3"})",
      "*EndToEnd*");
  EXPECT_EQ(run.exit_code(), 3) << run.out();
  const CaseResult& decode = run.At("EndToEnd/decode");
  EXPECT_EQ(decode.outcome, Outcome::kInconclusive);
  EXPECT_THAT(decode.verdict.summary,
              AllOf(HasSubstr("not judged, as they come after layer1.router_ids of "
                              "b2_page_edge/decode#3"),
                    HasSubstr("layer1.route of the candidate writes expert_weights too")));
  EXPECT_LT(decode.verdict.compared, decode.verdict.expected);
  EXPECT_GT(decode.verdict.compared, decode.verdict.expected / 2)
      << "the other scenario, and before";
  EXPECT_EQ(run.At("EndToEnd/speculate").outcome, Outcome::kPass);
}

// The port routes in an op of its own: the same wrong choice is taken back, and only itself fails.
TEST(DecisionsTest, AWrongRouteIsForcedWhereItCanBe) {
  const SuiteRun run = RunMutant(
      kPorted,
      R"({"name": "wrong_choice", "label": "layer1.top_experts", "run": "b2_page_edge/decode#3"})",
      "*EndToEnd*");
  const CaseResult& decode = run.At("EndToEnd/decode");
  EXPECT_EQ(decode.outcome, Outcome::kFail);
  EXPECT_EQ(PropertyOf(decode, "rule"), "decision");
  EXPECT_EQ(PropertyOf(decode, "kl"), "0");
  ExpectWhole(decode);
  EXPECT_EQ(RunsNamed(decode.verdict.findings), std::set<std::string>{"b2_page_edge/decode#3"});
}

TEST(DecisionsTest, TheWrongOneOfFourRanksIsNamed) {
  const SuiteRun run =
      RunMutant(kPorted, R"({"name": "wrong_rank1", "label": "layer1.expert_down", "rank": 3})",
                "*SpanParity*layer1_expert_*", 4);
  EXPECT_EQ(run.exit_code(), 1);
  EXPECT_THAT(RedCases(run.cases()),
              UnorderedElementsAre("SpanParity/prefill_layer1_expert_down",
                                   "SpanParity/decode_layer1_expert_down",
                                   "SpanParity/speculate_layer1_expert_down"));
  for (const std::string& name : RedCases(run.cases())) {
    EXPECT_THAT(RanksNamed(run.At(name).verdict.findings), ElementsAre(3)) << name;
    EXPECT_EQ(PropertyOf(run.At(name), "rank"), "3") << name;
  }
}

}  // namespace
}  // namespace parity::testing
