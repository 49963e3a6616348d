// Engines that cannot be put before any step at will, or show their values only while they run,
// and what is wrong with them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

SuiteArguments Arguments(const std::string& manifest, const std::string& mutant = "") {
  return {.manifest = "manifests/tiny/" + manifest + ".yaml",
          .candidate = mutant.empty() ? "" : "{\"name\": \"" + mutant + "\"}"};
}

struct Wrong {
  const char* manifest;
  const char* mutant;
  const char* span;  // of prefill and of decode
  SpanClass span_class;
};

class InOrderMutant : public ::testing::TestWithParam<Wrong> {};

INSTANTIATE_TEST_SUITE_P(
    All, InOrderMutant,
    ::testing::Values(
        Wrong{"paged_vs_sequential", "drift", "layer0_gate", SpanClass::kDifferent},
        Wrong{"paged_vs_sequential", "missing_write", "layer1_attention", SpanClass::kBroken},
        Wrong{"paged_vs_sequential", "nan_lane", "layer1_attention", SpanClass::kBroken},
        Wrong{"paged_vs_tapped", "drift", "layer0_gate", SpanClass::kDifferent},
        Wrong{"paged_vs_tapped", "ulp", "layer1_q", SpanClass::kDifferent},
        Wrong{"paged_vs_tapped", "nan_lane", "layer1_append_to_attention", SpanClass::kBroken},
        Wrong{"paged_vs_streamed", "drift", "layer0_gate", SpanClass::kDifferent},
        Wrong{"tapped_vs_ported", "drift", "layer0_gate", SpanClass::kDifferent},
        Wrong{"tapped_vs_ported", "missing_write", "layer1_append_to_attention",
              SpanClass::kBroken},
        Wrong{"tapped_vs_streamed", "ulp", "layer1_q", SpanClass::kDifferent}),
    [](const auto& test) { return std::string(test.param.manifest) + "_" + test.param.mutant; });

// Drift must not travel: not to later spans, and not through states to later runs.
TEST_P(InOrderMutant, IsFoundInItsSpanAndInNoOther) {
  const SuiteRun run(Arguments(GetParam().manifest, GetParam().mutant));
  std::set<std::string> red;
  for (const char* program : {"prefill", "decode"}) {
    const std::string name = "SpanParity/" + std::string(program) + "_" + GetParam().span;
    EXPECT_EQ(run.At(name).verdict.span_class, GetParam().span_class) << name;
    red.insert(name);
    red.insert("EndToEnd/" + std::string(program));
  }
  EXPECT_EQ(RedCases(run.cases()), red);
  EXPECT_THAT(run.group().problems, IsEmpty());
  EXPECT_EQ(run.exit_code(), 1);
}

TEST(Sequential, FindsWritesOutsideAndUndefinedReadsAsEver) {
  const SuiteRun leak(Arguments("paged_vs_sequential", "leak"));
  EXPECT_THAT(leak.At("SpanParity/decode_layer1_attention").verdict.summary,
              HasSubstr("written outside"));
  const SuiteRun poison(Arguments("paged_vs_sequential", "reads_poison"));
  EXPECT_THAT(RedCases(poison.cases()), UnorderedElementsAre("SpanParity/prefill_layer1_attention",
                                                             "SpanParity/decode_layer1_attention"));
  EXPECT_THAT(poison.At("SpanParity/decode_layer1_attention").verdict.summary,
              HasSubstr("undefined read"));
}

TEST(Sequential, ADeathIsFailOfItsSpanAndLeavesTheOthersUncompared) {
  const SuiteRun run(Arguments("paged_vs_sequential", "crash"));
  EXPECT_THAT(run.group().problems, IsEmpty());
  EXPECT_THAT(run.At("SpanParity/prefill_layer1_attention").verdict.summary,
              HasSubstr("died: signal SIGSEGV"));
  EXPECT_EQ(run.At("SpanParity/prefill_layer1_attention").outcome, Outcome::kFail);
  const CaseResult& other = run.At("SpanParity/prefill_embed");
  EXPECT_EQ(other.outcome, Outcome::kNotCompared);
  EXPECT_THAT(other.verdict.findings,
              ::testing::Contains(HasSubstr("op layer1.attention, and cannot be brought past it")));
}

TEST(TapOnly, SaysWhatItCouldNotCheck) {
  const SuiteRun run(Arguments("paged_vs_tapped"));
  EXPECT_THAT(RedCases(run.cases()), IsEmpty()) << run.out();
  for (const CaseResult& result : run.cases()) {
    const bool span = FixtureOf(result) == "SpanParity";
    EXPECT_EQ(PropertyOf(result, "unavailable"),
              span ? "missing writes, undefined reads, outside writes, the candidate's repeats, "
                     "restored states"
                   : "");
    EXPECT_EQ(PropertyOf(result, "replayed"), span ? "in order" : "");
  }
}

TEST(TapOnly, AMissingWriteOrAStrayIsNotSeenInASpanAndNotClaimedAbsent) {
  // What a leak does to a state shows where the state is read, and in the logits.
  const SuiteRun run(Arguments("paged_vs_tapped", "leak"));
  const CaseResult& span = run.At("SpanParity/decode_layer1_append_to_attention");
  EXPECT_EQ(span.outcome, Outcome::kPass);
  EXPECT_THAT(PropertyOf(span, "unavailable"), HasSubstr("outside writes"));
}

