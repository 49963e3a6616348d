#include "tests/engines/llama_cpp/gguf/small_model.h"

#include "gtest_parity/engines/llama_cpp/gguf/convert.h"
#include "gtest_parity/engines/llama_cpp/gguf/numbers.h"
#include "gtest_parity/manifest/diagnostics.h"
#include "gtest_parity/replay/safetensors.h"

namespace parity::gguf::testing {
namespace {

using nlohmann::json;

SmallTensor Counting(std::vector<std::uint64_t> shape) {
  std::uint64_t count = 1;
  for (const std::uint64_t extent : shape) count *= extent;
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i) / 16;
  return {"F32", std::move(shape), Encode(values, kF32)};
}

std::string SafetensorsOf(const std::map<std::string, SmallTensor>& tensors) {
  std::vector<SafetensorsEntry> entries;
  std::string data;
  for (const auto& [name, tensor] : tensors) {
    const std::uint64_t begin = data.size();
    data += tensor.data;
    entries.push_back({name, tensor.dtype, tensor.shape, begin, data.size()});
  }
  return SafetensorsHead(entries) + data;
}

}  // namespace

SmallModel::SmallModel() {
  config = json::parse(R"({
    "model_type": "llama", "hidden_act": "silu", "num_hidden_layers": 1, "hidden_size": 32,
    "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 8, "intermediate_size": 32,
    "vocab_size": 6, "max_position_embeddings": 64, "rms_norm_eps": 0.5, "bos_token_id": 0,
    "eos_token_id": 1, "tie_word_embeddings": true,
    "rope_parameters": {"rope_type": "default", "rope_theta": 500.0}})");
  tokenizer = json::parse(R"({
    "normalizer": null, "post_processor": null, "decoder": {"type": "ByteLevel"},
    "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "use_regex": true},
    "added_tokens": [{"id": 0, "content": "<s>", "special": true},
                     {"id": 1, "content": "</s>", "special": true},
                     {"id": 5, "content": "<tool>", "special": false}],
    "model": {"type": "BPE", "dropout": null, "byte_fallback": false,
              "vocab": {"<s>": 0, "</s>": 1, "a": 2, "b": 3, "ab": 4}, "merges": [["a", "b"]]}})");
  tensors["model.embed_tokens.weight"] = Counting({6, 32});
  tensors["model.norm.weight"] = Counting({32});
  const std::string layer = "model.layers.0.";
  tensors[layer + "input_layernorm.weight"] = Counting({32});
  tensors[layer + "self_attn.q_proj.weight"] = Counting({16, 32});
  tensors[layer + "self_attn.k_proj.weight"] = Counting({8, 32});
  tensors[layer + "self_attn.v_proj.weight"] = Counting({8, 32});
  tensors[layer + "self_attn.o_proj.weight"] = Counting({32, 16});
  tensors[layer + "post_attention_layernorm.weight"] = Counting({32});
  for (const char* name : {"mlp.gate_proj", "mlp.up_proj", "mlp.down_proj"}) {
    tensors[layer + name + ".weight"] = Counting({32, 32});
  }
}

const std::string& SmallModel::Folder() const {
  scratch_.Write("config.json", config.dump());
  scratch_.Write("tokenizer.json", tokenizer.dump());
  scratch_.Write("model.safetensors", SafetensorsOf(tensors));
  return scratch_.path();
}

std::string SmallModel::ConvertError(std::uint32_t type) const {
  const std::string& folder = Folder();
  try {
    Convert(folder, {type, "", true});
    return "";
  } catch (const InvalidInput& error) {
    std::string text = error.what();
    for (std::size_t at; (at = text.find(folder)) != std::string::npos;) {
      text.replace(at, folder.size(), "FOLDER");
    }
    return text;
  }
}

}  // namespace parity::gguf::testing
