// A byte-level BPE, from tokenizer.json to what GGUF has of it.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_TOKENIZER_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_TOKENIZER_H_

#include <cstdint>
#include <string>
#include <vector>

namespace parity::gguf {

// llama.cpp's kinds of tokens (gguf-py's TokenType).
inline constexpr std::int32_t kNormalToken = 1, kControlToken = 3, kUserDefinedToken = 4;

struct Tokenizer {
  std::vector<std::string> tokens;  // by id, bytes written as GPT-2 does
  std::vector<std::int32_t> kinds;  // by id
  std::vector<std::string> merges;  // "a b", the first to be tried first
};

// Reads `folder`/tokenizer.json. Throws InvalidInput unless it is what llama.cpp's tokenizer "gpt2"
// with the pre-tokenizer "gpt-2" does, and has a token for each id below `vocabulary` and no other.
Tokenizer ReadTokenizer(const std::string& folder, std::uint32_t vocabulary);

}  // namespace parity::gguf

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_TOKENIZER_H_
