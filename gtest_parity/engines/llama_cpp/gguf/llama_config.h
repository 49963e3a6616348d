// The sizes of a Hugging Face Llama, from its config.json.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_LLAMA_CONFIG_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_LLAMA_CONFIG_H_

#include <cstdint>
#include <optional>
#include <string>

namespace parity::gguf {

struct LlamaConfig {
  std::uint32_t layers = 0;
  std::uint32_t hidden = 0;
  std::uint32_t heads = 0;
  std::uint32_t kv_heads = 0;
  std::uint32_t head_size = 0;
  std::uint32_t intermediate = 0;
  std::uint32_t vocabulary = 0;
  std::uint32_t context = 0;  // most tokens of one sequence
  float norm_epsilon = 0;
  float rope_base = 0;
  bool tied = false;  // the head is the embedding
  std::optional<std::uint32_t> bos, eos;
};

// Reads `folder`/config.json. Throws InvalidInput that names each key which is missing, out of
// range, or of another model than this program converts: another architecture, biases, another
// activation, scaled rope, quantised weights.
LlamaConfig ReadLlamaConfig(const std::string& folder);

}  // namespace parity::gguf

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_LLAMA_CONFIG_H_
