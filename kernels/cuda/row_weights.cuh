// What one column adds to a row's divergences.
#ifndef GTEST_PARITY_KERNELS_CUDA_ROW_WEIGHTS_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ROW_WEIGHTS_CUH_

#include "kernels/cuda/row_work.h"
#include "kernels/divergence.h"

namespace parity {

// e^value.
__device__ inline float Exponential(float value) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(value * 1.44269504f));
  return result;
}
__device__ inline double Exponential(double value) { return exp(value); }

// How near two logits are for (e^d - 1 - d) to come from its series.
inline constexpr float kNearLogits = 0.25f;

// (e^d - 1 - d) / d^2 for |d| <= kNearLogits: to 3e-8 in f32, to the last bits in f64.
__device__ inline float ExcessTail(float d) {
  // Its series up to d^5, whose last term is made one of d and d^3 (Chebyshev).
  constexpr double kSquare = double{kNearLogits} * kNearLogits, kLast = 1.0 / 5040;
  constexpr float kFirst = static_cast<float>(1.0 / 6 - 0.3125 * kSquare * kSquare * kLast);
  constexpr float kThird = static_cast<float>(1.0 / 120 + 1.25 * kSquare * kLast);
  return (((1.0f / 720 * d + kThird) * d + 1.0f / 24) * d + kFirst) * d + 0.5f;
}
__device__ inline double ExcessTail(double d) {
  constexpr double kFactorials[] = {
      1.0 / 2,     1.0 / 6,      1.0 / 24,      1.0 / 120,      1.0 / 720,       1.0 / 5040,
      1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};
  double tail = 0;
#pragma unroll
  for (int k = 12; k-- > 0;) tail = tail * d + kFactorials[k];
  return tail;
}

// Sums over a few columns, in T; then into RowSums. Of columns that are not near they are taken
// otherwise, so that nothing cancels before it is in f64.
template <typename T>
struct FewSums {
  T shared = 0, other = 0, drift = 0, excess = 0, curve = 0;
  T far_drift = 0, far_turned = 0;  // sum w d and sum w e^d d

  // Two numbers whose sides have one peak, near each other; `other` comes with AddNearTo.
  __device__ void AddNear(T x, T y, T peak) {
    const T weight = Exponential(x - peak), d = y - x;
    const T q = d * d * ExcessTail(d), weighted = weight * d;
    shared += weight;
    drift += weighted;
    excess += weight * q;
    curve += weighted * (q + d);
  }
  __device__ void AddNearTo(RowSums& sums) {
    other = shared + (drift + excess);
    AddTo(sums);
  }

  // Any two numbers; `turn` is peak_b - peak_a.
  __device__ void Add(T x, T y, T peak_a, T peak_b, T turn) {
    const T under_a = x - peak_a, under_b = y - peak_b;
    const T weight = Exponential(under_a), there = Exponential(under_b);
    // Of one peak the difference is exact where it is small, of two that of what lies under them.
    const T d = turn == 0 ? y - x : under_b - under_a;
    const bool near = d <= T(kNearLogits) && d >= T(-kNearLogits);
    const T small = near ? d : T(0), far = near ? T(0) : d;
    const T q = small * small * ExcessTail(small), weighted = weight * small;
    shared += weight;
    other += there;
    drift += weighted;
    curve += weighted * (q + small);
    // Apart either weight may have become 0, so that e^d is not asked for.
    excess += near ? weight * q : there - weight - weight * far;
    far_drift += weight * far;
    far_turned += there * far;
  }

  __device__ void AddTo(RowSums& sums) const {
    sums.shared += shared;
    sums.other += other;
    sums.drift += drift;
    sums.excess += excess;
    sums.curve += curve;
    if (far_drift == 0 && far_turned == 0) return;
    sums.drift += far_drift;
    sums.curve += static_cast<double>(far_turned) - static_cast<double>(far_drift);
  }
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ROW_WEIGHTS_CUH_
