// What a warp's lanes do together.
#ifndef GTEST_PARITY_KERNELS_CUDA_WARP_CUH_
#define GTEST_PARITY_KERNELS_CUDA_WARP_CUH_

#include <cstdint>
#include <type_traits>

namespace parity {

inline constexpr std::uint32_t kWarp = 32;
inline constexpr unsigned kAllLanes = 0xffffffffu;

__device__ inline std::uint32_t LaneId() { return threadIdx.x % kWarp; }

template <typename T, typename Combine>
__device__ inline T ReduceLanes(T value, Combine combine) {
  for (int other = 1; other < static_cast<int>(kWarp); other *= 2) {
    value = combine(value, __shfl_xor_sync(kAllLanes, value, other));
  }
  return value;
}

template <typename T>
__device__ inline T MaxOfLanes(T value) {
  if constexpr (std::is_same_v<T, std::uint32_t>) {
    return __reduce_max_sync(kAllLanes, value);
  } else {
    return ReduceLanes(value, [](T a, T b) { return a > b ? a : b; });
  }
}

// Of numbers that are not negative: their bits are ordered as they are.
__device__ inline float LargestOfLanes(float value) {
  return __uint_as_float(MaxOfLanes(__float_as_uint(value)));
}
__device__ inline double LargestOfLanes(double value) { return MaxOfLanes(value); }

template <typename T>
__device__ inline T MinOfLanes(T value) {
  if constexpr (std::is_same_v<T, std::uint32_t>) {
    return __reduce_min_sync(kAllLanes, value);
  } else {
    return ReduceLanes(value, [](T a, T b) { return a < b ? a : b; });
  }
}

template <typename T>
__device__ inline T SumOfLanes(T value) {
  return ReduceLanes(value, [](T a, T b) { return a + b; });
}

__device__ inline std::uint32_t SumOfLanes(std::uint32_t value) {
  return __reduce_add_sync(kAllLanes, value);
}

// As FoldLanes of kernels/sums.h: it adds the same pairs, and addition commutes.
__device__ inline double FoldOverLanes(double value) {
  for (int half = kWarp / 2; half != 0; half /= 2) {
    value += __shfl_xor_sync(kAllLanes, value, half);
  }
  return value;
}

// The tree of kernels/sums.h over 32 neighbouring nodes, one a lane; 0 where there is none. (Sums
// start from +0, so none is -0 and adding 0 keeps a node's bits.)
__device__ inline double FoldNeighbours(double value) {
  for (int other = 1; other < static_cast<int>(kWarp); other *= 2) {
    value += __shfl_xor_sync(kAllLanes, value, other);
  }
  return value;
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_WARP_CUH_
