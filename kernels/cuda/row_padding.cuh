// What fills up a chunk that has fewer columns.
#ifndef GTEST_PARITY_KERNELS_CUDA_ROW_PADDING_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ROW_PADDING_CUH_

#include <cstdint>
#include <type_traits>

#include "kernels/cuda/row_work.h"
#include "kernels/cuda/warp.cuh"

namespace parity {

// What a chunk holds beside the row's columns becomes this, which weighs nothing and comes last.
template <typename Format>
struct RowPadding {
  using Bits = typename Format::Bits;
  static constexpr bool kHasLowest = Format::kBits >= 8 && !std::is_same_v<Format, E8M0>;
  static constexpr Bits kBits = [] {
    if constexpr (kHasLowest) return static_cast<Bits>(Format::kSign | Format::kLargestFinite);
    return Bits{0};
  }();

  __device__ static uint4 Vector() {
    if constexpr (Format::kBits == 64) {
      const auto low = static_cast<std::uint32_t>(kBits),
                 high = static_cast<std::uint32_t>(kBits >> 32);
      return make_uint4(low, high, low, high);
    } else {
      constexpr std::uint32_t kCopies = 0xffffffffu / ((std::uint64_t{1} << Format::kBits) - 1);
      const std::uint32_t word = kBits * kCopies;
      return make_uint4(word, word, word, word);
    }
  }

  // Whether it weighs nothing beside these, which are the largest of the chunk.
  __device__ static bool IsLight(Real<Format> max_a, Real<Format> max_b) {
    if constexpr (kHasLowest) {
      constexpr Real<Format> kMargin = 1000, kFar = 0x1p100f;
      const Real<Format> least = Format::Decode(kBits) + kMargin;
      return __any_sync(kAllLanes, max_a > least) && __any_sync(kAllLanes, max_b > least) &&
             __all_sync(kAllLanes, max_a < kFar && max_b < kFar);
    }
    return false;
  }
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ROW_PADDING_CUH_
