// Engines that cannot be put before any step at will, or show their values only while they run,
// and what is wrong with them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/suite/driver/manifest_text.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

SideText Side(const std::string& engine) {
  return {engine == "paged" ? "parity_tiny" : "parity_tiny_" + engine, engine,
          InSource("manifests/tiny/" + engine + ".f32.json")};
}

// A short workload of one sequence.
SuiteArguments Arguments(const std::string& reference, const std::string& candidate,
                         const std::string& mutant = "", const std::string& rest = "") {
  static const ScratchFolder folder;
  static int count = 0;
  const std::string text = ManifestText(Side(reference), Side(candidate), rest);
  return {.manifest = folder.Write("m" + std::to_string(count++) + ".yaml", text),
          .candidate = mutant.empty() ? "" : "{\"name\": \"" + mutant + "\"}"};
}

struct Wrong {
  const char* reference;
  const char* candidate;
  const char* mutant;
  const char* span;  // of prefill and of decode
  SpanClass span_class;
  // A result that is NaN whatever the tokens are does not move with them.
  bool numb = false;
};

class InOrderMutant : public ::testing::TestWithParam<Wrong> {};

INSTANTIATE_TEST_SUITE_P(
    All, InOrderMutant,
    ::testing::Values(
        Wrong{"paged", "sequential", "drift", "layer0_gate", SpanClass::kDifferent},
        Wrong{"paged", "sequential", "missing_write", "layer1_attention", SpanClass::kBroken},
        Wrong{"paged", "sequential", "nan_lane", "layer1_attention", SpanClass::kBroken},
        Wrong{"paged", "tapped", "drift", "layer0_gate", SpanClass::kDifferent},
        Wrong{"paged", "tapped", "ulp", "layer1_q", SpanClass::kDifferent},
        Wrong{"paged", "tapped", "nan_lane", "layer1_append_to_attention", SpanClass::kBroken,
              true},
        Wrong{"paged", "streamed", "drift", "layer0_gate", SpanClass::kDifferent},
        Wrong{"tapped", "ported", "drift", "layer0_gate", SpanClass::kDifferent},
        Wrong{"tapped", "ported", "missing_write", "layer1_append_to_attention",
              SpanClass::kBroken},
        Wrong{"tapped", "streamed", "ulp", "layer1_q", SpanClass::kDifferent}),
    [](const auto& test) {
      return std::string(test.param.reference) + "_" + test.param.candidate + "_" +
             test.param.mutant;
    });

// Drift must not travel: not to later spans, and not through states to later runs.
TEST_P(InOrderMutant, IsFoundInItsSpanAndInNoOther) {
  const SuiteRun run(Arguments(GetParam().reference, GetParam().candidate, GetParam().mutant));
  std::set<std::string> red;
  for (const char* program : {"prefill", "decode"}) {
    const std::string name = "SpanParity/" + std::string(program) + "_" + GetParam().span;
    EXPECT_EQ(run.At(name).verdict.span_class, GetParam().span_class) << name;
    red.insert(name);
    red.insert("EndToEnd/" + std::string(program));
  }
  if (GetParam().numb) red.insert("Preflight/candidate_causality");
  EXPECT_EQ(RedCases(run.cases()), red);
  EXPECT_THAT(run.group().problems, IsEmpty());
  EXPECT_EQ(run.exit_code(), 1);
}

TEST(InOrderSequential, FindsWritesOutsideAndUndefinedReadsAsEver) {
  const SuiteRun leak(Arguments("paged", "sequential", "leak"));
  EXPECT_THAT(leak.At("SpanParity/decode_layer1_attention").verdict.summary,
              HasSubstr("written outside"));
  const SuiteRun poison(Arguments("paged", "sequential", "reads_poison"));
  EXPECT_THAT(RedCases(poison.cases()), UnorderedElementsAre("SpanParity/prefill_layer1_attention",
                                                             "SpanParity/decode_layer1_attention"));
  EXPECT_THAT(poison.At("SpanParity/decode_layer1_attention").verdict.summary,
              HasSubstr("undefined read"));
}

