// What one column adds to a row's divergences.
#ifndef GTEST_PARITY_KERNELS_CUDA_ROW_WEIGHTS_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ROW_WEIGHTS_CUH_

#include "kernels/cuda/row_work.h"
#include "kernels/divergence.h"

namespace parity {

// e^value.
__device__ inline float Exponential(float value) {
  float result;
  asm("ex2.approx.f32 %0, %1;" : "=f"(result) : "f"(value * 1.44269504f));
  return result;
}
__device__ inline double Exponential(double value) { return exp(value); }

// Sums over a few columns, in T; then into RowSums.
template <typename T>
struct FewSums {
  T shared = 0, other = 0, drift = 0, excess = 0, curve = 0;

  // Two numbers; `turn` is peak_b - peak_a.
  __device__ void Add(T x, T y, T peak_a, T peak_b, T turn) {
    const T weight = Exponential(x - peak_a);
    const T d = (y - x) - turn;
    shared += weight;
    const T weighted = weight * d;
    drift += weighted;
    if (d <= T(0.25) && d >= T(-0.25)) {
      const T q = d * d * Tail(d), grown = weight * q;
      excess += grown;
      other += weight + (weighted + grown);
      curve += weighted * (q + d);
    } else {
      // Either weight may have become 0.
      const T there = Exponential(y - peak_b);
      excess += there - weight - weighted;
      other += there;
      curve += (there - weight) * d;
    }
  }

  __device__ void AddTo(RowSums& sums) const {
    sums.shared += shared;
    sums.other += other;
    sums.drift += drift;
    sums.excess += excess;
    sums.curve += curve;
  }

 private:
  // (e^d - 1 - d) / d^2 for small d.
  __device__ static T Tail(T d) {
    constexpr int kTerms = sizeof(T) == 8 ? 13 : 7;
    T tail = 1;
#pragma unroll
    for (int k = kTerms; k > 2; --k) tail = tail * d * T(1.0 / k) + 1;
    return tail / 2;
  }
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ROW_WEIGHTS_CUH_
