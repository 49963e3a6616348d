// The order of a short row's columns, by a warp of which each lane has two: its own number, and
// that and kWarp. What is no column has order 0 and comes after all that are.
#ifndef GTEST_PARITY_KERNELS_CUDA_SHORT_ROW_ORDER_CUH_
#define GTEST_PARITY_KERNELS_CUDA_SHORT_ROW_ORDER_CUH_

#include <cstdint>

#include "kernels/cuda/warp.cuh"
#include "kernels/row_order.h"

namespace parity {

// One step of a bitonic sort, of several lists side by side.
template <std::uint32_t kLists>
__device__ inline void Exchange(std::uint32_t (&orders)[kLists], std::uint32_t step,
                                bool larger_first) {
  const bool keeps_larger = ((LaneId() & step) == 0) == larger_first;
#pragma unroll
  for (std::uint32_t i = 0; i < kLists; ++i) {
    const std::uint32_t other = __shfl_xor_sync(kAllLanes, orders[i], static_cast<int>(step));
    orders[i] = (other > orders[i]) == keeps_larger ? other : orders[i];
  }
}

// Each list's lanes, largest first.
template <std::uint32_t kLists>
__device__ inline void SortOrders(std::uint32_t (&orders)[kLists]) {
#pragma unroll
  for (std::uint32_t size = 2; size <= kWarp; size *= 2) {
#pragma unroll
    for (std::uint32_t step = size / 2; step != 0; step /= 2) {
      Exchange(orders, step, (LaneId() & size) == 0);
    }
  }
}

// A side of a row.
struct ShortOrder {
  std::uint32_t order[2];            // of the lane's columns
  std::uint32_t best, second, last;  // orders at places 1, 2 and kTopColumns
  std::uint32_t columns;

  __device__ bool Holds(std::uint32_t k) const { return LaneId() + k * kWarp < columns; }

  __device__ std::uint32_t ColumnOfBest() const {
    const std::uint32_t low = __ballot_sync(kAllLanes, Holds(0) && order[0] == best);
    const std::uint32_t high = __ballot_sync(kAllLanes, Holds(1) && order[1] == best);
    return low != 0 ? __ffs(static_cast<int>(low)) - 1 : kWarp + __ffs(static_cast<int>(high)) - 1;
  }
  // From 1 on.
  __device__ std::uint32_t PlaceOf(std::uint32_t column) const {
    const std::uint32_t own =
        __shfl_sync(kAllLanes, column < kWarp ? order[0] : order[1], column % kWarp);
    const auto before = [&](std::uint32_t k) {
      const bool first = order[k] == own && LaneId() + k * kWarp < column;
      return __popc(__ballot_sync(kAllLanes, Holds(k) && (order[k] > own || first)));
    };
    return 1 + before(0) + before(1);
  }
  // Which of the lane's columns are among the first kTopColumns.
  __device__ void FindTop(bool (&top)[2]) const {
    const std::uint32_t low = __ballot_sync(kAllLanes, Holds(0) && order[0] == last);
    const std::uint32_t high = __ballot_sync(kAllLanes, Holds(1) && order[1] == last);
    const std::uint32_t above = __popc(__ballot_sync(kAllLanes, order[0] > last)) +
                                __popc(__ballot_sync(kAllLanes, order[1] > last));
    const std::uint32_t ahead = (1u << LaneId()) - 1;
    top[0] = order[0] > last || (order[0] == last && above + __popc(low & ahead) < kTopColumns);
    top[1] = order[1] > last ||
             (order[1] == last && above + __popc(low) + __popc(high & ahead) < kTopColumns);
    top[0] &= Holds(0);
    top[1] &= Holds(1);
  }
};

// Sorts both sides together.
__device__ inline void SortShort(ShortOrder& a, ShortOrder& b) {
  std::uint32_t lists[] = {a.order[0], a.order[1], b.order[0], b.order[1]};
  SortOrders(lists);
  const auto turned = static_cast<int>(kWarp - 1 - LaneId());
  std::uint32_t both[] = {max(lists[0], __shfl_sync(kAllLanes, lists[1], turned)),
                          max(lists[2], __shfl_sync(kAllLanes, lists[3], turned))};
#pragma unroll
  for (std::uint32_t step = kWarp / 2; step != 0; step /= 2) Exchange(both, step, true);
  a.best = __shfl_sync(kAllLanes, both[0], 0);
  b.best = __shfl_sync(kAllLanes, both[1], 0);
  a.second = __shfl_sync(kAllLanes, both[0], 1);
  b.second = __shfl_sync(kAllLanes, both[1], 1);
  a.last = __shfl_sync(kAllLanes, both[0], kTopColumns - 1);
  b.last = __shfl_sync(kAllLanes, both[1], kTopColumns - 1);
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_SHORT_ROW_ORDER_CUH_
