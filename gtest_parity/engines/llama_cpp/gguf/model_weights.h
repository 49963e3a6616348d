// The tensors of a model.safetensors, as f32.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_MODEL_WEIGHTS_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_MODEL_WEIGHTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "gtest_parity/engines/llama_cpp/gguf/tensor_names.h"
#include "gtest_parity/replay/safetensors.h"

namespace parity::gguf {

// The whole file in memory.
class ModelWeights {
 public:
  // Reads `folder`/model.safetensors. Throws InvalidInput unless it is one and holds exactly
  // `tensors`, of their shapes, in f32, f16 or bf16: a tensor that nothing converts, say a bias,
  // would be left out in silence.
  ModelWeights(const std::string& folder, const std::vector<NamedTensor>& tensors);

  // Row-major, the values of one of them, exactly.
  std::vector<float> Values(const NamedTensor& tensor) const;

 private:
  const SafetensorsEntry& EntryOf(const NamedTensor& tensor) const;
  void Check(const NamedTensor& tensor) const;
  void CheckNoMore(const std::vector<NamedTensor>& tensors) const;

  std::string path_, bytes_;
  std::uint64_t data_ = 0;  // where the data begins
  std::vector<SafetensorsEntry> entries_;
};

}  // namespace parity::gguf

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_MODEL_WEIGHTS_H_
