// What a lane's columns come to, but for their order.
#ifndef GTEST_PARITY_KERNELS_CUDA_ROW_LANE_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ROW_LANE_CUH_

#include <cmath>
#include <cstdint>

#include "kernels/cuda/row_ring.cuh"
#include "kernels/cuda/row_weights.cuh"
#include "kernels/cuda/row_work.h"
#include "kernels/cuda/warp.cuh"

namespace parity {

__device__ inline float Larger(float a, float b) { return fmaxf(a, b); }
__device__ inline double Larger(double a, double b) { return fmax(a, b); }
__device__ inline float Magnitude(float value) { return fabsf(value); }
__device__ inline double Magnitude(double value) { return fabs(value); }

// A lane's part of a chunk, in registers.
template <typename Format>
struct RowPart {
  using T = Real<Format>;
  using Stage = RowStage<Format>;
  static constexpr std::uint32_t kElements = kRowLaneElements<Format>;
  uint4 a[Stage::kLoads], b[Stage::kLoads];

  __device__ explicit RowPart(const Stage& stage) {
#pragma unroll
    for (std::uint32_t k = 0; k < Stage::kLoads; ++k) {
      a[k] = stage.a[k * kWarp + LaneId()];
      b[k] = stage.b[k * kWarp + LaneId()];
    }
  }
  // For constant i.
  __device__ T A(std::uint32_t i) const {
    return Format::Decode(ElementOf<Format>(a[i / Stage::kInVector], i % Stage::kInVector));
  }
  __device__ T B(std::uint32_t i) const {
    return Format::Decode(ElementOf<Format>(b[i / Stage::kInVector], i % Stage::kInVector));
  }
  __device__ std::uint32_t Difference() const {
    std::uint32_t difference = 0;
#pragma unroll
    for (std::uint32_t k = 0; k < Stage::kLoads; ++k) difference |= AnyDifference(a[k], b[k]);
    return difference;
  }
  // On both sides, and none so far from the other's that T does not hold what they say.
  __device__ bool AllNumbers() const {
    constexpr T kFar = 0x1p100f;
    T sum = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < kElements; ++i) sum = (B(i) - A(i)) * kFar * 0 + sum;
    return sum == 0;
  }
};

// What is rarely touched, in shared memory: registers decide how many warps there are.
template <typename Format>
struct RowCounts {
  Real<Format> masked_a = -HUGE_VALF, masked_b = -HUGE_VALF;
  std::uint32_t nan_a = 0, nan_b = 0, mask_mismatch = 0;
  bool one_sided_nan = false, plus_infinity = false;
};

template <typename Format>
class RowLane {
 public:
  using T = Real<Format>;
  using Part = RowPart<Format>;

  __device__ explicit RowLane(RowCounts<Format>& counts) : counts_(counts) { counts_ = {}; }

  // For columns whose largest logits that are numbers these are in this lane, -inf for none.
  __device__ void Reach(T max_a, T max_b) {
    if (has_peaks_ &&
        !__any_sync(kAllLanes, max_a > peak_a_ + kMayExceed || max_b > peak_b_ + kMayExceed)) {
      return;
    }
    SetPeaks(MaxOfLanes(max_a), MaxOfLanes(max_b));
  }

  // Numbers only. `near`: each pair within kNearLogits.
  __device__ void Add(const Part& part, bool near) {
    if (near && peak_a_ == peak_b_) {
      AddNear(part);
    } else {
      AddApart(part);
    }
  }

  // Of any one column.
  __device__ void AddColumn(T x, T y) {
    const bool nan_x = isnan(x), nan_y = isnan(y);
    const bool masked_x = x == -HUGE_VALF, masked_y = y == -HUGE_VALF;
    counts_.mask_mismatch += masked_x != masked_y;
    counts_.nan_a += nan_x;
    counts_.nan_b += nan_y;
    if (nan_x || nan_y) {
      counts_.one_sided_nan |= nan_x != nan_y;
    } else if (x == HUGE_VALF || y == HUGE_VALF) {
      counts_.plus_infinity = true;
    } else if (masked_x && masked_y) {
      return;
    } else if (masked_x) {
      counts_.masked_b = Larger(counts_.masked_b, y);
      sums_.extra_b += Exponential(y - peak_b_);
    } else if (masked_y) {
      counts_.masked_a = Larger(counts_.masked_a, x);
      sums_.extra_a += Exponential(x - peak_a_);
    } else {
      AddNumbers(x, y);
    }
  }

