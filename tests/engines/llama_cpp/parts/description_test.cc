// Cuts found in graphs written down by hand.
#include "gtest_parity/engines/llama_cpp/description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gtest_parity/engines/llama_cpp/error.h"

namespace parity::llama_cpp {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint64_t kRows = 7;

// One layer of a Llama, with the names that are found in every version but for the first.
SeenGraph Graph() {
  const std::vector<std::uint64_t> wide = {kRows, 16};
  return {{"embd", "GET_ROWS", "f32", wide, true, {}, {"token_embd.weight", "inp_tokens"}},
          {"norm-0", "RMS_NORM", "f32", wide, true, {0}, {}},
          {"Qcur-0", "MUL_MAT", "f32", wide, true, {1}, {"blk.0.attn_q.weight"}},
          {"Qcur-0", "RESHAPE", "f32", {kRows, 2, 8}, true, {2}, {}},
          {"Qcur-0", "ROPE", "f32", {kRows, 2, 8}, true, {3}, {"inp_pos"}},
          {"kq-0", "MUL_MAT", "f32", {2, kRows, 256}, true, {4}, {"cache_k_l0", "KQ_mask"}},
          {"kqv_out-0", "MUL_MAT", "f32", wide, true, {5}, {}},
          {"ffn_inp-0", "ADD", "f32", wide, true, {6, 0}, {}},
          {"norm-0", "RMS_NORM", "f32", wide, true, {7}, {}},
          {"ffn_out-0", "MUL_MAT", "f32", wide, true, {8}, {}},
          {"l_out-0", "ADD", "f32", wide, true, {9, 7}, {}},
          {"result_norm", "MUL", "f32", wide, true, {10}, {}},
          {"result_output", "MUL_MAT", "f32", {kRows, 64}, true, {11}, {}}};
}

std::vector<Cut> Found(const std::vector<CutTemplate>& cuts = DefaultCuts()) {
  return FindCuts(Graph(), ExpandLayers(cuts, 1), kRows);
}

std::string ErrorOf(std::vector<CutTemplate> added, const SeenGraph& graph = Graph()) {
  std::vector<CutTemplate> cuts = DefaultCuts();
  cuts.insert(cuts.end(), added.begin(), added.end());
  try {
    FindCuts(graph, ExpandLayers(cuts, 1), kRows);
  } catch (const EngineError& error) {
    EXPECT_EQ(error.status(), PARITY_INVALID);
    return error.what();
  }
  return "";
}

TEST(LlamaDescription, FollowsTheGraphBackToWhatACutIsMadeOf) {
  const std::vector<Cut> cuts = Found();
  ASSERT_EQ(cuts.size(), 5u);
  EXPECT_EQ(cuts[0].node.name, "embd");
  EXPECT_THAT(cuts[0].reads, ElementsAre("tokens"));
  EXPECT_FALSE(cuts[0].updates);
  EXPECT_EQ(cuts[1].label, "layer0.attention");
  EXPECT_THAT(cuts[1].reads, ElementsAre("positions", "row_slot"));
  EXPECT_TRUE(cuts[1].updates);
  EXPECT_THAT(cuts[2].reads, IsEmpty());
  EXPECT_TRUE(cuts[2].updates);
  EXPECT_THAT(cuts[3].reads, ElementsAre("h"));
  EXPECT_FALSE(cuts[3].updates);
  EXPECT_THAT(cuts[4].reads, ElementsAre("x"));
  EXPECT_THAT(cuts[4].row_shape, ElementsAre(64u));
  EXPECT_EQ(cuts[4].RowBytes(), 256u);
}

TEST(LlamaDescription, TakesTheAlternativeThatTheVersionHas) {
  SeenGraph graph = Graph();
  graph[0].name = "inp_embd";
  EXPECT_EQ(FindCuts(graph, ExpandLayers(DefaultCuts(), 1), kRows)[0].node.name, "inp_embd");
}

TEST(LlamaDescription, TellsNodesOfOneNameByOccurrenceAndOp) {
  std::vector<CutTemplate> cuts = DefaultCuts();
  cuts.push_back({"norm", "norm", "n", {{"norm-0", "", 1}}});
  cuts.push_back({"rope", "rope", "q", {{"Qcur-0", "ROPE", 0}}});
  const std::vector<Cut> found = Found(cuts);
  ASSERT_EQ(found.size(), 7u);
  // In the order of the graph, whatever the order of the configuration.
  EXPECT_EQ(found[1].label, "rope");
  EXPECT_THAT(found[1].row_shape, ElementsAre(2u, 8u));
  EXPECT_THAT(found[2].reads, ElementsAre("q", "row_slot"));
  EXPECT_EQ(found[3].label, "norm");
  EXPECT_THAT(found[3].reads, ElementsAre("h"));
}

TEST(LlamaDescription, NamesTheNearestNodesWhereOneIsNotThere) {
  EXPECT_THAT(ErrorOf({{"mine", "mine", "m", {{"ffn_in-0", "", 0}}}}),
              AllOf(HasSubstr("the graph has no node for \"mine\": expected ffn_in-0"),
                    HasSubstr("nearest are ffn_inp-0")));
  EXPECT_THAT(ErrorOf({{"mine", "mine", "m", {{"norm-0", "", 2}}}}), HasSubstr("no node"));
  EXPECT_THAT(ErrorOf({{"mine", "mine", "m", {{"norm-0", "ADD", 0}}}}), HasSubstr("no node"));
}

TEST(LlamaDescription, WantsARowForEachToken) {
  EXPECT_THAT(ErrorOf({{"mine", "mine", "m", {{"kq-0", "", 0}}}}),
              HasSubstr("has 2 rows on its outermost axis, expected one for each of 7 tokens"));
  SeenGraph graph = Graph();
  graph[1].contiguous = false;
  EXPECT_THAT(ErrorOf({{"mine", "mine", "m", {{"norm-0", "", 0}}}}, graph),
              HasSubstr("is not contiguous"));
  graph[1] = {"norm-0", "RMS_NORM", "q8_0", {kRows, 16}, true, {0}, {}};
  EXPECT_THAT(ErrorOf({{"mine", "mine", "m", {{"norm-0", "", 0}}}}, graph),
              HasSubstr("is q8_0, expected f32"));
}

TEST(LlamaDescription, KeepsApartWhatALaterCutStillNeeds) {
  // The layer's output is made of the residual stream, which the product has then overwritten.
  EXPECT_THAT(ErrorOf({{"mine", "mine", "h", {{"ffn_out-0", "", 0}}}}),
              HasSubstr("\"layer0.mlp\" is computed from what \"layer0.attention\" left in buffer "
                        "\"h\", where \"mine\" has written since"));
  EXPECT_THAT(ErrorOf({{"mine", "mine", "x", {{"Qcur-0", "ROPE", 0}}}}),
              HasSubstr("buffer \"x\" is of another type or shape"));
  EXPECT_THAT(ErrorOf({{"mine", "mine", "m", {{"embd", "", 0}}}}), HasSubstr("are the same node"));
  EXPECT_THAT(ErrorOf({{"mine", "mine", "tokens", {{"norm-0", "", 0}}}}),
              HasSubstr("buffer \"tokens\" is an input"));
}

TEST(LlamaDescription, DemandsLogits) {
  std::vector<CutTemplate> cuts = DefaultCuts();
  cuts.pop_back();
  EXPECT_THROW(Found(cuts), EngineError);
}

TEST(LlamaDescription, IsTheSameForBothPrograms) {
  const auto json = nlohmann::json::parse(
      DescriptionText(Found(), {.rows = 32, .sequences = 4, .context = 100, .vocabulary = 64}));
  EXPECT_EQ(json["traits"], nlohmann::json({"sequential", "tap_only"}));
  EXPECT_EQ(json["vars"]["rows"]["max"], 32);
  EXPECT_EQ(json["context"], 100);
  EXPECT_EQ(json["buffers"]["tokens"]["domain"]["max"], 63);
  EXPECT_EQ(json["buffers"]["logits"]["role"], "logits");
  EXPECT_EQ(json["buffers"]["h"]["shape"], nlohmann::json({"rows", 16}));
  ASSERT_EQ(json["programs"].size(), 2u);
  EXPECT_EQ(json["programs"][0]["ops"], json["programs"][1]["ops"]);
  EXPECT_EQ(json["programs"][0]["ops"][1]["updates"], nlohmann::json({"h"}));
  EXPECT_EQ(json["programs"][0]["ops"][3]["writes"], nlohmann::json({"x"}));
}

}  // namespace
}  // namespace parity::llama_cpp
