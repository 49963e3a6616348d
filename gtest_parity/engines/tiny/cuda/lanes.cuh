// Sums of 16 lanes in the order of the paged engine on the host (paged/dot.h).
#ifndef GTEST_PARITY_ENGINES_TINY_CUDA_LANES_CUH_
#define GTEST_PARITY_ENGINES_TINY_CUDA_LANES_CUH_

#include <cstdint>

namespace parity::tiny::cuda {

inline constexpr int kLanes = 16;

// One thread's dot product: lane l sums the products of elements l, l + 16, ... in that order; then
// upper halves are added to lower ones. `count` is a multiple of 16. No product is contracted with
// its sum.
template <typename LoadA, typename LoadB>
__device__ float Dot(std::uint64_t count, LoadA a, LoadB b) {
  float lanes[kLanes] = {};
  for (std::uint64_t i = 0; i < count; i += kLanes) {
#pragma unroll
    for (int lane = 0; lane < kLanes; ++lane) lanes[lane] += a(i + lane) * b(i + lane);
  }
#pragma unroll
  for (int width = kLanes / 2; width > 0; width /= 2) {
#pragma unroll
    for (int lane = 0; lane < width; ++lane) lanes[lane] += lanes[lane + width];
  }
  return lanes[0];
}

// The same by the lower half of a warp, a lane each; thread 0 has the sum.
template <typename LoadA, typename LoadB>
__device__ float WarpDot(std::uint64_t count, LoadA a, LoadB b) {
  const int lane = threadIdx.x % 32;
  float sum = 0;
  if (lane < kLanes) {
    for (std::uint64_t i = 0; i < count; i += kLanes) sum += a(i + lane) * b(i + lane);
  }
#pragma unroll
  for (int width = kLanes / 2; width > 0; width /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, width);
  }
  return sum;
}

}  // namespace parity::tiny::cuda

#endif  // GTEST_PARITY_ENGINES_TINY_CUDA_LANES_CUH_
