// From a row's segments to its result.
#ifndef GTEST_PARITY_KERNELS_CUDA_ROW_FINISHER_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ROW_FINISHER_CUH_

#include <cmath>
#include <cstdint>

#include "kernels/cuda/row_divergences.cuh"
#include "kernels/cuda/row_top.cuh"
#include "kernels/cuda/row_work.h"
#include "kernels/cuda/vector_elements.cuh"
#include "kernels/cuda/warp.cuh"

namespace parity {

template <typename Format>
class RowFinisher {
 public:
  using Place = PlaceCode<Format>;
  using Code = typename Place::Code;

  __device__ RowFinisher(const RowWork& work, std::uint64_t row, const RowSegment<Format>* segments)
      : work_(work),
        segments_(segments),
        a_(BitStream::At(work.a, row * work.columns * Format::kBits)),
        b_(BitStream::At(work.b, row * work.columns * Format::kBits)) {}

  // Of every `step`-th segment from `first` on, lane i gets the i-th places.
  __device__ void AddTops(std::uint32_t first, std::uint32_t step, Code& top_a, Code& top_b) const {
    constexpr std::uint32_t kAhead = 4;  // loads under way together
    const std::uint32_t lane = LaneId();
    for (std::uint32_t i = first; i < work_.segments; i += kAhead * step) {
      Code next_a[kAhead], next_b[kAhead];
#pragma unroll
      for (std::uint32_t k = 0; k < kAhead; ++k) {
        const std::uint32_t at = i + k * step;
        const bool there = lane < kTopColumns && at < work_.segments;
        next_a[k] = there ? segments_[at].top_a[lane] : Code{0};
        next_b[k] = there ? segments_[at].top_b[lane] : Code{0};
      }
#pragma unroll 1
      for (std::uint32_t k = 0; k < kAhead && i + k * step < work_.segments; ++k) {
        Merge(top_a, next_a[0]);
        Merge(top_b, next_b[0]);
#pragma unroll
        for (std::uint32_t j = 0; j + 1 < kAhead; ++j) {
          next_a[j] = next_a[j + 1];
          next_b[j] = next_b[j + 1];
        }
      }
    }
  }
  // Most lists have nothing that comes before the last place.
  __device__ static void Merge(Code& top, Code next) {
    if (ShuffleFrom(next, 0) > ShuffleFrom(top, kTopColumns - 1)) top = MergeDescending(top, next);
  }

  // With the places of the row. The code whose place in b must be counted, or 0.
  __device__ Code Run(Code top_a, Code top_b, RowStats& out) {
    RowStats stats;
    const Code best_a = ShuffleFrom(top_a, 0), best_b = ShuffleFrom(top_b, 0);
    stats.argmax_reference = Place::ColumnOf(best_a);
    stats.argmax_candidate = Place::ColumnOf(best_b);
    stats.margin = Margin(best_a, ShuffleFrom(top_a, 1));
    if (LaneId() >= kTopColumns) top_a = top_b = 0;
    stats.top_overlap = Overlap(top_a, top_b);
    AddCounts(stats);
    const Code own = CodeInB(stats.argmax_reference);
    stats.rank = 1 + __popc(__ballot_sync(kAllLanes, top_b > own));
    const bool known = own >= ShuffleFrom(top_b, kTopColumns - 1);
    if (!known) stats.rank = 1;
    if (!stats.identical) SetDivergences(stats);
    if (LaneId() == 0) out = stats;
    return known ? Code{0} : own;
  }

 private:
  static constexpr std::uint32_t kNoColumn = ~std::uint32_t{0};

  __device__ Code CodeInB(std::uint32_t column) const {
    return Place::Of(ElementAt<Format>(b_, column), column);
  }
  __device__ static bool IsNan(Code code) { return (code >> 32) == 0; }
  __device__ static double Value(Code code) { return Place::ValueOf(code); }

  __device__ static double Margin(Code best, Code second) {
    if (second == 0) return HUGE_VAL;
    if (best >> 32 == second >> 32) return 0;
    return IsNan(second) ? HUGE_VAL : Value(best) - Value(second);
  }

  __device__ static std::uint32_t Overlap(Code top_a, Code top_b) {
    // Columns of no place are different ones.
    const std::uint32_t column_a = top_a == 0 ? kNoColumn : Place::ColumnOf(top_a);
    const std::uint32_t column_b = top_b == 0 ? kNoColumn - 1 : Place::ColumnOf(top_b);
    bool shared = false;
#pragma unroll
    for (std::uint32_t i = 0; i < kTopColumns; ++i) {
      shared |= __shfl_sync(kAllLanes, column_b, static_cast<int>(i)) == column_a;
    }
    return __popc(__ballot_sync(kAllLanes, shared));
  }

