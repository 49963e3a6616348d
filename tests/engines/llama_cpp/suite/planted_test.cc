// Faults planted in the model's file, and settings passed off as others: each is found, and where.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/engines/llama_cpp/suite/case_names.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

// Of a manifest of llama.cpp's; `model` is the candidate's, and `over` on its configuration.
SuiteRun Compare(const std::string& manifest, const std::string& model,
                 const json& over = json::object(), const json& reference_over = json::object()) {
  const auto config = [](const std::string& name, json config) {
    config["model"] = ModelPath(name);
    return config.dump();
  };
  return SuiteRun({.manifest = "manifests/llama_cpp/" + manifest + ".yaml",
                   .more = {"--parity_reference_config=" + config("f32", reference_over),
                            "--parity_candidate_config=" + config(model, over)},
                   .environment = {{"GGML_NO_BACKTRACE", "1"}}});
}

TEST(LlamaPlanted, NothingIsFoundInWhatIsRight) {
  const SuiteRun run = Compare("self", "f32");
  EXPECT_EQ(run.exit_code(), 0) << run.out();
  for (const char* side : {"reference", "candidate"}) {
    for (const char* check : {"neutrality", "write_back", "causality"}) {
      const std::string name = std::string("Preflight/") + side + "_" + check;
      EXPECT_EQ(run.At(name).outcome, Outcome::kPass) << name;
    }
  }
}

TEST(LlamaPlanted, AMatrixThatIsTwoPercentTooLargeIsNamed) {
  const SuiteRun run = Compare("self", "f32.scaled");
  EXPECT_EQ(run.exit_code(), 1);
  EXPECT_EQ(RedCases(run.cases()),
            Joined(InBoth("SpanParity", "_layer1_mlp"), InBoth("EndToEnd", "")));
}

TEST(LlamaPlanted, AShiftedRowIsNamed) {
  const SuiteRun run = Compare("self", "f32.shifted_row");
  EXPECT_EQ(run.exit_code(), 1);
  EXPECT_EQ(RedCases(run.cases()),
            Joined(InBoth("SpanParity", "_layer1_mlp"), InBoth("EndToEnd", "")));
}

TEST(LlamaPlanted, OtherWeightsOfTheSameShapesAreFoundInEveryLayer) {
  const SuiteRun run = Compare("self", "f32.other_weights");
  EXPECT_EQ(run.exit_code(), 1);
  Names expected = Joined(InBoth("EndToEnd", ""), InBoth("SpanParity", "_embed"));
  for (const char* op : {"_layer0_attention", "_layer1_mlp", "_layer2_attention", "_head"}) {
    expected = Joined(expected, InBoth("SpanParity", op));
  }
  EXPECT_THAT(RedCases(run.cases()), IsSupersetOf(expected));
}

TEST(LlamaPlanted, ACacheOfFourBitsPassedOffAsSixteenIsFoundInAttention) {
  const json flash = {{"flash_attention", "on"}};
  json q4 = flash;
  q4["type_k"] = q4["type_v"] = "q4_0";
  const SuiteRun run = Compare("self", "f32", q4, flash);
  EXPECT_EQ(run.exit_code(), 1);
  Names expected = InBoth("EndToEnd", "");
  for (const char* layer : {"0", "1", "2"}) {
    expected = Joined(expected, InBoth("SpanParity", std::string("_layer") + layer + "_attention"));
  }
  EXPECT_EQ(RedCases(run.cases()), expected);
}

TEST(LlamaPlanted, ACacheOfFourBitsIsBeyondTheBoundOfEight) {
  const SuiteRun run = Compare("kv_q4_0", "f32");
  EXPECT_EQ(run.exit_code(), 1);
  EXPECT_THAT(RedCases(run.cases()), IsSupersetOf(InBoth("EndToEnd", "")));
}

TEST(LlamaPlanted, AFaultThatAChangedCacheHidesFromTheLogitsIsFoundInItsSpan) {
  const ScratchFolder folder;
  const std::string model = folder.Path("one_percent.gguf");
  ASSERT_EQ(RunProgram({PARITY_GGUF, "edit", ModelPath("f32"), model, "--scale",
                        "blk.1.ffn_up.weight=1.01"})
                .exit_code,
            0);
  // The logits do not tell it from what the cache does to them.
  const SuiteRun run = Compare("kv_q8_0", model);
  EXPECT_EQ(run.exit_code(), 1);
  EXPECT_EQ(RedCases(run.cases()), InBoth("SpanParity", "_layer1_mlp"));
}

}  // namespace
}  // namespace parity::testing
