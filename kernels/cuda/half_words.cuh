// Two 16-bit floats in a word.
#ifndef GTEST_PARITY_KERNELS_CUDA_HALF_WORDS_CUH_
#define GTEST_PARITY_KERNELS_CUDA_HALF_WORDS_CUH_

#include <cstdint>
#include <type_traits>

#include "kernels/cuda/special_words.cuh"
#include "kernels/formats.h"

namespace parity {

template <typename Format>
inline constexpr bool kIsHalf = std::is_same_v<Format, F16> || std::is_same_v<Format, BF16>;

template <typename Format>
__device__ inline void UnpackHalves(std::uint32_t word, float* values) {
  if constexpr (std::is_same_v<Format, BF16>) {
    values[0] = __uint_as_float(word << 16);
    values[1] = __uint_as_float(word & 0xffff0000u);
  } else {
    asm("{.reg .b16 low, high;\n mov.b32 {low, high}, %2;\n cvt.f32.f16 %0, low;\n"
        " cvt.f32.f16 %1, high;}"
        : "=f"(values[0]), "=f"(values[1])
        : "r"(word));
  }
}

// Distances in ulp of the word's pairs, of which x has no sign, each in its own half.
__device__ inline std::uint32_t HalfUlps(std::uint32_t x, std::uint32_t y) {
  // In order, as unsigned numbers, but 1 too far apart across 0: there -0 comes before +0.
  const std::uint32_t key_x = x | 0x80008000u,
                      key_y = y ^ (SpecialWords<F16>::Whole(y) | 0x80008000u);
  const std::uint32_t across = (y >> 15) & 0x00010001u;
  return __vmaxu2(key_x, key_y) - __vminu2(key_x, key_y) - across;
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_HALF_WORDS_CUH_
