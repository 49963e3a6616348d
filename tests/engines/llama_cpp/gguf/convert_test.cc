// Conversion of a model of which each value is known, and of the tiny model.
#include "gtest_parity/engines/llama_cpp/gguf/convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/engines/llama_cpp/gguf/gguf_file.h"
#include "gtest_parity/engines/llama_cpp/gguf/numbers.h"
#include "gtest_parity/manifest/sha256.h"
#include "tests/engines/llama_cpp/gguf/small_model.h"

namespace parity::gguf::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::Not;
using ::testing::SizeIs;

constexpr char kTinyModel[] = PARITY_SOURCE_DIR "/manifests/tiny/model";

struct Converted {
  std::string bytes;
  Layout layout;

  Converted(const std::string& folder, const ConvertOptions& options)
      : bytes(Convert(folder, options)), layout(ReadLayout("converted.gguf", bytes)) {}

  std::string TextAt(const std::string& key) const {
    const Value* value = Find(layout.metadata, key);
    return value == nullptr ? "none" : TextOf(*value);
  }
  const Tensor& At(const std::string& name) const {
    const Tensor* tensor = FindTensor(layout, name);
    EXPECT_NE(tensor, nullptr) << name;
    return *tensor;
  }
  std::vector<float> Values(const std::string& name) const {
    const Tensor& tensor = At(name);
    return Decode(std::string_view(bytes).substr(tensor.offset, tensor.bytes), tensor.type->number);
  }
};

TEST(Convert, WritesTheModelsSizes) {
  const Converted small(SmallModel().Folder(), {kF32, "small", true});
  EXPECT_EQ(small.TextAt("general.architecture"), "\"llama\"");
  EXPECT_EQ(small.TextAt("general.name"), "\"small\"");
  EXPECT_EQ(small.TextAt("general.alignment"), "32");
  EXPECT_EQ(small.TextAt("llama.block_count"), "1");
  EXPECT_EQ(small.TextAt("llama.embedding_length"), "32");
  EXPECT_EQ(small.TextAt("llama.feed_forward_length"), "32");
  EXPECT_EQ(small.TextAt("llama.attention.head_count"), "2");
  EXPECT_EQ(small.TextAt("llama.attention.head_count_kv"), "1");
  EXPECT_EQ(small.TextAt("llama.attention.key_length"), "8");
  EXPECT_EQ(small.TextAt("llama.attention.value_length"), "8");
  EXPECT_EQ(small.TextAt("llama.rope.dimension_count"), "8");
  EXPECT_EQ(small.TextAt("llama.context_length"), "64");
  EXPECT_EQ(small.TextAt("llama.vocab_size"), "6");
  EXPECT_EQ(small.TextAt("llama.attention.layer_norm_rms_epsilon"), "0.5");
  EXPECT_EQ(small.TextAt("llama.rope.freq_base"), "500.0");
}

TEST(Convert, WritesTheTokenizer) {
  const Converted small(SmallModel().Folder(), {});
  const Metadata& keys = small.layout.metadata;
  EXPECT_EQ(small.TextAt("tokenizer.ggml.model"), "\"gpt2\"");
  EXPECT_EQ(small.TextAt("tokenizer.ggml.pre"), "\"gpt-2\"");
  EXPECT_EQ(*Find(keys, "tokenizer.ggml.tokens"), Texts({"<s>", "</s>", "a", "b", "ab", "<tool>"}));
  // Control, user defined, normal: gguf-py's TokenType.
  EXPECT_EQ(*Find(keys, "tokenizer.ggml.token_type"), I32s({3, 3, 1, 1, 1, 4}));
  EXPECT_EQ(*Find(keys, "tokenizer.ggml.merges"), Texts({"a b"}));
  EXPECT_EQ(small.TextAt("tokenizer.ggml.bos_token_id"), "0");
  EXPECT_EQ(small.TextAt("tokenizer.ggml.eos_token_id"), "1");
  EXPECT_EQ(small.TextAt("tokenizer.ggml.add_bos_token"), "true");
  EXPECT_EQ(small.TextAt("tokenizer.ggml.add_eos_token"), "false");
  EXPECT_EQ(small.TextAt("tokenizer.chat_template"), "none");
}

TEST(Convert, LeavesOutWhatTheFolderHasNot) {
  SmallModel model;
  model.config["bos_token_id"] = nullptr;
  model.config.erase("eos_token_id");
  const Converted small(model.Folder(), {kF32, "", false});
  EXPECT_EQ(small.TextAt("general.name"), "none");
  EXPECT_EQ(small.TextAt("tokenizer.ggml.bos_token_id"), "none");
  EXPECT_EQ(small.TextAt("tokenizer.ggml.eos_token_id"), "none");
  EXPECT_EQ(small.TextAt("tokenizer.ggml.add_bos_token"), "false");
}

TEST(Convert, WritesTheChatTemplateThatIsThere) {
  const Converted tiny(kTinyModel, {kQ8_0, "", true});
  const Value* chat = Find(tiny.layout.metadata, "tokenizer.chat_template");
  ASSERT_NE(chat, nullptr);
  EXPECT_THAT(chat->bytes, SizeIs(8 + 128));
}

