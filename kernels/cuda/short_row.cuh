// One short row, compared by a warp.
#ifndef GTEST_PARITY_KERNELS_CUDA_SHORT_ROW_CUH_
#define GTEST_PARITY_KERNELS_CUDA_SHORT_ROW_CUH_

#include <cmath>
#include <cstdint>

#include "kernels/cuda/row_divergences.cuh"
#include "kernels/cuda/row_weights.cuh"
#include "kernels/cuda/row_work.h"
#include "kernels/cuda/short_row_order.cuh"
#include "kernels/cuda/vector_elements.cuh"
#include "kernels/cuda/warp.cuh"

namespace parity {

// The row's result, but for divergences that its sums still have to give.
struct ShortRowResult {
  RowStats stats;
  RowSums sums;
  float peak_a = -HUGE_VALF, peak_b = -HUGE_VALF;      // the largest logits, -inf for none
  float masked_a = -HUGE_VALF, masked_b = -HUGE_VALF;  // as RowDivergences has them
  bool pending = false;

  __device__ void Finish() {
    if (!pending) return;
    const RowDivergences both(sums, masked_a, peak_a, masked_b, peak_b);
    stats.kl = both.Value(false);
    stats.kl_reverse = both.Value(true);
  }
};

template <typename Format>
class ShortRow {
 public:
  using Bits = typename Format::Bits;
  using Place = PlaceCode<Format>;

  __device__ ShortRow(const RowWork& work, std::uint64_t row) {
    a_.columns = b_.columns = work.columns;
    const std::uint64_t first = row * work.columns * Format::kBits;
    const BitStream a = BitStream::At(work.a, first), b = BitStream::At(work.b, first);
#pragma unroll
    for (std::uint32_t k = 0; k < 2; ++k) {
      if (!a_.Holds(k)) continue;
      x_[k] = ElementAt<Format>(a, LaneId() + k * kWarp);
      y_[k] = ElementAt<Format>(b, LaneId() + k * kWarp);
    }
  }

  // By the whole warp, the same in every lane.
  __device__ void Compare(ShortRowResult& out) {
#pragma unroll
    for (std::uint32_t k = 0; k < 2; ++k) {
      a_.order[k] = a_.Holds(k) ? Place::Order(x_[k]) : 0;
      b_.order[k] = b_.Holds(k) ? Place::Order(y_[k]) : 0;
    }
    SortShort(a_, b_);
    SetPlaces(out.stats);
    out.stats.identical = __all_sync(kAllLanes, x_[0] == y_[0] && x_[1] == y_[1]);
    out.peak_a = PeakOf(a_);
    out.peak_b = PeakOf(b_);
    const bool odd = IsOdd(0) || IsOdd(1);
    bool plus_infinity = false;
    if (__any_sync(kAllLanes, odd)) {
      CountOdd(out);
      plus_infinity = out.peak_a == HUGE_VALF || out.peak_b == HUGE_VALF;
    }
    if (out.stats.identical || out.stats.kl != 0) return;
    if (!plus_infinity) AddWeights(out);
    if (plus_infinity || out.sums.Lost()) DivergeAgain(out);
  }

 private:
  __device__ float X(std::uint32_t k) const { return Format::Decode(x_[k]); }
  __device__ float Y(std::uint32_t k) const { return Format::Decode(y_[k]); }
  __device__ bool IsOdd(std::uint32_t k) const {
    return !Format::IsFinite(x_[k]) || !Format::IsFinite(y_[k]);
  }
  __device__ static float ValueOf(std::uint32_t order) {
    return Place::ValueOf(std::uint64_t{order} << 32);
  }
  __device__ static float PeakOf(const ShortOrder& side) {
    return side.best == 0 ? -HUGE_VALF : ValueOf(side.best);
  }
  __device__ static std::uint32_t CountLanes(bool first, bool second) {
    return __popc(__ballot_sync(kAllLanes, first)) + __popc(__ballot_sync(kAllLanes, second));
  }

  __device__ void SetPlaces(RowStats& stats) const {
    stats.argmax_reference = a_.ColumnOfBest();
    stats.argmax_candidate = b_.ColumnOfBest();
    stats.rank = b_.PlaceOf(stats.argmax_reference);
    stats.margin = HUGE_VAL;
    if (a_.columns > 1) {
      if (a_.best == a_.second) {
        stats.margin = 0;
      } else if (a_.second != 0) {
        stats.margin = static_cast<double>(ValueOf(a_.best)) - ValueOf(a_.second);
      }
    }
    bool top_a[2], top_b[2];
    a_.FindTop(top_a);
    b_.FindTop(top_b);
    stats.top_overlap = CountLanes(top_a[0] && top_b[0], top_a[1] && top_b[1]);
  }

