// What a lane adds in f32 before it adds in f64 (kernels/sums.h).
#ifndef GTEST_PARITY_KERNELS_CUDA_RUN_SUMS_CUH_
#define GTEST_PARITY_KERNELS_CUDA_RUN_SUMS_CUH_

#include <type_traits>

#include "kernels/formats.h"
#include "kernels/sums.h"

namespace parity {

// A lane's sums over a run, in f32.
template <typename Format>
struct RunSums {
  float dd = 0, aa = 0, bb = 0, ab = 0;

  __device__ void Add(float a, float b, float difference) {
    dd = AddProduct(dd, difference, difference);
    aa = Exact(aa, a, a);
    bb = Exact(bb, b, b);
    ab = Exact(ab, a, b);
  }
  __device__ void AddEqual(float value) { aa = Exact(aa, value, value); }
  __device__ bool Finite() const { return isfinite(aa) && isfinite(bb); }

 private:
  // Products of two f16 are exact in f32 and not beneath it: fused, the bits are the same.
  __device__ static float Exact(float sum, float x, float y) {
    if constexpr (std::is_same_v<Format, F16>) return __fmaf_rn(x, y, sum);
    return AddProduct(sum, x, y);
  }
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_RUN_SUMS_CUH_