TEST(TapOnly, OneCaseAloneComesToTheSame) {
  SuiteArguments arguments = Arguments("paged_vs_tapped", "drift");
  arguments.filter = "*decode_layer0_gate:*decode_layer0_down";
  const SuiteRun run(arguments);
  EXPECT_THAT(RedCases(run.cases()), UnorderedElementsAre("SpanParity/decode_layer0_gate"));
  EXPECT_EQ(run.cases().size(), 2u);
}

TEST(TapOnly, ADeathIsFailOfItsSpanAndLeavesTheOthersUncompared) {
  const SuiteRun run(Arguments("paged_vs_tapped", "crash"));
  EXPECT_THAT(run.group().problems, IsEmpty());
  EXPECT_EQ(run.At("SpanParity/prefill_layer1_append_to_attention").outcome, Outcome::kFail);
  EXPECT_EQ(run.At("SpanParity/prefill_embed").outcome, Outcome::kNotCompared);
  EXPECT_EQ(run.At("Preflight/candidate_neutrality").outcome, Outcome::kFail);
}

TEST(Neutrality, OfACandidateWhoseTapsChangeResultsFailsAndSpansWithIt) {
  for (const char* manifest : {"paged_vs_tapped", "paged_vs_streamed"}) {
    const SuiteRun run(Arguments(manifest, "tap_rounds"));
    const CaseResult& neutrality = run.At("Preflight/candidate_neutrality");
    EXPECT_EQ(neutrality.outcome, Outcome::kFail);
    EXPECT_THAT(neutrality.verdict.findings,
                ::testing::Contains(HasSubstr(
                    "results move as soon as a tap looks at attn at layer1.attention of prefill")));
    EXPECT_THAT(run.At("SpanParity/decode_embed").verdict.summary,
                HasSubstr("the candidate's taps cannot be believed: observer neutrality"));
    // Served, nothing looks: there the engine is right.
    EXPECT_EQ(run.At("EndToEnd/decode").outcome, Outcome::kPass);
    EXPECT_EQ(run.At("Preflight/candidate_causality").outcome, Outcome::kPass);
    EXPECT_EQ(run.exit_code(), 1);
  }
}

TEST(Neutrality, OfAReferenceWhoseTapsChangeResultsIsAnError) {
  SuiteArguments arguments = Arguments("tapped_vs_ported");
  arguments.reference = R"({"name": "tap_rounds"})";
  arguments.filter = "*Preflight*:*decode_embed";
  const SuiteRun run(arguments);
  EXPECT_EQ(run.At("Preflight/reference_neutrality").outcome, Outcome::kError);
  EXPECT_EQ(run.At("SpanParity/decode_embed").outcome, Outcome::kError);
  EXPECT_EQ(run.At("Preflight/reference").outcome, Outcome::kPass);
  EXPECT_EQ(run.exit_code(), 4);
}

TEST(WriteBack, OfACandidateWhoseTapIsACopyFailsAndSpansWithIt) {
  SuiteArguments arguments = Arguments("paged_vs_tapped", "dead_tap");
  arguments.filter = "*Preflight*:*decode_embed";
  const SuiteRun run(arguments);
  const CaseResult& write_back = run.At("Preflight/candidate_write_back");
  EXPECT_EQ(write_back.outcome, Outcome::kFail);
  EXPECT_THAT(write_back.verdict.findings,
              UnorderedElementsAre(
                  AllOf(HasSubstr("overwrote attn at layer1.attention of prefill, and nothing"),
                        HasSubstr("a copy that the engine does not use")),
                  HasSubstr("overwrote attn at layer1.attention of decode")));
  EXPECT_EQ(run.At("Preflight/candidate_neutrality").outcome, Outcome::kPass);
  EXPECT_EQ(run.At("SpanParity/decode_embed").outcome, Outcome::kFail);
}

TEST(Causality, OfACandidateThatLooksAheadFails) {
  SuiteArguments arguments = Arguments("paged_vs_tapped", "looks_ahead");
  arguments.filter = "*Preflight*";
  const SuiteRun run(arguments);
  EXPECT_THAT(RedCases(run.cases()), UnorderedElementsAre("Preflight/candidate_causality"));
  EXPECT_THAT(run.At("Preflight/candidate_causality").verdict.summary,
              AllOf(HasSubstr("causality, probe/prefill, rank 0, logits: another token in row "),
                    HasSubstr("moved")));
}

TEST(Causality, OfACandidateWhoseBatchLeaksFails) {
  SuiteArguments arguments = Arguments("paged_vs_streamed", "mixes_sequences");
  arguments.filter = "*Preflight*";
  const SuiteRun run(arguments);
  EXPECT_THAT(RedCases(run.cases()), UnorderedElementsAre("Preflight/candidate_causality"));
  EXPECT_THAT(run.At("Preflight/candidate_causality").verdict.findings,
              ::testing::Contains(HasSubstr("of sequence 0 in probe/decode")));
}

}  // namespace
}  // namespace parity::testing
