// The first kTopColumns places of what a warp has seen of one side of a row.
#ifndef GTEST_PARITY_KERNELS_CUDA_ROW_TOP_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ROW_TOP_CUH_

#include <cstdint>

#include "kernels/cuda/row_work.h"
#include "kernels/cuda/warp.cuh"

namespace parity {

template <typename Code>
__device__ inline Code ShuffleXor(Code code, int other) {
  if constexpr (sizeof(Code) == 16) {
    const unsigned long long low =
        __shfl_xor_sync(kAllLanes, static_cast<unsigned long long>(code), other);
    const unsigned long long high =
        __shfl_xor_sync(kAllLanes, static_cast<unsigned long long>(code >> 64), other);
    return static_cast<Code>(high) << 64 | low;
  } else {
    return __shfl_xor_sync(kAllLanes, code, other);
  }
}

template <typename Code>
__device__ inline Code ShuffleFrom(Code code, int lane) {
  if constexpr (sizeof(Code) == 16) {
    const unsigned long long low =
        __shfl_sync(kAllLanes, static_cast<unsigned long long>(code), lane);
    const unsigned long long high =
        __shfl_sync(kAllLanes, static_cast<unsigned long long>(code >> 64), lane);
    return static_cast<Code>(high) << 64 | low;
  } else {
    return __shfl_sync(kAllLanes, code, lane);
  }
}

// Sorts 64 codes, two a lane, largest first: lane i gets the i-th and the (32 + i)-th. (Bitonic.)
template <typename Code>
__device__ inline void SortDescending(Code& first, Code& second) {
  const std::uint32_t lane = LaneId();
#pragma unroll 1
  for (std::uint32_t size = 2; size <= 64; size *= 2) {
#pragma unroll 1
    for (std::uint32_t step = size / 2; step != 0; step /= 2) {
      if (step == 32) {
        const Code larger = first > second ? first : second;
        second = first > second ? second : first;
        first = larger;
        continue;
      }
      const bool lower = (lane & step) == 0;
      const Code other1 = ShuffleXor(first, static_cast<int>(step));
      const Code other2 = ShuffleXor(second, static_cast<int>(step));
      const bool max1 = lower == ((lane & size) == 0);
      const bool max2 = lower == (((lane + 32) & size) == 0);
      if ((other1 > first) == max1) first = other1;
      if ((other2 > second) == max2) second = other2;
    }
  }
}

// In shared memory, of one warp.
template <typename Format>
class RowTop {
 public:
  using Code = typename PlaceCode<Format>::Code;
  static constexpr std::uint32_t kRoom = 64;

  __device__ void Clear() {
    if (LaneId() == 0) size_ = 0;
    __syncwarp();
  }

  // Of the lanes that offer. Whether Keep came of it.
  __device__ bool Push(bool offers, Code code) {
    const std::uint32_t lanes = __ballot_sync(kAllLanes, offers);
    if (lanes == 0) return false;
    const std::uint32_t size = size_;
    if (offers) codes_[size + __popc(lanes & ((1u << LaneId()) - 1))] = code;
    __syncwarp();
    const std::uint32_t grown = size + __popc(lanes);
    if (LaneId() == 0) size_ = grown;
    __syncwarp();
    if (grown <= kRoom - kWarp) return false;
    Keep();
    return true;
  }

  // The last of kTopColumns at the last Keep; 0 where there were fewer.
  __device__ Code Last() const { return size_ < kTopColumns ? Code{0} : codes_[kTopColumns - 1]; }

  // Sorts and forgets all but the first kTopColumns. Lane i has the i-th.
  __device__ __noinline__ Code Keep() {
    const std::uint32_t lane = LaneId(), size = size_;
    Code first = lane < size ? codes_[lane] : Code{0};
    Code second = lane + kWarp < size ? codes_[lane + kWarp] : Code{0};
    SortDescending(first, second);
    __syncwarp();
    if (lane < kTopColumns) codes_[lane] = first;
    if (lane == 0) size_ = size < kTopColumns ? size : kTopColumns;
    __syncwarp();
    return lane < kTopColumns ? first : Code{0};
  }

 private:
  Code codes_[kRoom];
  std::uint32_t size_;
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ROW_TOP_CUH_
