// From what a row's columns sum to, to its divergences.
#ifndef GTEST_PARITY_KERNELS_CUDA_ROW_DIVERGENCES_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ROW_DIVERGENCES_CUH_

#include <cmath>
#include <cstdint>

#include "kernels/cuda/row_work.h"
#include "kernels/cuda/warp.cuh"
#include "kernels/divergence.h"

namespace parity {

// Of a row without +inf and without a NaN on one side only.
class RowDivergences {
 public:
  // Peaks are the largest logits, -inf where there is none; `masked_a` is the largest logit of a
  // where b is -inf, -inf for none.
  __device__ RowDivergences(const RowSums& sums, double masked_a, double peak_a, double masked_b,
                            double peak_b)
      : sums_(sums),
        infinite_(Weighs(masked_a, peak_a)),
        reverse_infinite_(Weighs(masked_b, peak_b)) {}

  // In nats: of b from a, and with `reverse` of a from b.
  __device__ double Value(bool reverse) const {
    const RowSums& s = sums_;
    const double moved = s.drift + s.excess;
    const double shared = reverse ? s.other : s.shared, extra = reverse ? s.extra_a : s.extra_b;
    // `grown` is `total` - `shared`, of which either keeps more digits.
    const double grown = extra + (reverse ? -moved : moved);
    const double total = extra + (reverse ? s.shared : s.other);
    const double drift = reverse ? s.drift + s.curve : -s.drift;
    if (reverse ? reverse_infinite_ : infinite_) return HUGE_VAL;
    if (!(shared > 0)) return extra == 0 ? 0 : HUGE_VAL;
    const double ratio = grown / shared;
    const double value = (fabs(ratio) < 0.25 ? log1p(ratio) : log(total / shared)) + drift / shared;
    return value > 0 ? value : 0;
  }

 private:
  // Whether what one side masks has on the other a weight that does not underflow.
  __device__ static bool Weighs(double masked, double peak) {
    return masked != -HUGE_VAL && exp(masked - peak) > 0;
  }

  RowSums sums_;
  bool infinite_, reverse_infinite_;
};

// The lanes' sums fold.
__device__ inline Divergence FoldDivergence(Divergence mine) {
  mine.shared = FoldOverLanes(mine.shared);
  mine.drift = FoldOverLanes(mine.drift);
  mine.excess = FoldOverLanes(mine.excess);
  mine.extra = FoldOverLanes(mine.extra);
  mine.infinite = __any_sync(kAllLanes, mine.infinite);
  return mine;
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ROW_DIVERGENCES_CUH_
