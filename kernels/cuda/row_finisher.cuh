// From a row's segments to its result.
#ifndef GTEST_PARITY_KERNELS_CUDA_ROW_FINISHER_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ROW_FINISHER_CUH_

#include <cmath>
#include <cstdint>

#include "kernels/cuda/row_top.cuh"
#include "kernels/cuda/row_work.h"
#include "kernels/cuda/vector_elements.cuh"
#include "kernels/cuda/warp.cuh"
#include "kernels/divergence.h"

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

  __device__ Code TopA(std::uint32_t first, std::uint32_t step) const {
    return Top(first, step, [](const RowSegment<Format>& segment) { return segment.top_a; });
  }
  __device__ Code TopB(std::uint32_t first, std::uint32_t step) const {
    return Top(first, step, [](const RowSegment<Format>& segment) { return segment.top_b; });
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
  // Of every `step`-th segment from `first` on, lane i gets the i-th place.
  template <typename Of>
  __device__ Code Top(std::uint32_t first, std::uint32_t step, Of of) const {
    const std::uint32_t lane = LaneId();
    Code top = 0;
    for (std::uint32_t i = first; i < work_.segments; i += step) {
      const Code next = lane < kTopColumns ? of(segments_[i])[lane] : Code{0};
      top = i == first ? next : MergeDescending(top, next);
    }
    return top;
  }

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
    bool shared = false;
    for (std::uint32_t i = 0; i < kTopColumns; ++i) {
      const Code other = ShuffleFrom(top_b, static_cast<int>(i));
      shared |= other != 0 && top_a != 0 && Place::ColumnOf(other) == Place::ColumnOf(top_a);
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
    if (plus_infinity_) {
      DivergeAgain(peak_a, peak_b, stats);
      return;
    }
    const RowSums sums = Sums();
    // What one side masks and the other gives a weight that does not underflow.
    const bool infinite = exp(masked_a_ - peak_a) > 0, reverse = exp(masked_b_ - peak_b) > 0;
    stats.kl = Value(infinite, sums.shared, sums.drift + sums.excess + sums.extra_b,
                     sums.other + sums.extra_b, -sums.drift / sums.shared, sums.extra_b);
    stats.kl_reverse =
        Value(reverse, sums.other, sums.extra_a - sums.drift - sums.excess,
              sums.shared + sums.extra_a, (sums.drift + sums.curve) / sums.other, sums.extra_a);
  }

  // `grown` is `total` - `shared`, of which either keeps more digits.
  __device__ static double Value(bool infinite, double shared, double grown, double total,
                                 double mean, double extra) {
    if (infinite) return HUGE_VAL;
    if (!(shared > 0)) return extra == 0 ? 0 : HUGE_VAL;
    const double ratio = grown / shared;
    const double value = (fabs(ratio) < 0.25 ? log1p(ratio) : log(total / shared)) + mean;
    return value > 0 ? value : 0;
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
    if (work_.segments == 1) return OfFirstLane(all);
    all.shared = FoldOverLanes(all.shared);
    all.other = FoldOverLanes(all.other);
    all.drift = FoldOverLanes(all.drift);
    all.excess = FoldOverLanes(all.excess);
    all.curve = FoldOverLanes(all.curve);
    all.extra_a = FoldOverLanes(all.extra_a);
    all.extra_b = FoldOverLanes(all.extra_b);
    return all;
  }
  __device__ static RowSums OfFirstLane(RowSums sums) {
    sums.shared = ShuffleFrom(sums.shared, 0);
    sums.other = ShuffleFrom(sums.other, 0);
    sums.drift = ShuffleFrom(sums.drift, 0);
    sums.excess = ShuffleFrom(sums.excess, 0);
    sums.curve = ShuffleFrom(sums.curve, 0);
    sums.extra_a = ShuffleFrom(sums.extra_a, 0);
    sums.extra_b = ShuffleFrom(sums.extra_b, 0);
    return sums;
  }

  // As the host does, for rows with +inf: the lanes' sums fold.
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
    stats.kl = Folded(forward).Value();
    stats.kl_reverse = Folded(reverse).Value();
  }
  __device__ static Divergence Folded(Divergence mine) {
    mine.shared = FoldOverLanes(mine.shared);
    mine.drift = FoldOverLanes(mine.drift);
    mine.excess = FoldOverLanes(mine.excess);
    mine.extra = FoldOverLanes(mine.extra);
    mine.infinite = __any_sync(kAllLanes, mine.infinite);
    return mine;
  }

  const RowWork& work_;
  const RowSegment<Format>* segments_;
  BitStream a_, b_;
  double masked_a_ = -HUGE_VAL, masked_b_ = -HUGE_VAL;
  bool one_sided_nan_ = false, plus_infinity_ = false;
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ROW_FINISHER_CUH_
