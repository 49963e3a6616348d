// From a row's segments to its result.
#ifndef GTEST_PARITY_KERNELS_CUDA_ROWS_FINISH_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ROWS_FINISH_CUH_

#include <cmath>
#include <cstdint>

#include "kernels/cuda/rows_kernel.cuh"
#include "kernels/divergence.h"

namespace parity {

template <typename Format>
struct RowFinish {
  const RowWork* works = nullptr;
  const std::uint32_t* work_of_row = nullptr;
  std::uint32_t rows = 0;
  const RowSegment<Format>* segments = nullptr;
  RowStats* results = nullptr;
  typename PlaceCode<Format>::Code* sought = nullptr;  // by row: 0 where its rank is known
};

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

  // The code whose place in b must be counted, or 0.
  __device__ Code Run(RowStats& out) {
    RowStats stats;
    const Code top_a = Top(&RowSegment<Format>::top_a), top_b = Top(&RowSegment<Format>::top_b);
    const Code best_a = ShuffleFrom(top_a, 0), best_b = ShuffleFrom(top_b, 0);
    stats.argmax_reference = Place::ColumnOf(best_a);
    stats.argmax_candidate = Place::ColumnOf(best_b);
    stats.margin = Margin(best_a, ShuffleFrom(top_a, 1));
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
  // Lane i gets the i-th place of the row.
  __device__ Code Top(const Code (RowSegment<Format>::*top)[kTopColumns]) const {
    const std::uint32_t lane = LaneId();
    Code first = lane < kTopColumns ? (segments_[0].*top)[lane] : Code{0};
    for (std::uint32_t i = 1; i < work_.segments; ++i) {
      Code second = lane < kTopColumns ? (segments_[i].*top)[lane] : Code{0};
      SortDescending(first, second);
      if (lane >= kTopColumns) first = 0;
    }
    return first;
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

  __device__ void AddCounts(RowStats& stats) {
    stats.identical = true;
    for (std::uint32_t i = 0; i < work_.segments; ++i) {
      const RowSegment<Format>& segment = segments_[i];
      stats.nan_reference += segment.nan_a;
      stats.nan_candidate += segment.nan_b;
      stats.mask_mismatch += segment.mask_mismatch;
      stats.identical &= !segment.differs;
      one_sided_nan_ |= segment.one_sided_nan;
      plus_infinity_ |= segment.plus_infinity;
      masked_a_ = fmax(masked_a_, static_cast<double>(segment.masked_a));
      masked_b_ = fmax(masked_b_, static_cast<double>(segment.masked_b));
    }
    if (stats.identical) stats.mask_mismatch = 0;
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
    bool some = false;
    RowSums all;
    for (std::uint32_t i = 0; i < work_.segments; ++i) {
      const RowSegment<Format>& segment = segments_[i];
      if (!segment.numbers) continue;
      RowSums own = segment.sums;
      if (!some) {
        all = own;
        some = true;
        continue;
      }
      const double peak_a = fmax(all.peak_a, own.peak_a), peak_b = fmax(all.peak_b, own.peak_b);
      all.MoveTo(peak_a, peak_b);
      own.MoveTo(peak_a, peak_b);
      all.Add(own);
    }
    return all;
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

template <typename Format>
__global__ void __launch_bounds__(128)
    FinishRowsKernel(const __grid_constant__ RowFinish<Format> batch) {
  const std::uint32_t row = (blockIdx.x * blockDim.x + threadIdx.x) / kWarp;
  if (row >= batch.rows) return;
  const RowWork& work = batch.works[batch.work_of_row[row]];
  const std::uint32_t local = row - work.first_row;
  const RowSegment<Format>* segments =
      batch.segments + work.first_unit + std::uint64_t{local} * work.segments;
  const auto sought = RowFinisher<Format>(work, local, segments).Run(batch.results[row]);
  if (LaneId() == 0) batch.sought[row] = sought;
}

// Ranks that no list of first places holds: how many of b's columns come before.
template <typename Format>
__global__ void __launch_bounds__(kRowWarps* kWarp)
    RankKernel(const __grid_constant__ RowBatch<Format> batch,
               const __grid_constant__ RowFinish<Format> finish) {
  using Place = PlaceCode<Format>;
  const std::uint32_t unit = (blockIdx.x * blockDim.x + threadIdx.x) / kWarp;
  if (unit >= batch.units) return;
  const RowWork& work = batch.works[batch.work_of_unit[unit]];
  const std::uint32_t row = work.first_row + (unit - work.first_unit) / work.segments;
  const auto sought = finish.sought[row];
  if (sought == 0) return;
  const RowSpan<Format> span(work, unit);
  constexpr std::uint32_t kElements = 128 / Format::kBits;
  std::uint32_t before = 0;
#pragma unroll 4
  for (std::uint32_t vector = LaneId(); vector * kElements < span.columns; vector += kWarp) {
    const uint4 bits = span.Load(span.b, vector);
#pragma unroll
    for (std::uint32_t i = 0; i < kElements; ++i) {
      const std::uint32_t column = vector * kElements + i;
      before += column < span.columns &&
                Place::Of(ElementOf<Format>(bits, i), span.first_column + column) > sought;
    }
  }
  before = SumOfLanes(before);
  if (LaneId() == 0) atomicAdd(&finish.results[row].rank, before);
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ROWS_FINISH_CUH_
