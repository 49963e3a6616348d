#include "gtest_parity/engines/llama_cpp/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/engines/llama_cpp/error.h"

namespace parity::llama_cpp {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string ErrorOf(const char* text) {
  try {
    ParseConfig(text);
  } catch (const EngineError& error) {
    EXPECT_EQ(error.status(), PARITY_INVALID);
    return error.what();
  }
  return "";
}

TEST(LlamaConfig, NeedsAModelAndNothingElse) {
  const EngineConfig config = ParseConfig(R"({"model": "m.gguf"})");
  EXPECT_EQ(config.model, "m.gguf");
  EXPECT_EQ(config.threads, 1u);
  EXPECT_EQ(config.flash_attention, FlashAttention::kOff);
  EXPECT_FALSE(config.kv_unified.has_value());
  EXPECT_FALSE(config.gpu_layers.has_value());
  EXPECT_EQ(config.cuts.size(), DefaultCuts().size());
  EXPECT_THAT(ErrorOf("{}"), HasSubstr("config.model is missing, expected the path of a model"));
}

TEST(LlamaConfig, TakesEveryKey) {
  const EngineConfig config = ParseConfig(R"({"model": "m", "threads": 2, "batch": 64, "ubatch": 8,
      "context": 128, "sequences": 3, "sequences_per_decode": 1, "flash_attention": "auto",
      "type_k": "q8_0", "type_v": "f32", "kv_unified": true, "devices": ["CUDA0"],
      "rpc": ["h:1"], "rpc_servers": 2, "split_mode": "row", "gpu_layers": 0})");
  EXPECT_EQ(config.threads, 2u);
  EXPECT_EQ(config.batch, 64u);
  EXPECT_EQ(config.ubatch, 8u);
  EXPECT_EQ(config.context, 128u);
  EXPECT_EQ(config.sequences, 3u);
  EXPECT_EQ(config.sequences_per_decode, 1u);
  EXPECT_EQ(config.flash_attention, FlashAttention::kAuto);
  EXPECT_EQ(config.type_k, "q8_0");
  EXPECT_EQ(config.type_v, "f32");
  EXPECT_EQ(config.kv_unified, true);
  EXPECT_THAT(config.devices, ElementsAre("CUDA0"));
  EXPECT_THAT(config.rpc, ElementsAre("h:1"));
  EXPECT_EQ(config.rpc_servers, 2u);
  EXPECT_EQ(config.split_mode, "row");
  EXPECT_EQ(config.gpu_layers, 0u);
}

TEST(LlamaConfig, ComputesNoMoreRowsInAGraphThanAStepHas) {
  EXPECT_EQ(ParseConfig(R"({"model": "m", "batch": 64})").ubatch, 64u);
}

TEST(LlamaConfig, NamesTheNearestKeyAndValue) {
  EXPECT_THAT(ErrorOf(R"({"model": "m", "thread": 2})"),
              AllOf(HasSubstr("config: unknown key \"thread\""),
                    HasSubstr("did you mean \"threads\"?"), HasSubstr("rpc_servers")));
  EXPECT_THAT(ErrorOf(R"({"model": "m", "flash_attention": "of"})"),
              HasSubstr("config.flash_attention is \"of\", did you mean \"off\"?"));
  EXPECT_THAT(ErrorOf(R"({"model": "m", "split_mode": "layers"})"),
              HasSubstr("did you mean \"layer\"?"));
}

TEST(LlamaConfig, RefusesWhatIsNotAsExpected) {
  EXPECT_THAT(ErrorOf("{"), HasSubstr("config is no JSON"));
  EXPECT_THAT(ErrorOf("[]"), HasSubstr("config is [], expected an object"));
  EXPECT_THAT(ErrorOf(R"({"model": 1})"), HasSubstr("config.model is 1, expected a string"));
  EXPECT_THAT(ErrorOf(R"({"model": "m", "threads": 0})"),
              HasSubstr("config.threads is 0, expected 1 to "));
  EXPECT_THAT(ErrorOf(R"({"model": "m", "batch": -1})"),
              HasSubstr("config.batch is -1, expected a whole number"));
  EXPECT_THAT(ErrorOf(R"({"model": "m", "batch": 4294967296})"), HasSubstr("expected 1 to "));
  EXPECT_THAT(ErrorOf(R"({"model": "m", "kv_unified": 1})"), HasSubstr("expected true or false"));
  EXPECT_THAT(ErrorOf(R"({"model": "m", "devices": "CUDA0"})"),
              HasSubstr("config.devices is \"CUDA0\", expected a list of strings"));
  EXPECT_THAT(ErrorOf(R"({"model": "m", "devices": [1]})"), HasSubstr("a list of strings"));
}

TEST(LlamaCuts, StandForEveryLayer) {
  const EngineConfig config = ParseConfig(R"({"model": "m", "cuts": [
      {"label": "layer{layer}.norm", "buffer": "n{layer}", "nodes": ["a-{layer}", "b-{layer}"]},
      {"label": "head", "buffer": "logits", "op": "matmul",
       "nodes": [{"name": "out", "op": "MUL_MAT", "occurrence": 1}]}]})");
  const std::vector<CutTemplate> cuts = ExpandLayers(config.cuts, 2);
  ASSERT_EQ(cuts.size(), 3u);
  EXPECT_EQ(cuts[1].label, "layer1.norm");
  EXPECT_EQ(cuts[1].op, "norm");
  EXPECT_EQ(cuts[1].buffer, "n1");
  EXPECT_EQ(cuts[1].nodes[1].name, "b-1");
  EXPECT_EQ(cuts[2].op, "matmul");
  EXPECT_EQ(cuts[2].nodes[0].op, "MUL_MAT");
  EXPECT_EQ(cuts[2].nodes[0].occurrence, 1u);
}

TEST(LlamaCuts, AreRefusedWithWords) {
  const auto error = [](const std::string& cuts) {
    return ErrorOf((R"({"model": "m", "cuts": )" + cuts + "}").c_str());
  };
  EXPECT_THAT(error("[]"), HasSubstr("config.cuts is [], expected a list of cuts"));
  EXPECT_THAT(error("[1]"), HasSubstr("config.cuts[0] is 1, expected an object"));
  EXPECT_THAT(error(R"([{"label": "a"}])"), HasSubstr("config.cuts[0].buffer is missing"));
  EXPECT_THAT(error(R"([{"label": "a", "buffer": "b"}])"),
              HasSubstr("config.cuts[0].nodes: expected a list of node names"));
  EXPECT_THAT(error(R"([{"label": "a", "buffer": "b", "nodes": [{"nam": "x"}]}])"),
              HasSubstr("config.cuts[0].nodes[0]: unknown key \"nam\", did you mean \"name\"?"));
  EXPECT_THAT(error(R"([{"label": "a{layer}", "buffer": "b", "nodes": ["x"]}])"),
              HasSubstr("{layer} must stand in its label and in the names of its nodes"));
  EXPECT_THAT(error(R"([{"label": "a", "buffer": "b", "nodes": ["x-{layer}"]}])"),
              HasSubstr("{layer} must stand in its label"));
}

TEST(LlamaCuts, HaveLabelsOfTheirOwn) {
  const CutTemplate cut{"a", "a", "b", {{"x", "", 0}}};
  EXPECT_THROW(ExpandLayers({cut, cut}, 1), EngineError);
}

}  // namespace
}  // namespace parity::llama_cpp
