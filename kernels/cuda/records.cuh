// The two maxima that are kept in f32, where a chunk may hold larger ones.
#ifndef GTEST_PARITY_KERNELS_CUDA_RECORDS_CUH_
#define GTEST_PARITY_KERNELS_CUDA_RECORDS_CUH_

#include "kernels/cuda/warp.cuh"
#include "kernels/pairs.h"

namespace parity {

// Of a lane's pairs of finite f32. Quotients are compared as products, which f64 holds exactly, and
// the largest is divided at the end: rounding up keeps the order.
class Records {
 public:
  __device__ void Offer(float a, float b) {
    const float difference = fabsf(a - b), magnitude = fmaxf(fabsf(a), kRelativeFloor);
    max_abs_ = fmaxf(max_abs_, difference);
    const double mine = static_cast<double>(difference) * static_cast<double>(magnitude_);
    if (mine > static_cast<double>(difference_) * static_cast<double>(magnitude)) {
      difference_ = difference;
      magnitude_ = magnitude;
    }
  }

  // By the whole warp.
  template <typename Lane>
  __device__ void Break(Lane& lane) const {
    const float max_abs = fmaxf(lane.max_abs, max_abs_);
    const float max_rel = fmaxf(lane.max_rel, __fdiv_ru(difference_, magnitude_));
    // No maximum is negative, so their bits are ordered as they are.
    lane.max_abs = __uint_as_float(MaxOfLanes(__float_as_uint(max_abs)));
    lane.max_rel = __uint_as_float(MaxOfLanes(__float_as_uint(max_rel)));
  }

 private:
  float max_abs_ = 0, difference_ = 0, magnitude_ = 1;
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_RECORDS_CUH_
