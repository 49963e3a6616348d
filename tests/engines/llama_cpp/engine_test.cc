// The engine's part of the ABI, over an installed llama.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include "tests/engines/llama_cpp/llama_driver.h"

namespace parity {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;

const Tokens kPrompt = {0, 975, 287, 271, 88, 386, 294, 351, 13, 269};
const Tokens kOther = {0, 496, 458, 698, 315, 524, 284, 84, 287, 506};
constexpr std::size_t kVocabulary = 1024;

// By bits: a NaN is no number, but it is a value.
bool Same(const Values& a, const Values& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

TEST(LlamaEngine, DescribesItselfAsIsCheckedIn) {
  const parity_engine_api& api = LlamaApi();
  EXPECT_EQ(api.traits, static_cast<std::uint32_t>(PARITY_SEQUENTIAL | PARITY_TAP_ONLY));
  const std::string config = json{{"model", LlamaModel()}}.dump();
  const char* text = nullptr;
  ASSERT_EQ(api.describe(config.c_str(), &text), PARITY_OK) << api.last_error(nullptr);
  std::ifstream file(PARITY_SOURCE_DIR "/manifests/llama_cpp/kjv_2m.json");
  EXPECT_TRUE(json::parse(text) == json::parse(file)) << text;
}

TEST(LlamaEngine, DescribesTheSameWhateverItIsComputedIn) {
  const auto described = [](const json& over) {
    const char* text = nullptr;
    const std::string config = LlamaConfig(over);
    EXPECT_EQ(LlamaApi().describe(config.c_str(), &text), PARITY_OK)
        << LlamaApi().last_error(nullptr);
    return json::parse(text);
  };
  const json expected = described(json::object());
  const json settings[] = {{{"ubatch", 1}},
                           {{"rpc_servers", 2}},
                           {{"flash_attention", "on"}, {"type_k", "q8_0"}, {"type_v", "q8_0"}},
                           {{"model", LlamaModel("kjv-2m.q8_0")}}};
  for (const json& over : settings) EXPECT_TRUE(described(over) == expected) << over;
}

TEST(LlamaEngine, RepeatsTheStagedStepBitForBit) {
  LlamaRank rank;
  const Values first = rank.Step("prefill", {{0, kPrompt}});
  EXPECT_EQ(first.size(), kPrompt.size() * kVocabulary);
  ASSERT_EQ(rank.Run("prefill"), PARITY_OK);
  EXPECT_TRUE(Same(rank.Logits(), first));
  const Values next = rank.Step("decode", {{0, {7}}});
  rank.Reset();
  EXPECT_TRUE(Same(rank.Step("prefill", {{0, kPrompt}}), first));
  EXPECT_TRUE(Same(rank.Step("decode", {{0, {7}}}), next));
}

TEST(LlamaEngine, IsNotMovedByWhoLooks) {
  LlamaRank rank;
  const Values served = rank.Step("prefill", {{0, kPrompt}});
  rank.Reset();
  const std::vector<Values> seen = rank.Seen("prefill", {{0, kPrompt}});
  EXPECT_TRUE(Same(rank.Logits(), served));
  EXPECT_TRUE(Same(seen.back(), served));
  for (const Values& values : seen) EXPECT_EQ(values.size() % kPrompt.size(), 0u);
}

TEST(LlamaEngine, TakesOverWhatTheHarnessWrites) {
  LlamaRank rank;
  ASSERT_EQ(rank.Stage("prefill", {{0, kPrompt}}), PARITY_OK);
  const std::uint32_t norm = rank.OpOf("final_norm");
  const auto zero = [&](std::uint32_t op, float* values, std::size_t count) {
    if (op == norm) std::fill(values, values + count, 0.f);
  };
  ASSERT_EQ(rank.RunTapped("prefill", zero), PARITY_OK) << rank.Error();
  EXPECT_THAT(rank.Logits(), Each(0.f));
}

// In one graph, in several of several sizes, and with a decode for each sequence.
const json kPieces[] = {json::object(),
                        {{"ubatch", 4}},
                        {{"ubatch", 3}, {"sequences_per_decode", 1}},
                        {{"sequences_per_decode", 1}},
                        {{"ubatch", 2}, {"sequences_per_decode", 2}}};

TEST(LlamaEngine, FollowsTheValuesThatItIsGivenHoweverItComputesAStep) {
  // Sequences of several lengths that begin alike: llama.cpp computes them in several graphs and
  // with their rows in another order.
  const auto parts = [](const Tokens& tokens) {
    return std::vector<Part>{{0, tokens},
                             {1, {tokens.begin(), tokens.end() - 3}},
                             {2, {tokens.begin(), tokens.begin() + 1}}};
  };
  for (const json& pieces : kPieces) {
    SCOPED_TRACE(pieces.dump());
    LlamaRank rank(pieces);
    const std::vector<Values> others = rank.Seen("prefill", parts(kOther));
    const Values next = rank.Step("decode", {{0, {7}}, {1, {8}}, {2, {9}}});
    for (const char* label : {"embed", "layer0.mlp", "layer1.attention"}) {
      // With the other prompt's values in the place of its own it becomes the other's: what is left
      // of the model, its cache included, reads nothing else.
      SCOPED_TRACE(label);
      const std::uint32_t from = rank.OpOf(label);
      rank.Reset();
      ASSERT_EQ(rank.Stage("prefill", parts(kPrompt)), PARITY_OK) << rank.Error();
      const auto force = [&](std::uint32_t op, float* values, std::size_t count) {
        ASSERT_EQ(count, others[op].size());
        if (op > from) {
          EXPECT_TRUE(Same({values, values + count}, others[op])) << op;
        }
        if (op == from) std::copy(others[op].begin(), others[op].end(), values);
      };
      ASSERT_EQ(rank.RunTapped("prefill", force), PARITY_OK) << rank.Error();
      EXPECT_TRUE(Same(rank.Logits(), others.back()));
      // The sequence of one token had the same one, and the caches of the layers before the cut are
      // the prompt's own.
      if (from == 0) {
        EXPECT_TRUE(Same(rank.Step("decode", {{0, {7}}, {1, {8}}, {2, {9}}}), next));
      }
    }
  }
}

TEST(LlamaEngine, GivesEachRowItsOwnValues) {
  for (const json& pieces : kPieces) {
    SCOPED_TRACE(pieces.dump());
    LlamaRank rank(pieces);
    const Values alone = rank.Seen("prefill", {{0, {5, 6, 7}}})[0];
    rank.Reset();
    const Values values = rank.Seen("prefill", {{0, {5, 6}}, {1, {5}}, {2, {7, 6, 5, 5}}})[0];
    const std::size_t width = alone.size() / 3;
    const std::size_t expected[] = {0, 1, 0, 2, 1, 0, 0};
    for (std::size_t row = 0; row < std::size(expected); ++row) {
      EXPECT_TRUE(std::equal(&values[row * width], &values[row * width] + width,
                             &alone[expected[row] * width]))
          << row;
    }
  }
}

TEST(LlamaEngine, MovesNoRowBeforeAChangedOne) {
  LlamaRank rank;
  const Values before = rank.Step("prefill", {{0, kPrompt}});
  rank.Reset();
  ASSERT_EQ(rank.Stage("prefill", {{0, kPrompt}}), PARITY_OK);
  constexpr std::size_t kRow = 4;
  const auto move = [&](std::uint32_t op, float* values, std::size_t count) {
    const std::size_t width = count / kPrompt.size();
    if (op == 0) values[kRow * width] += 0.5f;
  };
  ASSERT_EQ(rank.RunTapped("prefill", move), PARITY_OK) << rank.Error();
  const Values after = rank.Logits();
  for (std::size_t row = 0; row < kPrompt.size(); ++row) {
    const bool same = std::equal(&after[row * kVocabulary], &after[row * kVocabulary] + kVocabulary,
                                 &before[row * kVocabulary]);
    EXPECT_EQ(same, row < kRow) << row;
  }
}

TEST(LlamaEngine, EndsARunThatTheHarnessEndsAndGoesOn) {
  for (const json& pieces : kPieces) {
    LlamaRank rank(pieces);
    const Values served = rank.Step("prefill", {{0, kPrompt}});
    rank.Reset();
    ASSERT_EQ(rank.Stage("prefill", {{0, kPrompt}}), PARITY_OK);
    const auto end = [](std::uint32_t op, float*, std::size_t) {
      if (op == 3) throw std::runtime_error("seen enough");
    };
    EXPECT_EQ(rank.RunTapped("prefill", end), PARITY_CANCELLED);
    EXPECT_THAT(rank.Error(), HasSubstr("ended the run"));
    ASSERT_EQ(rank.Run("prefill"), PARITY_OK) << rank.Error();
    EXPECT_TRUE(Same(rank.Logits(), served));
  }
}

TEST(LlamaEngine, EndsACallThatIsCancelledAndGoesOn) {
  LlamaRank rank;
  ASSERT_EQ(rank.Stage("prefill", {{0, kPrompt}}), PARITY_OK);
  const auto cancel = [&](std::uint32_t op, float*, std::size_t) {
    if (op == 1) rank.api().cancel(rank.get());
  };
  EXPECT_EQ(rank.RunTapped("prefill", cancel), PARITY_CANCELLED);
  EXPECT_EQ(rank.Run("prefill"), PARITY_OK) << rank.Error();
}

TEST(LlamaEngine, RefusesCallsOutOfTurn) {
  LlamaRank rank;
  EXPECT_EQ(rank.Run("prefill"), PARITY_INVALID);
  EXPECT_THAT(rank.Error(), HasSubstr("the staged step is for \"\""));
  ASSERT_EQ(rank.Stage("prefill", {{0, kPrompt}}), PARITY_OK);
  EXPECT_EQ(rank.Run("decode"), PARITY_INVALID);
  EXPECT_EQ(rank.api().run(rank.get(), "prefill", 0, 1), PARITY_UNSUPPORTED);
  EXPECT_THAT(rank.Error(), HasSubstr("only whole programs can be run"));
  EXPECT_EQ(rank.Stage("decode", {{0, {1}}}), PARITY_REFUSED);
  EXPECT_THAT(rank.Refusal(), HasSubstr("step_finished"));
  parity_region region{};
  region.struct_size = sizeof(region);
  EXPECT_EQ(rank.api().region(rank.get(), PARITY_BUFFER, "logits", &region), PARITY_INVALID);
  EXPECT_EQ(rank.api().region(rank.get(), PARITY_BUFFER, "h", &region), PARITY_UNSUPPORTED);
  EXPECT_EQ(rank.api().region(rank.get(), PARITY_STATE, "logits", &region), PARITY_UNSUPPORTED);
}

TEST(LlamaEngine, RefusesTapsThatItHasNot) {
  LlamaRank rank;
  ASSERT_EQ(rank.Stage("prefill", {{0, kPrompt}}), PARITY_OK);
  const auto run = [&](std::vector<parity_tap> taps) {
    return rank.api().run_tapped(
        rank.get(), "prefill", taps.data(), static_cast<std::uint32_t>(taps.size()),
        [](void*, std::uint32_t, const parity_region*) { return PARITY_OK; }, nullptr);
  };
  const parity_tap tap = {sizeof(parity_tap), PARITY_BUFFER, 0, "h"};
  EXPECT_EQ(run({tap, tap}), PARITY_INVALID);
  EXPECT_EQ(run({{sizeof(parity_tap), PARITY_BUFFER, 0, "x"}}), PARITY_INVALID);
  EXPECT_THAT(rank.Error(), HasSubstr("which op embed does not write"));
  EXPECT_EQ(run({{sizeof(parity_tap), PARITY_BUFFER, 99, "h"}}), PARITY_INVALID);
  EXPECT_EQ(run({{sizeof(parity_tap), PARITY_STATE, 0, "h"}}), PARITY_UNSUPPORTED);
  EXPECT_EQ(run({}), PARITY_OK) << rank.Error();
}

TEST(LlamaEngine, ComputesTheSameOnTwoDevicesOfItsOwn) {
  LlamaRank cpu, spread(json{{"rpc_servers", 2}});
  const std::vector<Values> expected = cpu.Seen("prefill", {{0, kPrompt}, {1, kOther}});
  const std::vector<Values> seen = spread.Seen("prefill", {{0, kPrompt}, {1, kOther}});
  ASSERT_EQ(seen.size(), expected.size());
  for (std::size_t op = 0; op < seen.size(); ++op) EXPECT_TRUE(Same(seen[op], expected[op])) << op;
}

TEST(LlamaEngine, TakesOtherCuts) {
  const json cuts = {{{"label", "embed"}, {"buffer", "h"}, {"nodes", {"embd", "inp_embd"}}},
                     {{"label", "layer{layer}.query"},
                      {"buffer", "layer{layer}.q"},
                      {"nodes", {{{"name", "Qcur-{layer}"}, {"op", "ROPE"}}}}},
                     {{"label", "head"}, {"buffer", "logits"}, {"nodes", {"result_output"}}}};
  LlamaRank rank(json{{"cuts", cuts}});
  const std::vector<Values> seen = rank.Seen("prefill", {{0, kPrompt}});
  ASSERT_EQ(seen.size(), 5u);
  EXPECT_EQ(seen[1].size(), seen[0].size());
  EXPECT_FALSE(Same(seen[1], seen[2]));
}

TEST(LlamaEngine, CountsWhatItDid) {
  LlamaRank rank(json{{"ubatch", 4}});
  rank.Step("prefill", {{0, kPrompt}});
  EXPECT_EQ(rank.Counters()["tokens"], 10);
  rank.Seen("decode", {{0, {7}}});
  const json counters = rank.Counters();
  EXPECT_EQ(counters["steps"], 2);
  EXPECT_EQ(counters["tokens"], 11);
  EXPECT_EQ(counters["decodes"], 2);
  EXPECT_EQ(counters["ubatches"], 1);
  EXPECT_GT(counters["nodes"], 50);
}

TEST(LlamaEngine, SaysWhatIsWrongWithItsConfiguration) {
  const auto error = [&](const json& over) { return LlamaErrorOf(over); };
  EXPECT_THAT(error({{"model", "/nowhere/m.gguf"}}),
              HasSubstr("config.model: no file \"/nowhere/m.gguf\", expected a model in GGUF"));
  EXPECT_THAT(error({{"model", PARITY_SOURCE_DIR "/README.md"}}),
              AllOf(HasSubstr("failed: "), HasSubstr("cannot load"), HasSubstr("llama.cpp said: "),
                    HasSubstr("failed to load model")));
  EXPECT_THAT(error({{"type_k", "f17"}}),
              AllOf(HasSubstr("config.type_k is \"f17\", expected a type of ggml: f32, f16"),
                    HasSubstr("q8_0")));
  EXPECT_THAT(error({{"type_v", "q8_0"}}),
              AllOf(HasSubstr("refused: "), HasSubstr("cannot make a context"),
                    HasSubstr("llama.cpp said: "), HasSubstr("flash_attn")));
  EXPECT_THAT(
      error({{"devices", {"CUDA77"}}}),
      AllOf(HasSubstr("config.devices: no device \"CUDA77\", there are "), HasSubstr("CPU")));
  EXPECT_THAT(
      error({{"cuts", {{{"label", "out"}, {"buffer", "logits"}, {"nodes", {"result_outpt"}}}}}}),
      AllOf(HasSubstr("expected result_outpt"), HasSubstr("nearest are result_output")));
}

TEST(LlamaEngine, IsOneRankInHostMemory) {
  const parity_engine_api& api = LlamaApi();
  const std::string config = LlamaConfig();
  parity_create_args args{};
  args.struct_size = sizeof(args);
  args.rank_count = 2;
  args.device = -1;
  args.config = config.c_str();
  parity_rank* rank = nullptr;
  EXPECT_EQ(api.create(&args, &rank), PARITY_INVALID);
  EXPECT_THAT(api.last_error(nullptr), HasSubstr("rank_count is 2"));
  args.rank_count = 1;
  args.device = 0;
  EXPECT_EQ(api.create(&args, &rank), PARITY_INVALID);
  EXPECT_THAT(api.last_error(nullptr), HasSubstr("expected backend: host"));
}

}  // namespace
}  // namespace parity