  // A segment a lane.
  __device__ void AddCounts(RowStats& stats) {
    bool differs = false;
    for (std::uint32_t i = LaneId(); i < work_.segments; i += kWarp) {
      const RowSegment<Format>& segment = segments_[i];
      stats.nan_reference += segment.nan_a;
      stats.nan_candidate += segment.nan_b;
      stats.mask_mismatch += segment.mask_mismatch;
      differs |= segment.differs;
      one_sided_nan_ |= segment.one_sided_nan;
      plus_infinity_ |= segment.plus_infinity;
      masked_a_ = fmax(masked_a_, static_cast<double>(segment.masked_a));
      masked_b_ = fmax(masked_b_, static_cast<double>(segment.masked_b));
    }
    stats.nan_reference = SumOfLanes(stats.nan_reference);
    stats.nan_candidate = SumOfLanes(stats.nan_candidate);
    stats.identical = !__any_sync(kAllLanes, differs);
    const std::uint32_t mismatch = SumOfLanes(stats.mask_mismatch);
    stats.mask_mismatch = stats.identical ? 0 : mismatch;
    one_sided_nan_ = __any_sync(kAllLanes, one_sided_nan_);
    plus_infinity_ = __any_sync(kAllLanes, plus_infinity_);
    masked_a_ = MaxOfLanes(masked_a_);
    masked_b_ = MaxOfLanes(masked_b_);
  }

  __device__ void SetDivergences(RowStats& stats) {
    if (one_sided_nan_) {
      stats.kl = stats.kl_reverse = HUGE_VAL;
      return;
    }
    const double peak_a = Peak(a_, stats.argmax_reference);
    const double peak_b = Peak(b_, stats.argmax_candidate);
    const RowSums sums = Sums();
    if (plus_infinity_ || sums.Lost()) {
      DivergeAgain(peak_a, peak_b, stats);
      return;
    }
    const RowDivergences both(sums, masked_a_, peak_a, masked_b_, peak_b);
    // Two lanes work out one each.
    const double value = both.Value(LaneId() == 1);
    stats.kl = ShuffleFrom(value, 0);
    stats.kl_reverse = ShuffleFrom(value, 1);
  }

  // The largest logit that is a number, -inf where there is none.
  __device__ static double Peak(const BitStream& row, std::uint32_t best) {
    const double logit = Format::Decode(ElementAt<Format>(row, best));
    return isnan(logit) ? -HUGE_VAL : logit;
  }

  // All segments', their peaks moved to the largest.
  __device__ RowSums Sums() const {
    double peak_a = -HUGE_VAL, peak_b = -HUGE_VAL;
    for (std::uint32_t i = LaneId(); i < work_.segments; i += kWarp) {
      if (!segments_[i].numbers) continue;
      peak_a = fmax(peak_a, segments_[i].sums.peak_a);
      peak_b = fmax(peak_b, segments_[i].sums.peak_b);
    }
    RowSums all;
    all.peak_a = MaxOfLanes(peak_a);
    all.peak_b = MaxOfLanes(peak_b);
    for (std::uint32_t i = LaneId(); i < work_.segments; i += kWarp) {
      if (!segments_[i].numbers) continue;
      RowSums own = segments_[i].sums;
      if (own.peak_a != all.peak_a || own.peak_b != all.peak_b) own.MoveTo(all.peak_a, all.peak_b);
      all.Add(own);
    }
    if (work_.segments == 1) {
      all.ForEach([](double sum) { return ShuffleFrom(sum, 0); });
    } else {
      all.ForEach([](double sum) { return FoldOverLanes(sum); });
    }
    return all;
  }

  // As the host does, for rows with +inf or lost sums: the lanes' sums fold.
  __device__ void DivergeAgain(double peak_a, double peak_b, RowStats& stats) const {
    Divergence forward, reverse;
    for (std::uint32_t i = LaneId(); i < work_.columns; i += kWarp) {
      const double x = Format::Decode(ElementAt<Format>(a_, i));
      const double y = Format::Decode(ElementAt<Format>(b_, i));
      if (isnan(x) || isnan(y)) continue;
      const double lp = LogWeight(x, peak_a), lq = LogWeight(y, peak_b);
      const double wp = exp(lp), wq = exp(lq);
      forward.Add(lp, lq, wp, wq);
      reverse.Add(lq, lp, wq, wp);
    }
    stats.kl = FoldDivergence(forward).Value();
    stats.kl_reverse = FoldDivergence(reverse).Value();
  }

  const RowWork& work_;
  const RowSegment<Format>* segments_;
  BitStream a_, b_;
  double masked_a_ = -HUGE_VAL, masked_b_ = -HUGE_VAL;
  bool one_sided_nan_ = false, plus_infinity_ = false;
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ROW_FINISHER_CUH_
