// The first places of what a warp has seen of one side of a row: lane i has the i-th.
#ifndef GTEST_PARITY_KERNELS_CUDA_ROW_TOP_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ROW_TOP_CUH_

#include <cmath>
#include <cstdint>

#include "kernels/cuda/row_work.h"
#include "kernels/cuda/warp.cuh"

namespace parity {

template <typename Code, typename Shuffle>
__device__ inline Code ShuffleCode(Code code, Shuffle shuffle) {
  if constexpr (sizeof(Code) == 16) {
    const unsigned long long low = shuffle(static_cast<unsigned long long>(code));
    const unsigned long long high = shuffle(static_cast<unsigned long long>(code >> 64));
    return static_cast<Code>(high) << 64 | low;
  } else {
    return shuffle(code);
  }
}

template <typename Code>
__device__ inline Code ShuffleXor(Code code, int other) {
  return ShuffleCode(code, [=](auto part) { return __shfl_xor_sync(kAllLanes, part, other); });
}
template <typename Code>
__device__ inline Code ShuffleFrom(Code code, int lane) {
  return ShuffleCode(code, [=](auto part) { return __shfl_sync(kAllLanes, part, lane); });
}
template <typename Code>
__device__ inline Code ShuffleUp(Code code) {
  return ShuffleCode(code, [](auto part) { return __shfl_up_sync(kAllLanes, part, 1); });
}

// One step of a bitonic sort: lanes `step` apart exchange.
template <typename Code>
__device__ inline Code Exchange(Code code, std::uint32_t step, bool larger_first) {
  const Code other = ShuffleXor(code, static_cast<int>(step));
  const bool keeps_larger = ((LaneId() & step) == 0) == larger_first;
  return (other > code) == keeps_larger ? other : code;
}

// Sorts the lanes' codes, largest first.
template <typename Code>
__device__ inline Code SortDescending(Code code) {
#pragma unroll 1
  for (std::uint32_t size = 2; size <= kWarp; size *= 2) {
#pragma unroll 1
    for (std::uint32_t step = size / 2; step != 0; step /= 2) {
      code = Exchange(code, step, (LaneId() & size) == 0);
    }
  }
  return code;
}

// The first kWarp of two lists, each sorted with the largest first.
template <typename Code>
__device__ inline Code MergeDescending(Code one, Code two) {
  const Code turned = ShuffleFrom(two, static_cast<int>(kWarp - 1 - LaneId()));
  Code code = one > turned ? one : turned;
#pragma unroll
  for (std::uint32_t step = kWarp / 2; step != 0; step /= 2) code = Exchange(code, step, true);
  return code;
}

template <typename Format>
class RowTop {
 public:
  using Place = PlaceCode<Format>;
  using Code = typename Place::Code;

  // With a code of each lane, which need not be different from 0.
  __device__ void Begin(Code code) {
    mine_ = SortDescending(code);
    SetLast();
  }

  // Codes that are not in it yet.
  __device__ void Offer(Code code) {
    bool changed = false;
    while (const std::uint32_t better = __ballot_sync(kAllLanes, code > last_)) {
      const int lane = __ffs(static_cast<int>(better)) - 1;
      Insert(ShuffleFrom(code, lane));
      if (static_cast<int>(LaneId()) == lane) code = 0;
      changed = true;
    }
    if (changed) SetTau();
  }

  // Whether a logit might have a place that is not in it yet. Any might while places are free, and
  // one that is as large as the last place's only in an earlier column than that: not where it
  // `comes_later`.
  __device__ bool MayTake(Real<Format> logit, bool comes_later) const {
    return comes_later ? !(logit <= tau_) : !(logit < tau_);
  }

  // Of lane i the i-th place, right for the first kTopColumns.
  __device__ Code Mine() const { return mine_; }

 private:
  __device__ void Insert(Code code) {
    const std::uint32_t ahead = __popc(__ballot_sync(kAllLanes, mine_ > code));
    const Code before = ShuffleUp(mine_);
    if (LaneId() > ahead) mine_ = before;
    if (LaneId() == ahead) mine_ = code;
    last_ = ShuffleFrom(mine_, kTopColumns - 1);
  }
  __device__ void SetLast() {
    last_ = ShuffleFrom(mine_, kTopColumns - 1);
    SetTau();
  }
  __device__ void SetTau() {
    tau_ = last_ == 0 ? Real<Format>(NAN) : Real<Format>(Place::ValueOf(last_));
  }

  Code mine_ = 0, last_ = 0;
  Real<Format> tau_ = NAN;  // the last place's logit
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ROW_TOP_CUH_
