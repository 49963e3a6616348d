// What is no finite number among the 8-bit or 16-bit floats that share a word, and how much of it
// there is. Flags are the topmost bit of each element.
#ifndef GTEST_PARITY_KERNELS_CUDA_SPECIAL_WORDS_CUH_
#define GTEST_PARITY_KERNELS_CUDA_SPECIAL_WORDS_CUH_

#include <cstdint>
#include <type_traits>

#include "kernels/cuda/element_lane.cuh"
#include "kernels/cuda/warp.cuh"
#include "kernels/formats.h"

namespace parity {

template <typename Format>
struct SpecialWords {
  using Bits = typename Format::Bits;
  static constexpr std::uint32_t kOnes = Format::kBits == 8 ? 0x01010101u : 0x00010001u;
  static constexpr std::uint32_t kTops = kOnes << (Format::kBits - 1);
  static constexpr bool kIsScale = std::is_same_v<Format, E8M0>;
  static constexpr bool kHasInfinity = [] {
    if constexpr (kIsScale)
      return false;
    else
      return Format::IsInfinite(static_cast<Bits>(Format::kLargestFinite + 1));
  }();

  __device__ static std::uint32_t NotNumbers(std::uint32_t word) {
    if constexpr (kIsScale)
      return word & ((word & ~kTops) + kOnes) & kTops;
    else
      return Above(word, Format::kLargestFinite);
  }
  __device__ static std::uint32_t Nans(std::uint32_t word) {
    if constexpr (kHasInfinity)
      return Above(word, Format::kLargestFinite + 1);
    else
      return NotNumbers(word);
  }
  __device__ static std::uint32_t Differ(std::uint32_t x, std::uint32_t y) {
    const std::uint32_t bits = x ^ y;
    return (((bits & ~kTops) + ~kTops) | bits) & kTops;
  }
  // All ones in each element with a flag. (__byte_perm does not copy signs.)
  __device__ static std::uint32_t Whole(std::uint32_t flags) {
    std::uint32_t whole;
    if constexpr (Format::kBits == 8) {
      asm("prmt.b32 %0, %1, 0, 0xba98;" : "=r"(whole) : "r"(flags));
    } else {
      asm("prmt.b32 %0, %1, 0, 0xbb99;" : "=r"(whole) : "r"(flags));
    }
    return whole;
  }
  // Of elements that each hold less than 256.
  __device__ static std::uint32_t Sum(std::uint32_t word) {
    if constexpr (Format::kBits == 8)
      return __dp4a(word, kOnes, 0u);
    else
      return (word & 0xffffu) + (word >> 16);
  }

 private:
  // Where the magnitude is above this one.
  template <typename Limit>
  __device__ static std::uint32_t Above(std::uint32_t word, Limit limit) {
    const std::uint32_t up = (1u << (Format::kBits - 1)) - 1 - limit;
    return ((word & ~kTops) + up * kOnes) & kTops;
  }
};

// Counts of a lane, over a chunk at most: each element's own, in its place of a word.
template <typename Format>
class SpecialTally {
 public:
  using Words = SpecialWords<Format>;

  // Of a word, with its flags of what is no number. Those of NaN on either side.
  __device__ std::uint32_t Add(std::uint32_t x, std::uint32_t y, std::uint32_t odd_x,
                               std::uint32_t odd_y) {
    const std::uint32_t nan_x = Words::Nans(x), nan_y = Words::Nans(y), nans = nan_x | nan_y;
    const std::uint32_t differ = Words::Differ(x, y);
    Count(kAnyNans, nans);
    if constexpr (!Words::kIsScale) Count(kNanPayloads, nan_x & nan_y & differ);  // scales have one
    Count(kNanOnlyReferences, nan_x & ~nan_y);
    Count(kNanOnlyCandidates, nan_y & ~nan_x);
    if constexpr (Words::kHasInfinity) {
      const std::uint32_t infinite_x = odd_x & ~nans, infinite_y = odd_y & ~nans;
      Count(kInfinityOnlyReferences, infinite_x & ~infinite_y);
      Count(kInfinityOnlyCandidates, infinite_y & ~infinite_x);
      Count(kInfinitiesOpposite, infinite_x & infinite_y & differ);
    }
    return nans;
  }

  // By the whole warp.
  __device__ void Write(std::uint32_t chunk, ElementLane<Format>& lane,
                        WarpCounts<Format>& counts) const {
#pragma unroll
    for (std::uint32_t i = kNanPayloads; i <= kAnyNans; ++i) {
      const std::uint32_t all = SumOfLanes(Words::Sum(counts_[i]));
      if (LaneId() == 0 && all != 0) atomicAdd(&counts.counters[i], all);
    }
    const bool one_sided = (counts_[kNanOnlyReferences] | counts_[kNanOnlyCandidates]) != 0;
    if (__any_sync(kAllLanes, one_sided) && LaneId() == 0) counts.FindNan(chunk);
  }

 private:
  __device__ void Count(PairCounter counter, std::uint32_t flags) {
    counts_[counter] += flags >> (Format::kBits - 1);
  }
  std::uint32_t counts_[kAnyNans + 1] = {};
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_SPECIAL_WORDS_CUH_
