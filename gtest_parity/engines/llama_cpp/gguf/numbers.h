// Values of tensors, between f32 and the types in which GGUF stores them.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_NUMBERS_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_NUMBERS_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parity::gguf {

// To the nearest, ties to even; what is too large becomes an infinity.
std::uint16_t F16Of(float value);
std::uint16_t BF16Of(float value);
// Exact.
float OfF16(std::uint16_t bits);
float OfBF16(std::uint16_t bits);

// Whether Encode and Decode know it: kF32, kF16, kBF16 or kQ8_0.
bool IsComputed(std::uint32_t type);

// `values` as `type` stores them, little-endian. q8_0 is ggml's: of each 32 values the scale is
// |largest| / 127, kept as f16, and each is divided by the scale before that rounding, and rounded
// half away from zero. IEEE 754 and no contraction: the same bytes on any machine. Throws
// std::invalid_argument unless IsComputed and, of q8_0, whole blocks.
std::string Encode(std::span<const float> values, std::uint32_t type);
std::vector<float> Decode(std::string_view bytes, std::uint32_t type);

// Whether each of `values` is a number, neither infinite nor NaN, as `type` stores it.
bool Holds(std::span<const float> values, std::uint32_t type);

}  // namespace parity::gguf

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_GGUF_NUMBERS_H_