TEST(Convert, PermutesQueriesAndKeysAndNothingElse) {
  const Converted small(SmallModel().Folder(), {});
  // Row r begins with 2 r; 8 rows are a head, whose halves are interleaved.
  const std::vector<float> query = small.Values("blk.0.attn_q.weight");
  const std::vector<float> key = small.Values("blk.0.attn_k.weight");
  const std::vector<float> value = small.Values("blk.0.attn_v.weight");
  std::vector<float> queries, keys, values;
  for (std::size_t row = 0; row < 8; ++row) {
    queries.push_back(query[(8 + row) * 32]);
    keys.push_back(key[row * 32]);
    values.push_back(value[row * 32]);
  }
  EXPECT_THAT(queries, ElementsAre(16, 24, 18, 26, 20, 28, 22, 30));
  EXPECT_THAT(keys, ElementsAre(0, 8, 2, 10, 4, 12, 6, 14));
  EXPECT_THAT(values, ElementsAre(0, 2, 4, 6, 8, 10, 12, 14));
}

TEST(Convert, LeavesATiedHeadTied) {
  SmallModel model;
  EXPECT_EQ(FindTensor(Converted(model.Folder(), {}).layout, "output.weight"), nullptr);
  model.config["tie_word_embeddings"] = false;
  model.tensors["lm_head.weight"] = model.tensors["model.embed_tokens.weight"];
  const Converted untied(model.Folder(), {});
  EXPECT_EQ(untied.Values("output.weight"), untied.Values("token_embd.weight"));
}

TEST(Convert, KeepsVectorsInF32) {
  for (const char* name : {"f16", "bf16", "q8_0"}) {
    SmallModel model;
    // Rows of 16 are no whole blocks of q8_0.
    model.config["head_dim"] = 16;
    const auto doubled = [](SmallTensor tensor, std::uint64_t rows, std::uint64_t columns) {
      return SmallTensor{tensor.dtype, {rows, columns}, tensor.data + tensor.data};
    };
    const std::string attention = "model.layers.0.self_attn.";
    for (const auto& [part, rows, columns] :
         {std::tuple("q_proj", 32, 32), std::tuple("k_proj", 16, 32), std::tuple("v_proj", 16, 32),
          std::tuple("o_proj", 32, 32)}) {
      SmallTensor& tensor = model.tensors[attention + part + ".weight"];
      tensor =
          doubled(tensor, static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns));
    }
    const Converted small(model.Folder(), {FindTensorType(name)->number, "", true});
    for (const Tensor& tensor : small.layout.tensors) {
      EXPECT_EQ(tensor.type->name, tensor.shape.size() > 1 ? name : "f32") << tensor.name;
    }
    EXPECT_EQ(small.Values("output_norm.weight")[31], 31.0f / 16);
  }
}

TEST(Convert, ReadsEachTypeThatIsExact) {
  SmallModel model;
  const std::vector<float> values(32, -0.75f);
  for (const auto& [dtype, type] :
       {std::pair("F32", kF32), std::pair("F16", kF16), std::pair("BF16", kBF16)}) {
    model.tensors["model.norm.weight"] = {dtype, {32}, Encode(values, type)};
    EXPECT_EQ(Converted(model.Folder(), {}).Values("output_norm.weight"), values) << dtype;
  }
}

TEST(Convert, TheTinyModelHasAllOfItsTensors) {
  const Converted tiny(kTinyModel, {});
  EXPECT_THAT(tiny.layout.tensors, SizeIs(29));
  EXPECT_THAT(tiny.At("token_embd.weight").shape, ElementsAre(256, 1024));
  EXPECT_THAT(tiny.At("blk.2.ffn_down.weight").shape, ElementsAre(512, 256));
  EXPECT_EQ(FindTensor(tiny.layout, "output.weight"), nullptr);
  // Every second row of the first head is where it was in the first half.
  const std::vector<float> f32 = tiny.Values("blk.0.attn_q.weight");
  const std::vector<float> f16 =
      Converted(kTinyModel, {kF16, "", true}).Values("blk.0.attn_q.weight");
  EXPECT_THAT(f32, SizeIs(65536));
  EXPECT_THAT(f16, Not(ElementsAre()));
  for (std::size_t i = 0; i < f32.size(); ++i) EXPECT_NEAR(f16[i], f32[i], 0x1p-11 + 1e-3);
}

// What is recorded of these files elsewhere is recorded of these bytes.
TEST(Convert, TheTinyModelIsTheSameBytesOnAnyMachine) {
  const auto hash = [](std::uint32_t type) {
    return Sha256Of(Convert(kTinyModel, {type, "kjv-2m", true}));
  };
  EXPECT_EQ(hash(kF32), "ebb9360c3c418bae7a5593ad8c31c839aaf1bc04e8b6854816856479b0fe156f");
  EXPECT_EQ(hash(kF16), "f4d30f30f8603d5b28f46fe02ce09fd0c85552181d85adcb78a762e18f0f78c7");
  EXPECT_EQ(hash(kBF16), "e712e613a8ef559d840afb8013e35a385717722450cc17d846f8cf3753effe0b");
  EXPECT_EQ(hash(kQ8_0), "0a5b104059b456cc8951ea47cf8325c9287c1e7c0d1a4b6d3947bac5664437f7");
}

}  // namespace
}  // namespace parity::gguf::testing
