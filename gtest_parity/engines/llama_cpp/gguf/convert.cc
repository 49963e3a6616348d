#include "gtest_parity/engines/llama_cpp/gguf/convert.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "gtest_parity/engines/llama_cpp/gguf/gguf_file.h"
#include "gtest_parity/engines/llama_cpp/gguf/llama_config.h"
#include "gtest_parity/engines/llama_cpp/gguf/model_weights.h"
#include "gtest_parity/engines/llama_cpp/gguf/numbers.h"
#include "gtest_parity/engines/llama_cpp/gguf/permute.h"
#include "gtest_parity/engines/llama_cpp/gguf/refuse.h"
#include "gtest_parity/engines/llama_cpp/gguf/tensor_names.h"
#include "gtest_parity/engines/llama_cpp/gguf/tokenizer.h"
#include "gtest_parity/report/files.h"

namespace parity::gguf {
namespace {

// What most of a file's tensors are, in llama.h's enum llama_ftype.
std::uint32_t FileType(std::uint32_t type) {
  return type == kF32 ? 0 : type == kF16 ? 1 : type == kQ8_0 ? 7 : 32;
}

Metadata ModelKeys(const LlamaConfig& config, const ConvertOptions& options) {
  Metadata keys = {{"general.architecture", Text("llama")}, {"general.type", Text("model")}};
  if (!options.name.empty()) keys.emplace_back("general.name", Text(options.name));
  keys.emplace_back("general.alignment", U32(kAlignment));
  keys.emplace_back("general.file_type", U32(FileType(options.type)));
  keys.emplace_back("general.quantization_version", U32(2));  // of ggml's blocks, since 2023
  keys.emplace_back("llama.context_length", U32(config.context));
  keys.emplace_back("llama.embedding_length", U32(config.hidden));
  keys.emplace_back("llama.block_count", U32(config.layers));
  keys.emplace_back("llama.feed_forward_length", U32(config.intermediate));
  keys.emplace_back("llama.attention.head_count", U32(config.heads));
  keys.emplace_back("llama.attention.head_count_kv", U32(config.kv_heads));
  keys.emplace_back("llama.attention.key_length", U32(config.head_size));
  keys.emplace_back("llama.attention.value_length", U32(config.head_size));
  keys.emplace_back("llama.attention.layer_norm_rms_epsilon", F32(config.norm_epsilon));
  keys.emplace_back("llama.rope.dimension_count", U32(config.head_size));
  keys.emplace_back("llama.rope.freq_base", F32(config.rope_base));
  keys.emplace_back("llama.vocab_size", U32(config.vocabulary));
  return keys;
}

void AddTokenizerKeys(const std::string& folder, const LlamaConfig& config, bool add_bos,
                      Metadata* keys) {
  const Tokenizer tokenizer = ReadTokenizer(folder, config.vocabulary);
  keys->emplace_back("tokenizer.ggml.model", Text("gpt2"));
  keys->emplace_back("tokenizer.ggml.pre", Text("gpt-2"));
  keys->emplace_back("tokenizer.ggml.tokens", Texts(tokenizer.tokens));
  keys->emplace_back("tokenizer.ggml.token_type", I32s(tokenizer.kinds));
  keys->emplace_back("tokenizer.ggml.merges", Texts(tokenizer.merges));
  if (config.bos) keys->emplace_back("tokenizer.ggml.bos_token_id", U32(*config.bos));
  if (config.eos) keys->emplace_back("tokenizer.ggml.eos_token_id", U32(*config.eos));
  keys->emplace_back("tokenizer.ggml.add_bos_token", Bool(add_bos));
  keys->emplace_back("tokenizer.ggml.add_eos_token", Bool(false));
  const std::optional<std::string> chat = ReadFileIfThere(folder + "/chat_template.jinja");
  if (chat) keys->emplace_back("tokenizer.chat_template", Text(*chat));
}

NewTensor ConvertTensor(const std::string& folder, const NamedTensor& tensor,
                        const ModelWeights& weights, std::uint32_t matrices) {
  const std::uint32_t type = tensor.shape.size() > 1 ? matrices : kF32;
  const TensorType& to = *FindTensorType(type);
  const std::uint64_t columns = tensor.shape.back();
  if (columns % to.block != 0) {
    Refuse(folder, "the rows of " + tensor.source, std::to_string(columns) + " elements",
           "a multiple of " + std::to_string(to.block) + " for " + std::string(to.name));
  }
  std::vector<float> values = weights.Values(tensor);
  if (!Holds(values, type)) {
    Refuse(folder, tensor.source, "a value that " + std::string(to.name) + " does not hold",
           "finite numbers in its range");
  }
  if (tensor.permuted_heads > 0) values = PermuteForRope(values, tensor.permuted_heads, columns);
  return {tensor.name, {tensor.shape.rbegin(), tensor.shape.rend()}, type, Encode(values, type)};
}

}  // namespace

std::string Convert(const std::string& folder, const ConvertOptions& options) {
  const LlamaConfig config = ReadLlamaConfig(folder);
  if (options.add_bos && !config.bos) {
    Refuse(folder + "/config.json", "bos_token_id", "none",
           "one, since texts are to begin with it; or --add_bos=false");
  }
  Metadata keys = ModelKeys(config, options);
  AddTokenizerKeys(folder, config, options.add_bos, &keys);
  const std::vector<NamedTensor> named = TensorsOf(config);
  const ModelWeights weights(folder, named);
  std::vector<NewTensor> tensors;
  for (const NamedTensor& tensor : named) {
    tensors.push_back(ConvertTensor(folder, tensor, weights, options.type));
  }
  return WriteGguf(keys, tensors);
}

}  // namespace parity::gguf
