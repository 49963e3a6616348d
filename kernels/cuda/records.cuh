// The two maxima that are kept in f32, where a chunk may hold larger ones.
#ifndef GTEST_PARITY_KERNELS_CUDA_RECORDS_CUH_
#define GTEST_PARITY_KERNELS_CUDA_RECORDS_CUH_

#include "kernels/cuda/warp.cuh"
#include "kernels/pairs.h"

namespace parity {

// Whether a difference is above `record`, by the largest of their squares, which keep the order of
// what is neither too small nor too large; `any`: whether pairs are apart at all.
__device__ inline bool IsAbove(float largest_square, float record, bool any) {
  if (record < 0x1p-60f || record > 0x1p60f) return any;
  return largest_square > __fmul_rn(record, record);
}

// Whether a difference is beyond `max_rel` relative to `a`. Quotients are compared as products: no
// f32 lies between a product and what it is rounded down to.
__device__ inline bool IsBeyond(float difference, float a, float max_rel) {
  return fabsf(difference) > fabsf(__fmul_rz(max_rel, a));
}

// `difference` / `magnitude` rounded up, of numbers up to 2^101 and a magnitude from kRelativeFloor
// on. Right where the quotient is 2^-60 or more, below that it may be off by a bit.
__device__ inline float QuotientUp(float difference, float magnitude) {
  float reciprocal;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(magnitude));
  const float first = difference * reciprocal;
  const float quotient = __fmaf_rn(__fmaf_rn(-first, magnitude, difference), reciprocal, first);
  // One of the two f32 that are nearest; of what remains the sign is exact.
  const bool below = __fmaf_rn(-quotient, magnitude, difference) > 0;
  return __int_as_float(__float_as_int(quotient) + (below ? 1 : 0));
}

// The maxima of a lane's pairs as they come, where every other pair would break a record.
struct EachMaxima {
  float max_abs = 0, max_rel = 0;

  __device__ void Offer(float a, float difference) {
    const float distance = fabsf(difference);
    max_abs = fmaxf(max_abs, distance);
    max_rel = fmaxf(max_rel, QuotientUp(distance, fmaxf(fabsf(a), kRelativeFloor)));
  }
  // Whether they are what the pairs come to. Not where numbers are too `far` from 0 for QuotientUp,
  // or pairs are `apart` and no quotient is large enough for it.
  __device__ bool Right(bool apart, bool far) const {
    return !far && (!apart || max_rel >= 0x1p-60f);
  }
  template <typename Lane>
  __device__ void AddTo(Lane& lane) const {
    lane.max_abs = fmaxf(lane.max_abs, max_abs);
    lane.max_rel = fmaxf(lane.max_rel, max_rel);
  }
};

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
    lane.max_abs = LargestOfLanes(max_abs);
    lane.max_rel = LargestOfLanes(max_rel);
  }

 private:
  float max_abs_ = 0, difference_ = 0, magnitude_ = 1;
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_RECORDS_CUH_
