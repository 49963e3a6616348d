// What is not converted is said to be not: what, where, what was expected.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "gtest_parity/engines/llama_cpp/gguf/convert.h"
#include "gtest_parity/engines/llama_cpp/gguf/numbers.h"
#include "gtest_parity/manifest/diagnostics.h"
#include "tests/engines/llama_cpp/gguf/small_model.h"

namespace parity::gguf::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string ConfigError(const std::string& key, const nlohmann::json& value) {
  SmallModel model;
  model.config[nlohmann::json::json_pointer(key)] = value;
  return model.ConvertError();
}

std::string TokenizerError(const std::string& key, const nlohmann::json& value) {
  SmallModel model;
  model.tokenizer[nlohmann::json::json_pointer(key)] = value;
  return model.ConvertError();
}

TEST(Refusals, TheModelThatTestsChangeIsConverted) { EXPECT_EQ(SmallModel().ConvertError(), ""); }

TEST(Refusals, OtherModels) {
  EXPECT_THAT(ConfigError("/model_type", "mistral"),
              AllOf(StartsWith("FOLDER/config.json:1:"),
                    HasSubstr("/model_type: got \"mistral\", expected \"llama\", the only one that "
                              "is converted")));
  EXPECT_THAT(ConfigError("/hidden_act", "gelu"), HasSubstr("/hidden_act: got \"gelu\""));
  EXPECT_THAT(ConfigError("/attention_bias", true), HasSubstr("/attention_bias: got true"));
  EXPECT_THAT(ConfigError("/mlp_bias", true), HasSubstr("/mlp_bias: got true"));
  EXPECT_THAT(ConfigError("/quantization_config", {{"bits", 4}}),
              HasSubstr("expected weights that are not quantised"));
}

TEST(Refusals, ScaledRope) {
  EXPECT_THAT(ConfigError("/rope_parameters/rope_type", "llama3"),
              HasSubstr("/rope_parameters/rope_type: got \"llama3\", expected \"default\""));
  SmallModel model;
  model.config.erase("rope_parameters");
  EXPECT_THAT(model.ConvertError(), HasSubstr("/rope_theta: got no such key"));
  model.config["rope_theta"] = 10000;
  model.config["rope_scaling"] = nullptr;
  EXPECT_EQ(model.ConvertError(), "");
  model.config["rope_scaling"] = {{"factor", 2}};
  EXPECT_THAT(model.ConvertError(), HasSubstr("/rope_scaling: got {\"factor\":2}, expected null"));
}

TEST(Refusals, SizesThatAreNone) {
  EXPECT_THAT(ConfigError("/hidden_size", 0),
              HasSubstr("/hidden_size: got 0, expected a whole number above 0"));
  EXPECT_THAT(ConfigError("/num_hidden_layers", -1), HasSubstr("/num_hidden_layers: got -1"));
  EXPECT_THAT(ConfigError("/vocab_size", 1e10), HasSubstr("/vocab_size: got "));
  EXPECT_THAT(ConfigError("/num_key_value_heads", 3),
              HasSubstr("expected a divisor of the 2 attention heads"));
  EXPECT_THAT(ConfigError("/head_dim", 7), HasSubstr("expected an even number"));
  EXPECT_THAT(ConfigError("/rms_norm_eps", 0), HasSubstr("/rms_norm_eps: got 0"));
  EXPECT_THAT(ConfigError("/tie_word_embeddings", 1),
              HasSubstr("/tie_word_embeddings: got 1, expected true or false"));
  EXPECT_THAT(ConfigError("/eos_token_id", {1, 2}),
              HasSubstr("/eos_token_id: got [1,2], expected one id of a token"));
  EXPECT_THAT(ConfigError("/bos_token_id", 6), HasSubstr("/bos_token_id: got 6"));
}

TEST(Refusals, AllOfAConfigAtOnce) {
  SmallModel model;
  model.config["hidden_act"] = "relu";
  model.config.erase("vocab_size");
  EXPECT_THAT(model.ConvertError(),
              AllOf(HasSubstr("/hidden_act"), HasSubstr("/vocab_size: got no such key")));
}

TEST(Refusals, ABosThatIsNone) {
  EXPECT_EQ(ConfigError("/bos_token_id", nullptr),
            "FOLDER/config.json: bos_token_id: got none, expected one, since texts are to begin "
            "with it; or --add_bos=false");
}

TEST(Refusals, OtherTokenizers) {
  EXPECT_THAT(TokenizerError("/model/type", "Unigram"),
              AllOf(StartsWith("FOLDER/tokenizer.json:1:"),
                    HasSubstr("/model/type: got \"Unigram\", expected \"BPE\", as llama.cpp's gpt2 "
                              "tokenizer does it")));
  EXPECT_THAT(TokenizerError("/normalizer", {{"type", "NFC"}}), HasSubstr("/normalizer: got"));
  EXPECT_THAT(TokenizerError("/model/byte_fallback", true), HasSubstr("/model/byte_fallback"));
  EXPECT_THAT(TokenizerError("/model/ignore_merges", true), HasSubstr("/model/ignore_merges"));
  EXPECT_THAT(TokenizerError("/pre_tokenizer/use_regex", false), HasSubstr("/use_regex: got"));
  EXPECT_THAT(TokenizerError("/pre_tokenizer", nullptr),
              HasSubstr("/pre_tokenizer/type: got null"));
  EXPECT_THAT(TokenizerError("/post_processor", {{"type", "TemplateProcessing"}}),
              HasSubstr("/post_processor"));
  EXPECT_THAT(TokenizerError("/added_tokens/2/lstrip", true),
              HasSubstr("/added_tokens/2/lstrip: got true, expected false"));
}

