// The counters of pairs of 8-bit numbers.
#ifndef GTEST_PARITY_KERNELS_CUDA_JOINT_TOTALS_CUH_
#define GTEST_PARITY_KERNELS_CUDA_JOINT_TOTALS_CUH_

#include <cstdint>

#include "kernels/cuda/bit_stream.h"

namespace parity::joint {

inline constexpr std::uint32_t kPairs = 128 * 256;
inline constexpr std::uint32_t kThreads = 1024;
inline constexpr std::uint32_t kLoads = 2;
// What a block takes at a time; where the worst pair is gets found again within it.
inline constexpr std::uint32_t kTileVectors = kThreads * kLoads;
inline constexpr std::uint32_t kTileElements8 = 16 * kTileVectors;

template <typename Format>
inline constexpr bool kFoldsSign = Format::kIsFloat;
template <typename Format>
inline constexpr std::uint32_t kPasses = kFoldsSign<Format> ? 1 : 2;

struct JointTotals {
  unsigned long long counts[2 * kPairs];  // by reference, then candidate
  unsigned long long first_tile;          // ~ of the first that differs; 0 for none
  unsigned long long worst_tile;          // its distance above the 32 bits of ~ its index
  unsigned long long place;               // ~ of the element sought, where tiles do not tell
};

struct JointBatch {
  BitStream a, b;
  std::uint64_t count;
  JointTotals* totals;
};

template <typename Format>
inline __device__ std::uint32_t PairOf(std::uint32_t x, std::uint32_t y) {
  const std::uint32_t sign = kFoldsSign<Format> ? x & 0x80u : 0;
  return (x ^ sign) << 8 | (y ^ sign);
}

}  // namespace parity::joint

#endif  // GTEST_PARITY_KERNELS_CUDA_JOINT_TOTALS_CUH_
