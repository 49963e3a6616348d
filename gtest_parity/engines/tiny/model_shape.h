// The sizes of a Hugging Face Llama, from its config.json.
#ifndef GTEST_PARITY_ENGINES_TINY_MODEL_SHAPE_H_
#define GTEST_PARITY_ENGINES_TINY_MODEL_SHAPE_H_

#include <cstdint>
#include <string>

namespace parity::tiny {

struct ModelShape {
  std::uint64_t layers = 0;
  std::uint64_t hidden = 0;
  std::uint64_t heads = 0;
  std::uint64_t kv_heads = 0;
  std::uint64_t head_dim = 0;
  std::uint64_t intermediate = 0;
  std::uint64_t vocabulary = 0;
  std::uint64_t context = 0;  // most tokens of one sequence
  float norm_epsilon = 0;
  float rope_theta = 0;

  std::uint64_t QueryWidth() const { return heads * head_dim; }
  std::uint64_t KeyWidth() const { return kv_heads * head_dim; }
};

// Reads `directory`/config.json. Throws EngineError: PARITY_INVALID if there is no such file,
// PARITY_FAILED if it is not JSON, lacks a size, or declares a model that is no plain Llama with
// tied embeddings, no biases and SiLU.
ModelShape ReadModelShape(const std::string& directory);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_MODEL_SHAPE_H_
