// llama.cpp and this project's own engines on the same weights: what is right passes, a fault on
// either side is found and its span named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/engines/llama_cpp/suite/case_names.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using nlohmann::json;
using ::testing::IsSupersetOf;

SuiteRun Run(const std::string& manifest, const std::vector<std::string>& configs,
             const std::string& mutant = "") {
  return SuiteRun({.manifest = "manifests/llama_cpp/" + manifest + ".yaml",
                   .candidate = mutant,
                   .more = configs,
                   .environment = {{"GGML_NO_BACKTRACE", "1"}}});
}

// llama.cpp in place of `paged`.
SuiteRun InPlaceOfTiny(const std::string& model, json over = json::object()) {
  over["model"] = ModelPath(model);
  return Run("tiny_vs_llama_cpp", {"--parity_candidate_config=" + over.dump()});
}

// `ported` in place of llama.cpp.
SuiteRun InPlaceOfLlama(const std::string& mutant = "") {
  const json model = {{"model", ModelPath("f32")}};
  return Run("llama_cpp_vs_tiny", {"--parity_reference_config=" + model.dump()}, mutant);
}

Names InEveryLayer(const std::string& before, const std::string& after) {
  Names names;
  for (const char* layer : {"0", "1", "2"}) {
    names = Joined(names, InBoth("SpanParity", before + layer + after));
  }
  return names;
}

// Each layer's attention, whose first span also has what `paged` does once for all of them.
Names AttentionOfTiny() {
  Names names = InBoth("SpanParity", "_rope_rows_to_layer0_attn_residual");
  for (const char* layer : {"1", "2"}) {
    names = Joined(
        names, InBoth("SpanParity", std::string("_layer") + layer + "_attn_norm_to_attn_residual"));
  }
  return names;
}

void ExpectWaivedButForEmbeddings(const SuiteRun& run) {
  EXPECT_EQ(run.exit_code(), 0) << run.out();
  int spans = 0;
  for (const CaseResult& result : run.cases()) {
    if (FixtureOf(result) != "SpanParity") continue;
    ++spans;
    const bool embeddings = SlugOf(result).ends_with("_embed");
    EXPECT_EQ(result.outcome, embeddings ? Outcome::kPass : Outcome::kWaived) << ShortName(result);
  }
  EXPECT_EQ(spans, 18);
  for (const char* program : {"prefill", "decode"}) {
    const CaseResult& logits = run.At(std::string("EndToEnd/") + program);
    EXPECT_EQ(logits.outcome, Outcome::kPass);
    EXPECT_LT(std::strtod(PropertyOf(logits, "kl").c_str(), nullptr), 1e-9);
  }
}

TEST(AcrossEngines, TheOrderOfSumsIsAllThatDiffers) {
  ExpectWaivedButForEmbeddings(InPlaceOfTiny("f32"));
  ExpectWaivedButForEmbeddings(InPlaceOfLlama());
}

TEST(AcrossEngines, AFaultInAMatrixOfTheModelFileIsNamed) {
  for (const char* model : {"f32.scaled", "f32.shifted_row"}) {
    const SuiteRun run = InPlaceOfTiny(model);
    EXPECT_EQ(run.exit_code(), 1);
    EXPECT_EQ(
        RedCases(run.cases()),
        Joined(InBoth("SpanParity", "_layer1_mlp_norm_to_mlp_residual"), InBoth("EndToEnd", "")))
        << model;
  }
}

TEST(AcrossEngines, OtherWeightsOfTheSameShapesAreFoundInEveryLayer) {
  const SuiteRun run = InPlaceOfTiny("f32.other_weights");
  EXPECT_EQ(run.exit_code(), 1);
  Names expected = Joined(InBoth("EndToEnd", ""), InBoth("SpanParity", "_embed"));
  expected = Joined(expected, AttentionOfTiny());
  expected = Joined(expected, InEveryLayer("_layer", "_mlp_norm_to_mlp_residual"));
  EXPECT_THAT(RedCases(run.cases()), IsSupersetOf(expected));
}

TEST(AcrossEngines, ACacheOfSixteenBitsPassedOffAsThirtyTwoIsFoundInAttention) {
  const SuiteRun run = InPlaceOfTiny("f32", {{"type_k", "f16"}, {"type_v", "f16"}});
  // No best logit has moved, and no measure is left by which the logits could pass.
  EXPECT_EQ(run.exit_code(), 3);
  EXPECT_EQ(RedCases(run.cases()), Joined(AttentionOfTiny(), InBoth("EndToEnd", "")));
}

TEST(AcrossEngines, AFaultOfAnEngineHeldToLlamaIsNamed) {
  const SuiteRun run = InPlaceOfLlama(R"({"name": "drift", "layer": 1, "factor": 1.01})");
  EXPECT_EQ(run.exit_code(), 1);
  EXPECT_EQ(RedCases(run.cases()),
            Joined(InBoth("SpanParity", "_layer1_mlp"), InBoth("EndToEnd", "")));
}

// What it computes once for all layers llama.cpp has no name for: the fault shows where it is read.
TEST(AcrossEngines, AFaultInWhatHasNoCounterpartIsFoundWhereItIsRead) {
  const SuiteRun run = InPlaceOfLlama(R"({"name": "drift", "label": "rope_rows", "factor": 1.01})");
  EXPECT_EQ(run.exit_code(), 1);
  EXPECT_EQ(RedCases(run.cases()),
            Joined(InEveryLayer("_layer", "_attention"), InBoth("EndToEnd", "")));
}

}  // namespace
}  // namespace parity::testing
