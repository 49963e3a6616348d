// From a Hugging Face folder to a GGUF that llama.cpp loads.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_CONVERT_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_CONVERT_H_

#include <cstdint>
#include <string>

#include "gtest_parity/engines/llama_cpp/gguf/types.h"

namespace parity::gguf {

struct ConvertOptions {
  std::uint32_t type = kF32;  // of matrices: kF32, kF16, kBF16 or kQ8_0; vectors are f32 always
  std::string name;           // general.name, left out where it is empty
  // Whether a text's tokens begin with bos, which neither config.json nor tokenizer.json tells.
  bool add_bos = true;
};

// The file's bytes, the same on any machine. Reads config.json, model.safetensors, tokenizer.json
// and, if it is there, chat_template.jinja. Throws InvalidInput with what cannot be converted,
// where, and what was expected.
std::string Convert(const std::string& folder, const ConvertOptions& options);

}  // namespace parity::gguf

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_CONVERT_H_
