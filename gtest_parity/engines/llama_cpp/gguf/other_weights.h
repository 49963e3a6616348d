// A matrix of the same shape and the same statistics with other values.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_OTHER_WEIGHTS_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_OTHER_WEIGHTS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "gtest_parity/engines/llama_cpp/gguf/gguf_file.h"

namespace parity::gguf {

// The tensor's data with its rows in another order and the sign of every other one, on average,
// turned. Seed and the tensor's name alone decide which: the same on any machine. The type must be
// one that IsComputed.
std::string OtherWeights(const Tensor& tensor, std::string_view data, std::uint64_t seed);

}  // namespace parity::gguf

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_OTHER_WEIGHTS_H_
