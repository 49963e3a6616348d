// The order of a head's rows in llama.cpp's `llama` architecture.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_PERMUTE_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_PERMUTE_H_

#include <cstdint>
#include <span>
#include <vector>

namespace parity::gguf {

// Rope turns pairs of a head's elements. Hugging Face's pairs element i with i + half the head;
// ggml's, for this architecture (LLAMA_ROPE_TYPE_NORM), pairs 2i with 2i + 1. So row 2i + s of a
// head is its row i + s * half in `rows`, for s of 0 and 1, as LlamaModel.permute in llama.cpp's
// conversion/llama.py has it. Queries and keys alike: their products stay what they are.
// `rows` are `heads` heads of equally many rows, an even number, of `columns` each.
std::vector<float> PermuteForRope(std::span<const float> rows, std::uint64_t heads,
                                  std::uint64_t columns);

}  // namespace parity::gguf

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_PERMUTE_H_