  // Where there is more than numbers. What lies beyond the columns is 0, which is one.
  __device__ void CountOdd(ShortRowResult& out) const {
    bool nan_x[2], nan_y[2], masked_x[2], masked_y[2];
#pragma unroll
    for (std::uint32_t k = 0; k < 2; ++k) {
      nan_x[k] = isnan(X(k));
      nan_y[k] = isnan(Y(k));
      masked_x[k] = X(k) == -HUGE_VALF;
      masked_y[k] = Y(k) == -HUGE_VALF;
      if (masked_y[k] && !masked_x[k] && !nan_x[k]) out.masked_a = fmaxf(out.masked_a, X(k));
      if (masked_x[k] && !masked_y[k] && !nan_y[k]) out.masked_b = fmaxf(out.masked_b, Y(k));
    }
    out.masked_a = MaxOfLanes(out.masked_a);
    out.masked_b = MaxOfLanes(out.masked_b);
    out.stats.nan_reference = CountLanes(nan_x[0], nan_x[1]);
    out.stats.nan_candidate = CountLanes(nan_y[0], nan_y[1]);
    out.stats.mask_mismatch = CountLanes(masked_x[0] != masked_y[0], masked_x[1] != masked_y[1]);
    if (CountLanes(nan_x[0] != nan_y[0], nan_x[1] != nan_y[1]) != 0) {
      out.stats.kl = out.stats.kl_reverse = HUGE_VAL;
    }
  }

  // As the host does, for rows with +inf or lost sums.
  __device__ void DivergeAgain(ShortRowResult& out) const {
    out.pending = false;
    Divergence forward, reverse;
#pragma unroll 1
    for (std::uint32_t k = 0; k < 2; ++k) {
      const double x = k == 0 ? X(0) : X(1), y = k == 0 ? Y(0) : Y(1);
      if (LaneId() + k * kWarp >= a_.columns || isnan(x) || isnan(y)) continue;
      const double lp = LogWeight(x, out.peak_a), lq = LogWeight(y, out.peak_b);
      const double wp = exp(lp), wq = exp(lq);
      forward.Add(lp, lq, wp, wq);
      reverse.Add(lq, lp, wq, wp);
    }
    out.stats.kl = FoldDivergence(forward).Value();
    out.stats.kl_reverse = FoldDivergence(reverse).Value();
  }

  // Sides whose largest logits are near share a peak, so that d is y - x (row_lane.cuh).
  __device__ void AddWeights(ShortRowResult& out) const {
    out.pending = true;
    float peak_a = out.peak_a, peak_b = out.peak_b;
    if (peak_a == -HUGE_VALF && peak_b == -HUGE_VALF) return;
    if (peak_a == -HUGE_VALF) peak_a = peak_b;
    if (peak_b == -HUGE_VALF) peak_b = peak_a;
    if (fabsf(peak_a - peak_b) < kNear) peak_a = peak_b = fmaxf(peak_a, peak_b);
    bool numbers[2], apart = peak_a != peak_b || a_.columns <= kFew;
#pragma unroll
    for (std::uint32_t k = 0; k < 2; ++k) {
      numbers[k] = a_.Holds(k) && !IsOdd(k);
      apart |= numbers[k] && !(fabsf(Y(k) - X(k)) <= kNearLogits);
    }
    if (__any_sync(kAllLanes, apart)) {
      AddApart(numbers, peak_a, peak_b, out.sums);
    } else {
      AddNear(numbers, peak_a, out.sums);
    }
    if (out.stats.mask_mismatch != 0) AddExtras(peak_a, peak_b, out.sums);
  }
  __device__ void AddNear(const bool (&numbers)[2], float peak, RowSums& sums) const {
    FewSums<float> few;
#pragma unroll
    for (std::uint32_t k = 0; k < 2; ++k) {
      if (numbers[k]) few.AddNear(X(k), Y(k), peak);
    }
    sums.shared = FoldOverLanes(few.shared);
    sums.drift = FoldOverLanes(few.drift);
    sums.excess = FoldOverLanes(few.excess);
    sums.curve = FoldOverLanes(few.curve);
    sums.other = sums.shared + (sums.drift + sums.excess);
  }
  // In few columns what f32 rounds would show.
  __device__ void AddApart(const bool (&numbers)[2], double peak_a, double peak_b,
                           RowSums& sums) const {
    FewSums<double> few;
#pragma unroll 1
    for (std::uint32_t k = 0; k < 2; ++k) {
      if (!(k == 0 ? numbers[0] : numbers[1])) continue;
      few.Add(k == 0 ? X(0) : X(1), k == 0 ? Y(0) : Y(1), peak_a, peak_b, peak_b - peak_a);
    }
    few.AddTo(sums);
    sums.ForEach([](double sum) { return FoldOverLanes(sum); });
  }
  __device__ void AddExtras(float peak_a, float peak_b, RowSums& sums) const {
    double extra_a = 0, extra_b = 0;
#pragma unroll
    for (std::uint32_t k = 0; k < 2; ++k) {
      const float x = X(k), y = Y(k);
      if (!a_.Holds(k) || isnan(x) || isnan(y)) continue;
      if (x == -HUGE_VALF && y != x) extra_b += Exponential(y - peak_b);
      if (y == -HUGE_VALF && y != x) extra_a += Exponential(x - peak_a);
    }
    sums.extra_a = FoldOverLanes(extra_a);
    sums.extra_b = FoldOverLanes(extra_b);
  }

  static constexpr float kNear = 4;
  static constexpr std::uint32_t kFew = kWarp;

  ShortOrder a_, b_;
  Bits x_[2] = {}, y_[2] = {};
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_SHORT_ROW_CUH_