  // By the whole warp.
  __device__ void Write(RowSegment<Format>& out) const {
    RowSums sums = sums_;
    sums.ForEach([](double sum) { return FoldOverLanes(sum); });
    sums.peak_a = peak_a_;
    sums.peak_b = peak_b_;
    const T masked_a = MaxOfLanes(counts_.masked_a), masked_b = MaxOfLanes(counts_.masked_b);
    const std::uint32_t nan_a = SumOfLanes(counts_.nan_a), nan_b = SumOfLanes(counts_.nan_b);
    const std::uint32_t mismatch = SumOfLanes(counts_.mask_mismatch);
    const bool one_sided = __any_sync(kAllLanes, counts_.one_sided_nan);
    const bool plus = __any_sync(kAllLanes, counts_.plus_infinity);
    if (LaneId() != 0) return;
    out.sums = sums;
    out.masked_a = masked_a;
    out.masked_b = masked_b;
    out.nan_a = nan_a;
    out.nan_b = nan_b;
    out.mask_mismatch = mismatch;
    out.one_sided_nan = one_sided;
    out.plus_infinity = plus;
    out.numbers = has_peaks_;
  }

 private:
  // Weights may grow so far beyond 1 before the peaks move.
  static constexpr T kMayExceed = 30;
  // Sides whose largest logits are nearer than this share a peak, so that d is y - x.
  static constexpr T kNear = 4;

  __device__ void SetPeaks(T max_a, T max_b) {
    if (max_a == -HUGE_VALF && max_b == -HUGE_VALF) return;
    if (max_a == -HUGE_VALF) max_a = max_b;
    if (max_b == -HUGE_VALF) max_b = max_a;
    if (has_peaks_) {
      if (max_a > peak_a_ + kMayExceed || max_b > peak_b_ + kMayExceed) MovePeaks(max_a, max_b);
      return;
    }
    has_peaks_ = true;
    const bool near = max_a - max_b < kNear && max_b - max_a < kNear;
    peak_a_ = near ? Larger(max_a, max_b) : max_a;
    peak_b_ = near ? peak_a_ : max_b;
  }

  __device__ void MovePeaks(T max_a, T max_b) {
    T new_a = Larger(peak_a_, max_a), new_b = Larger(peak_b_, max_b);
    if (peak_a_ == peak_b_) {
      const T both = Larger(new_a, new_b);
      if (both - new_a < 4 * kNear && both - new_b < 4 * kNear) new_a = new_b = both;
    }
    sums_.peak_a = peak_a_;
    sums_.peak_b = peak_b_;
    sums_.MoveTo(new_a, new_b);
    peak_a_ = new_a;
    peak_b_ = new_b;
  }

  __device__ void AddNear(const Part& part) {
    FewSums<T> few;
#pragma unroll
    for (std::uint32_t i = 0; i < Part::kElements; ++i) {
      few.AddNear(part.A(i), part.B(i), peak_a_);
    }
    few.AddNearTo(sums_);
  }
  __device__ void AddApart(const Part& part) {
    FewSums<T> few;
    const T turn = peak_b_ - peak_a_;
#pragma unroll
    for (std::uint32_t i = 0; i < Part::kElements; ++i) {
      few.Add(part.A(i), part.B(i), peak_a_, peak_b_, turn);
    }
    few.AddTo(sums_);
  }

  // Few columns may be all that counts: in f64, which also holds any difference.
  __device__ void AddNumbers(double x, double y) {
    const double peak_a = peak_a_, peak_b = peak_b_;
    FewSums<double> few;
    few.Add(x, y, peak_a, peak_b, peak_b - peak_a);
    few.AddTo(sums_);
  }

  RowCounts<Format>& counts_;
  RowSums sums_;
  T peak_a_ = 0, peak_b_ = 0;
  bool has_peaks_ = false;
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ROW_LANE_CUH_
