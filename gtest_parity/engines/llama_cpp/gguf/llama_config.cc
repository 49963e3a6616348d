#include "gtest_parity/engines/llama_cpp/gguf/llama_config.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "gtest_parity/engines/llama_cpp/gguf/read_file.h"
#include "gtest_parity/manifest/json_object.h"
#include "gtest_parity/manifest/json_source.h"

namespace parity::gguf {
namespace {

using nlohmann::json;

// Collects what is wrong in the source.
class Keys {
 public:
  explicit Keys(JsonSource* source) : source_(source) {}

  // A key that is not there has the library's default, which `expected` must be.
  void Expect(const std::string& pointer, const json& expected, bool required) {
    const json* found = Find(pointer);
    if (found == nullptr ? !required : *found == expected) return;
    Wrong(pointer, Shown(expected) + ", the only one that is converted");
  }

  // 0 where it is missing or wrong.
  std::uint32_t Size(const std::string& pointer, std::optional<std::uint32_t> absent = {}) {
    const json* found = Find(pointer);
    if (absent && (found == nullptr || found->is_null())) return *absent;
    if (found != nullptr && found->is_number_unsigned() && *found > 0u &&
        *found <= std::numeric_limits<std::int32_t>::max()) {
      return found->get<std::uint32_t>();
    }
    Wrong(pointer, "a whole number above 0");
    return 0;
  }

  float Number(const std::string& pointer) {
    const json* found = Find(pointer);
    if (found != nullptr && found->is_number()) {
      const auto value = found->get<float>();
      if (value > 0 && std::isfinite(value)) return value;
    }
    Wrong(pointer, "a number above 0");
    return 0;
  }

  std::optional<std::uint32_t> Id(const std::string& pointer, std::uint32_t vocabulary) {
    const json* found = Find(pointer);
    if (found == nullptr || found->is_null()) return {};
    if (found->is_number_unsigned() && *found < vocabulary) return found->get<std::uint32_t>();
    Wrong(pointer, "one id of a token, below vocab_size");
    return {};
  }

  bool Flag(const std::string& pointer) {
    const json* found = Find(pointer);
    if (found == nullptr) return false;
    if (!found->is_boolean()) Wrong(pointer, "true or false");
    return found->is_boolean() && found->get<bool>();
  }

  const json* Find(const std::string& pointer) const {
    const json::json_pointer at(pointer);
    return source_->root().contains(at) ? &source_->root().at(at) : nullptr;
  }

  void Wrong(const std::string& pointer, const std::string& expected) {
    const json* found = Find(pointer);
    source_->Add(pointer, pointer, found == nullptr ? "no such key" : Shown(*found), expected);
  }

 private:
  JsonSource* source_;
};

void CheckKind(Keys* keys) {
  keys->Expect("/model_type", "llama", /*required=*/true);
  keys->Expect("/hidden_act", "silu", /*required=*/true);
  keys->Expect("/attention_bias", false, /*required=*/false);
  keys->Expect("/mlp_bias", false, /*required=*/false);
  if (keys->Find("/quantization_config") != nullptr) {
    keys->Wrong("/quantization_config", "weights that are not quantised");
  }
}

// transformers 5 writes `rope_parameters`; before it there were `rope_theta` and `rope_scaling`.
float ReadRope(Keys* keys) {
  if (keys->Find("/rope_parameters") != nullptr) {
    keys->Expect("/rope_parameters/rope_type", "default", /*required=*/true);
    return keys->Number("/rope_parameters/rope_theta");
  }
  keys->Expect("/rope_scaling", nullptr, /*required=*/false);
  return keys->Number("/rope_theta");
}

void CheckSizes(const LlamaConfig& config, Keys* keys) {
  if (config.kv_heads > 0 && config.heads % config.kv_heads != 0) {
    keys->Wrong("/num_key_value_heads",
                "a divisor of the " + std::to_string(config.heads) + " attention heads");
  }
  if (config.head_size % 2 != 0) keys->Wrong("/head_dim", "an even number: rope turns pairs");
}

}  // namespace

LlamaConfig ReadLlamaConfig(const std::string& folder) {
  const std::string path = folder + "/config.json";
  JsonSource source(path, ReadFile(path, "a model's config.json"));
  Keys keys(&source);
  CheckKind(&keys);
  LlamaConfig config;
  config.layers = keys.Size("/num_hidden_layers");
  config.hidden = keys.Size("/hidden_size");
  config.heads = keys.Size("/num_attention_heads");
  config.kv_heads = keys.Size("/num_key_value_heads", config.heads);
  config.head_size = keys.Size("/head_dim", config.heads == 0 ? 0 : config.hidden / config.heads);
  config.intermediate = keys.Size("/intermediate_size");
  config.vocabulary = keys.Size("/vocab_size");
  config.context = keys.Size("/max_position_embeddings");
  config.norm_epsilon = keys.Number("/rms_norm_eps");
  config.rope_base = ReadRope(&keys);
  config.tied = keys.Flag("/tie_word_embeddings");
  config.bos = keys.Id("/bos_token_id", config.vocabulary);
  config.eos = keys.Id("/eos_token_id", config.vocabulary);
  CheckSizes(config, &keys);
  source.ThrowIfAny();
  return config;
}

}  // namespace parity::gguf
