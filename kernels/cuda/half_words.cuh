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
    // A product, for the pipe that has less to do.
    values[0] = __uint_as_float(word * 0x10000u);
    values[1] = __uint_as_float(word & 0xffff0000u);
  } else {
    asm("{.reg .b16 low, high;\n mov.b32 {low, high}, %2;\n cvt.f32.f16 %0, low;\n"
        " cvt.f32.f16 %1, high;}"
        : "=f"(values[0]), "=f"(values[1])
        : "r"(word));
  }
}

// Distances in ulp of the word's pairs, each in its own half. Meaningless for NaN.
__device__ inline std::uint32_t HalfUlps(std::uint32_t x, std::uint32_t y) {
  // Of a pair and of its negatives the distance is the same: y as it is beside a positive x.
  const std::uint32_t turned = y ^ (x & 0x80008000u);
  const std::uint32_t across = SpecialWords<F16>::Whole(turned);
  // Where 0 lies between them, 0x8000 + |y| and 0x7fff - |x|, which are 1 too far apart.
  const std::uint32_t key = (x ^ across) & 0x7fff7fffu;
  return __vmaxu2(turned, key) - __vminu2(turned, key) - (across & 0x00010001u);
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_HALF_WORDS_CUH_