TEST(Refusals, IdsThatDoNotFitTheVocabulary) {
  EXPECT_THAT(TokenizerError("/model/vocab/c", 6),
              HasSubstr("the id of \"c\": got 6, expected one below vocab_size, 6"));
  EXPECT_THAT(TokenizerError("/model/vocab/c", 2), HasSubstr("id 2: got \"c\" and \"a\""));
  EXPECT_THAT(TokenizerError("/model/vocab/b", "3"), HasSubstr("the id of \"b\": got \"3\""));
  EXPECT_THAT(TokenizerError("/added_tokens/2/id", 4),
              HasSubstr("id 4: got \"<tool>\" and \"ab\""));
  EXPECT_THAT(TokenizerError("/added_tokens", nlohmann::json::array()),
              HasSubstr("id 5: got no token, expected one for each id below vocab_size"));
  EXPECT_THAT(TokenizerError("/model/vocab", 1), HasSubstr("/model/vocab: got 1"));
  EXPECT_THAT(TokenizerError("/added_tokens/2/content", 1),
              HasSubstr("/added_tokens/2/content: got 1, expected a string"));
}

TEST(Refusals, MergesThatAreNone) {
  EXPECT_THAT(TokenizerError("/model/merges", nlohmann::json::array()),
              HasSubstr("/model/merges: got [], expected a list with a merge in it"));
  for (const nlohmann::json& merge :
       {nlohmann::json("ab"), nlohmann::json(" b"), nlohmann::json("a "), nlohmann::json("a b c"),
        nlohmann::json::array({"a"}), nlohmann::json::array({"a", 1}), nlohmann::json(3),
        nlohmann::json::array({"a b", "c"})}) {
    EXPECT_THAT(
        TokenizerError("/model/merges/0", merge),
        HasSubstr("/model/merges/0: got " + merge.dump() + ", expected two parts without blanks"));
  }
  EXPECT_EQ(TokenizerError("/model/merges/0", "a b"), "");
}

TEST(Refusals, TensorsThatAreNotAsTheConfigSays) {
  SmallModel model;
  SmallTensor& key = model.tensors["model.layers.0.self_attn.k_proj.weight"];
  key.shape = {32, 8};
  EXPECT_EQ(model.ConvertError(),
            "FOLDER/model.safetensors: the shape of model.layers.0.self_attn.k_proj.weight: got "
            "[32, 8], expected [8, 32] by config.json");
  key = {"I32", {8, 32}, key.data};
  EXPECT_THAT(model.ConvertError(), HasSubstr("k_proj.weight: got I32, expected F32, F16 or BF16"));
  model.tensors.erase("model.layers.0.self_attn.k_proj.weight");
  EXPECT_EQ(model.ConvertError(),
            "FOLDER/model.safetensors: model.layers.0.self_attn.k_proj.weight: got no such tensor, "
            "expected one");
}

TEST(Refusals, ATensorThatWouldBeLeftOut) {
  SmallModel model;
  model.tensors["model.layers.0.self_attn.q_proj.bias"] = {"F32", {1}, std::string(4, '\0')};
  EXPECT_EQ(model.ConvertError(),
            "FOLDER/model.safetensors: model.layers.0.self_attn.q_proj.bias: got a tensor that "
            "would be left out, expected only tensors of a Llama without biases");
}

TEST(Refusals, ValuesThatTheTypeDoesNotHold) {
  SmallModel model;
  const std::vector<float> large(192, 70000);
  model.tensors["model.embed_tokens.weight"].data = Encode(large, kF32);
  EXPECT_EQ(model.ConvertError(kF32), "");
  EXPECT_EQ(
      model.ConvertError(kF16),
      "FOLDER: model.embed_tokens.weight: got a value that f16 does not hold, expected finite "
      "numbers in its range");
  EXPECT_THAT(model.ConvertError(kQ8_0),
              HasSubstr("the rows of model.layers.0.self_attn.o_proj.weight: got 16 elements, "
                        "expected a multiple of 32 for q8_0"));
}

TEST(Refusals, FilesThatAreNotThere) {
  for (const char* name : {"config.json", "tokenizer.json", "model.safetensors"}) {
    const SmallModel model;
    const std::string folder = model.Folder();
    std::filesystem::remove(folder + "/" + name);
    try {
      Convert(folder, {});
      ADD_FAILURE() << name;
    } catch (const InvalidInput& error) {
      EXPECT_THAT(error.what(), HasSubstr(std::string(name) + ": the file: got none, expected a"));
    }
  }
}

TEST(Refusals, WeightsThatAreNoSafetensors) {
  const SmallModel model;
  const std::string folder = model.Folder();
  for (const char* text :
       {"", "short", "\377\377\377\377\377\377\377\377{}", "\2\0\0\0\0\0\0\0[]"}) {
    std::ofstream(folder + "/model.safetensors") << text;
    EXPECT_THROW(Convert(folder, {}), InvalidInput) << text;
  }
}

}  // namespace
}  // namespace parity::gguf::testing
