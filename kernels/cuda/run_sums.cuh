// What a lane adds of a run in f32 before it adds in f64 (kernels/sums.h).
#ifndef GTEST_PARITY_KERNELS_CUDA_RUN_SUMS_CUH_
#define GTEST_PARITY_KERNELS_CUDA_RUN_SUMS_CUH_

#include "kernels/cuda/element_lane.cuh"
#include "kernels/sums.h"

namespace parity {

struct RunSums {
  float dd = 0, aa = kRunBegin, bb = kRunBegin;

  __device__ void Add(float a, float b, float squared_difference) {
    dd = __fadd_rn(dd, squared_difference);
    AddEqual(a);
    bb = __fmaf_rn(b, b, bb);
  }
  // An element's square is exact, or vanishes beside kRunBegin.
  __device__ void AddEqual(float value) { aa = __fmaf_rn(value, value, aa); }
  __device__ bool Finite() const { return isfinite(aa) && isfinite(bb); }
  __device__ bool Holds() const { return RunHolds(aa, bb); }

  template <typename Format>
  __device__ void AddTo(LaneSums<Format>& sums, bool split) const {
    sums.aa.value += aa;
    if (!split) return;
    sums.bb.value += bb;
    sums.ab.value += RunProducts(dd, aa, bb);
    sums.dd.value += dd;
  }
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_RUN_SUMS_CUH_
