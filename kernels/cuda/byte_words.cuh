// Four 8-bit floats in a word.
#ifndef GTEST_PARITY_KERNELS_CUDA_BYTE_WORDS_CUH_
#define GTEST_PARITY_KERNELS_CUDA_BYTE_WORDS_CUH_

#include <cstdint>
#include <type_traits>

#include "kernels/cuda/half_words.cuh"
#include "kernels/cuda/special_words.cuh"
#include "kernels/formats.h"

namespace parity {

template <typename Format>
inline constexpr bool kIsByteFloat =
    std::is_same_v<Format, E4M3> || std::is_same_v<Format, E5M2> || std::is_same_v<Format, E8M0>;

// Finite ones, and 0 where `numbers` has no ones and `word` has none either. Fields are put where
// f32 has them, and its smaller bias is multiplied in: subnormals of either are the other's.
template <typename Format>
__device__ inline void UnpackBytes(std::uint32_t word, std::uint32_t numbers, float* values) {
#if __CUDA_ARCH__ >= 890
  if constexpr (!std::is_same_v<Format, E8M0>) {
    std::uint32_t low, high;  // halves, which hold all of them
    if constexpr (std::is_same_v<Format, E4M3>) {
      asm("{.reg .b16 x, y;\n mov.b32 {x, y}, %2;\n cvt.rn.f16x2.e4m3x2 %0, x;\n"
          " cvt.rn.f16x2.e4m3x2 %1, y;}"
          : "=r"(low), "=r"(high)
          : "r"(word));
    } else {
      asm("{.reg .b16 x, y;\n mov.b32 {x, y}, %2;\n cvt.rn.f16x2.e5m2x2 %0, x;\n"
          " cvt.rn.f16x2.e5m2x2 %1, y;}"
          : "=r"(low), "=r"(high)
          : "r"(word));
    }
    UnpackHalves<F16>(low, values);
    UnpackHalves<F16>(high, values + 2);
    return;
  }
#endif
#pragma unroll
  for (std::uint32_t i = 0; i < 4; ++i) {
    if constexpr (std::is_same_v<Format, E8M0>) {
      // 2^-127, of no exponent, is a subnormal f32. A product, for the pipe that has less to do.
      const std::uint32_t exponent = __byte_perm(word, 0, i << 8 | 0x4044) * 128;
      const std::uint32_t least = __byte_perm(numbers & 0x40404040u, 0, i << 8 | 0x4044);
      values[i] = __int_as_float(
          max(static_cast<std::int32_t>(exponent), static_cast<std::int32_t>(least)));
    } else {
      constexpr std::uint32_t kShift = 23 - Format::kMantissaBits;
      constexpr std::uint32_t kFields = 0x80000000u | 0x7fu << kShift;
      const std::uint32_t top = __byte_perm(word, 0, i << 12 | 0x444);
      const auto fields = static_cast<std::int32_t>(top) >> (24 - kShift);
      values[i] = __int_as_float(fields & static_cast<std::int32_t>(kFields)) *
                  BitCast<float>(std::uint32_t{127 - Format::kBias + 127} << 23);
    }
  }
}

// Distances in ulp. Meaningless for NaN.
template <typename Format>
__device__ inline std::uint32_t ByteUlps(std::uint32_t x, std::uint32_t y) {
  if constexpr (std::is_same_v<Format, E8M0>) {
    return __vabsdiffu4(x, y);
  } else {
    // In order, as unsigned numbers, but 1 too far apart across 0: there -0 comes before +0.
    constexpr std::uint32_t kSigns = 0x80808080u;
    const std::uint32_t key_x = x ^ (SpecialWords<Format>::Whole(x) | kSigns);
    const std::uint32_t key_y = y ^ (SpecialWords<Format>::Whole(y) | kSigns);
    return __vabsdiffu4(key_x, key_y) - (((x ^ y) & kSigns) >> 7);
  }
}

// The largest of all bytes so far: the upper bytes of halves decide which half is larger.
class LargestByte {
 public:
  __device__ void Offer(std::uint32_t bytes) {
    odd_ = __vmaxu2(odd_, bytes);
    even_ = __vmaxu2(even_, bytes << 8);
  }
  __device__ std::uint32_t Value() const {
    return __vmaxu2(__vmaxu2(odd_, even_), __vmaxu2(odd_, even_) << 16) >> 24;
  }

 private:
  std::uint32_t odd_ = 0, even_ = 0;
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_BYTE_WORDS_CUH_