TEST(InOrderSequential, ADeathIsFailOfItsSpanAndLeavesTheOthersUncompared) {
  const SuiteRun run(Arguments("paged", "sequential", "crash"));
  EXPECT_THAT(run.group().problems, IsEmpty());
  EXPECT_THAT(run.At("SpanParity/prefill_layer1_attention").verdict.summary,
              HasSubstr("died: signal SIGSEGV"));
  EXPECT_EQ(run.At("SpanParity/prefill_layer1_attention").outcome, Outcome::kFail);
  const CaseResult& other = run.At("SpanParity/prefill_embed");
  EXPECT_EQ(other.outcome, Outcome::kNotCompared);
  EXPECT_THAT(other.verdict.findings,
              ::testing::Contains(HasSubstr("op layer1.attention, and cannot be brought past it")));
}

TEST(InOrderTapOnly, SaysWhatItCouldNotCheck) {
  const SuiteRun run(Arguments("paged", "tapped"));
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

TEST(InOrderTapOnly, AMissingWriteOrAStrayIsNotSeenInASpanAndNotClaimedAbsent) {
  // What a leak does to a state shows where the state is read, and in the logits.
  const SuiteRun run(Arguments("paged", "tapped", "leak"));
  const CaseResult& span = run.At("SpanParity/decode_layer1_append_to_attention");
  EXPECT_EQ(span.outcome, Outcome::kPass);
  EXPECT_THAT(PropertyOf(span, "unavailable"), HasSubstr("outside writes"));
}

TEST(InOrderTapOnly, OneCaseAloneComesToTheSame) {
  SuiteArguments arguments = Arguments("paged", "tapped", "drift");
  arguments.filter = "*decode_layer0_gate:*decode_layer0_down";
  const SuiteRun run(arguments);
  EXPECT_THAT(RedCases(run.cases()), UnorderedElementsAre("SpanParity/decode_layer0_gate"));
  EXPECT_EQ(run.cases().size(), 2u);
}

TEST(InOrderTapOnly, ADeathIsFailOfItsSpanAndLeavesTheOthersUncompared) {
  const SuiteRun run(Arguments("paged", "tapped", "crash"));
  EXPECT_THAT(run.group().problems, IsEmpty());
  EXPECT_EQ(run.At("SpanParity/prefill_layer1_append_to_attention").outcome, Outcome::kFail);
  EXPECT_EQ(run.At("SpanParity/prefill_embed").outcome, Outcome::kNotCompared);
  EXPECT_EQ(run.At("Preflight/candidate_neutrality").outcome, Outcome::kFail);
}

// Its spans would be the reference's, as far as taps that nobody has proven show.
TEST(InOrderNeutrality, OfACandidateThatDiesAsItIsProbedLeavesSpansUncompared) {
  SuiteArguments arguments = Arguments("paged", "tapped");
  arguments.candidate = R"({"name": "crash", "run": "probe/decode"})";
  arguments.filter = "*decode_embed";
  const SuiteRun run(arguments);
  const CaseResult& span = run.At("SpanParity/decode_embed");
  EXPECT_EQ(span.outcome, Outcome::kNotCompared);
  EXPECT_THAT(span.verdict.summary, HasSubstr("the candidate's taps are not proven: observer "
                                              "neutrality: the engine died: signal SIGSEGV"));
  EXPECT_EQ(run.exit_code(), 3);
}

TEST(InOrderNeutrality, OfACandidateWhoseTapsChangeResultsFailsAndSpansWithIt) {
  for (const char* candidate : {"tapped", "streamed"}) {
    const SuiteRun run(Arguments("paged", candidate, "tap_rounds"));
    const CaseResult& neutrality = run.At("Preflight/candidate_neutrality");
    EXPECT_EQ(neutrality.outcome, Outcome::kFail);
    EXPECT_THAT(neutrality.verdict.findings,
                ::testing::Contains(HasSubstr(
                    "results move as soon as somebody looks at attn at layer1.attention of prefill")));
    EXPECT_THAT(run.At("SpanParity/decode_embed").verdict.summary,
                HasSubstr("the candidate's taps cannot be believed: observer neutrality"));
    // Served, nothing looks: there the engine is right.
    EXPECT_EQ(run.At("EndToEnd/decode").outcome, Outcome::kPass);
    EXPECT_EQ(run.At("Preflight/candidate_causality").outcome, Outcome::kPass);
    EXPECT_EQ(run.exit_code(), 1);
  }
}

TEST(InOrderNeutrality, OfAReferenceWhoseTapsChangeResultsIsAnError) {
  SuiteArguments arguments = Arguments("tapped", "ported");
  arguments.reference = R"({"name": "tap_rounds"})";
  arguments.filter = "*Preflight*:*decode_embed";
  const SuiteRun run(arguments);
  EXPECT_EQ(run.At("Preflight/reference_neutrality").outcome, Outcome::kError);
  EXPECT_EQ(run.At("SpanParity/decode_embed").outcome, Outcome::kError);
  EXPECT_EQ(run.At("Preflight/reference").outcome, Outcome::kPass);
  EXPECT_EQ(run.exit_code(), 4);
}

TEST(InOrderWriteBack, OfACandidateWhoseTapIsACopyFailsAndSpansWithIt) {
  SuiteArguments arguments = Arguments("paged", "tapped", "dead_tap");
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

TEST(InOrderCausality, OfACandidateThatLooksAheadFails) {
  SuiteArguments arguments = Arguments("paged", "tapped", "looks_ahead");
  arguments.filter = "*Preflight*";
  const SuiteRun run(arguments);
  EXPECT_THAT(RedCases(run.cases()), UnorderedElementsAre("Preflight/candidate_causality"));
  EXPECT_THAT(run.At("Preflight/candidate_causality").verdict.summary,
              AllOf(HasSubstr("causality, probe/prefill, rank 0, logits: another token in row "),
                    HasSubstr("moved")));
}

TEST(InOrderCausality, OfACandidateWhoseBatchLeaksFails) {
  SuiteArguments arguments = Arguments("paged", "streamed", "mixes_sequences");
  arguments.filter = "*Preflight*";
  const SuiteRun run(arguments);
  EXPECT_THAT(RedCases(run.cases()), UnorderedElementsAre("Preflight/candidate_causality"));
  EXPECT_THAT(run.At("Preflight/candidate_causality").verdict.findings,
              ::testing::Contains(HasSubstr("of sequence 0 in probe/decode")));
}

TEST(InOrderTapOnly, AReferenceOnDiskComesToTheSame) {
  const ScratchFolder folder;
  SuiteArguments arguments = Arguments("tapped", "ported", "drift");
  arguments.more = {"--parity_record=" + folder.Path("recording")};
  const SuiteRun live(arguments);
  arguments.more = {"--parity_reference=" + folder.Path("recording")};
  const SuiteRun replayed(arguments);
  EXPECT_EQ(RedCases(live.cases()).size(), 4u) << live.err();
  EXPECT_EQ(RedCases(replayed.cases()), RedCases(live.cases())) << replayed.err();
  EXPECT_EQ(replayed.At("Preflight/reference_write_back").verdict.summary,
            live.At("Preflight/reference_write_back").verdict.summary);
}

// Sides that can be driven at will are probed where the manifest asks for it.
TEST(InOrderCausality, OfOtherSidesIsProbedOnRequest) {
  const std::string rest = "judge: {causality: probed}\n";
  SuiteArguments arguments = Arguments("paged", "ported", "", rest);
  arguments.filter = "*Preflight*";
  const SuiteRun right(arguments);
  EXPECT_THAT(RedCases(right.cases()), IsEmpty());
  EXPECT_THAT(right.At("Preflight/reference_causality").verdict.summary, HasSubstr("causality: "));
  for (const char* mutant : {"looks_ahead", "mixes_sequences"}) {
    arguments = Arguments("paged", "ported", mutant, rest);
    arguments.filter = "*Preflight*";
    EXPECT_THAT(RedCases(SuiteRun(arguments).cases()),
                UnorderedElementsAre("Preflight/candidate_causality"))
        << mutant;
  }
}

}  // namespace
}  // namespace parity::testing
