// Segments of rows, a warp each.
#ifndef GTEST_PARITY_KERNELS_CUDA_ROWS_KERNEL_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ROWS_KERNEL_CUH_

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "kernels/cuda/row_span.cuh"
#include "kernels/cuda/row_top.cuh"
#include "kernels/cuda/row_weights.cuh"
#include "kernels/cuda/row_work.h"
#include "kernels/cuda/vector_elements.cuh"

namespace parity {

inline constexpr std::uint32_t kRowWarps = 4;
// Of a multiprocessor, at least: as many as the registers allow without spills in earnest.
template <typename Format>
inline constexpr std::uint32_t kRowBlocks =
    std::is_same_v<Format, F32> || std::is_same_v<Format, BF16> || std::is_same_v<Format, E8M0> ? 5
                                                                                                : 2;

template <typename Format>
struct RowBatch {
  const RowWork* works = nullptr;
  const std::uint32_t* work_of_unit = nullptr;
  std::uint32_t units = 0;
  RowSegment<Format>* segments = nullptr;  // by unit
};

template <typename Format>
class SegmentComparer {
 public:
  using T = Real<Format>;
  using Place = PlaceCode<Format>;
  using Code = typename Place::Code;
  static constexpr std::uint32_t kElements = kRowLaneElements<Format>;
  static constexpr std::uint32_t kLoads = kRowLoads<Format>;
  static constexpr std::uint32_t kVectorElements = 128 / Format::kBits;

  struct Tops {
    RowTop<Format> a, b;
  };
  // Of a lane, in shared memory: touched once a chunk or rarely, and registers decide how many
  // warps there are.
  struct Kept {
    RowSums sums;
    T masked_a = -HUGE_VALF, masked_b = -HUGE_VALF;
    std::uint32_t nan_a = 0, nan_b = 0, mask_mismatch = 0;
    bool one_sided_nan = false, plus_infinity = false;
  };

  __device__ SegmentComparer(const RowSpan<Format>& span, Tops& tops, Kept& kept)
      : span_(span), tops_(tops), kept_(kept) {
    kept_ = Kept();
    tops_.a.Clear();
    tops_.b.Clear();
  }

  __device__ void Run() {
#pragma unroll 1
    for (std::uint32_t begin = 0; begin < span_.columns; begin += kRowChunk<Format>)
      AddChunk(begin);
  }

  __device__ void Write(RowSegment<Format>& out) {
    const Code code_a = tops_.a.Keep(), code_b = tops_.b.Keep();
    if (LaneId() < kTopColumns) {
      out.top_a[LaneId()] = code_a;
      out.top_b[LaneId()] = code_b;
    }
    RowSums sums;
    sums.shared = FoldOverLanes(kept_.sums.shared);
    sums.other = FoldOverLanes(kept_.sums.other);
    sums.drift = FoldOverLanes(kept_.sums.drift);
    sums.excess = FoldOverLanes(kept_.sums.excess);
    sums.curve = FoldOverLanes(kept_.sums.curve);
    sums.extra_a = FoldOverLanes(kept_.sums.extra_a);
    sums.extra_b = FoldOverLanes(kept_.sums.extra_b);
    sums.peak_a = peak_a_;
    sums.peak_b = peak_b_;
    const T masked_a = MaxOfLanes(kept_.masked_a), masked_b = MaxOfLanes(kept_.masked_b);
    const std::uint32_t nan_a = SumOfLanes(kept_.nan_a), nan_b = SumOfLanes(kept_.nan_b);
    const std::uint32_t mismatch = SumOfLanes(kept_.mask_mismatch);
    const bool differs = __any_sync(kAllLanes, difference_ != 0);
    const bool one_sided = __any_sync(kAllLanes, kept_.one_sided_nan);
    const bool plus = __any_sync(kAllLanes, kept_.plus_infinity);
    if (LaneId() != 0) return;
    out.sums = sums;
    out.masked_a = masked_a;
    out.masked_b = masked_b;
    out.nan_a = nan_a;
    out.nan_b = nan_b;
    out.mask_mismatch = mismatch;
    out.differs = differs;
    out.one_sided_nan = one_sided;
    out.plus_infinity = plus;
    out.numbers = has_peaks_;
  }

 private:
  // Weights may grow so far beyond 1 before the peaks move.
  static constexpr T kMayExceed = 30;
  // What makes a difference infinite that is too large to be multiplied in T.
  static constexpr T kFar = 0x1p100f;
  // Sides whose largest logits are nearer than this share a peak, so that d is y - x.
  static constexpr T kNear = 4;

  struct Part {
    uint4 a[kLoads], b[kLoads];

    __device__ typename Format::Bits BitsA(std::uint32_t i) const {
      return ElementOf<Format>(a[i / kVectorElements], i % kVectorElements);
    }
    __device__ typename Format::Bits BitsB(std::uint32_t i) const {
      return ElementOf<Format>(b[i / kVectorElements], i % kVectorElements);
    }
    __device__ T A(std::uint32_t i) const { return Format::Decode(BitsA(i)); }
    __device__ T B(std::uint32_t i) const { return Format::Decode(BitsB(i)); }
  };

  // Of element i of a lane, for the chunk that begins at column `begin` of the segment.
  __device__ static std::uint32_t ColumnOf(std::uint32_t begin, std::uint32_t i) {
    return begin + (i / kVectorElements * kWarp + LaneId()) * kVectorElements + i % kVectorElements;
  }

  __device__ void AddChunk(std::uint32_t begin) {
    Part part;
    const std::uint64_t vector = begin / kVectorElements + LaneId();
    // Loads that follow one another without a branch between them are all under way at once.
    if (span_.aligned && begin + kRowChunk<Format> <= span_.columns) {
      const uint4* a = reinterpret_cast<const uint4*>(span_.a.words) + vector;
      const uint4* b = reinterpret_cast<const uint4*>(span_.b.words) + vector;
#pragma unroll
      for (std::uint32_t k = 0; k < kLoads; ++k) {
        part.a[k] = LoadStreaming(a + k * kWarp);
        part.b[k] = LoadStreaming(b + k * kWarp);
      }
    } else {
#pragma unroll
      for (std::uint32_t k = 0; k < kLoads; ++k) {
        part.a[k] = span_.Load(span_.a, vector + k * kWarp);
        part.b[k] = span_.Load(span_.b, vector + k * kWarp);
      }
    }
    T max_a = -HUGE_VALF, max_b = -HUGE_VALF;
    bool apart = false;  // two logits that are not near, or no numbers
#pragma unroll
    for (std::uint32_t k = 0; k < kLoads; ++k) difference_ |= AnyDifference(part.a[k], part.b[k]);
#pragma unroll
    for (std::uint32_t i = 0; i < kElements; ++i) {
      const T x = part.A(i), y = part.B(i);
      max_a = Larger(max_a, x);
      max_b = Larger(max_b, y);
      apart |= !(Magnitude(y - x) <= T(kNearLogits));
    }
    const bool whole = begin + kRowChunk<Format> <= span_.columns;
    const bool near = whole && !__any_sync(kAllLanes, apart);
    if (!near && !(whole && AllNumbers(part))) {
      AddCarefully(begin);
      return;
    }
    if (!has_peaks_ ||
        __any_sync(kAllLanes, max_a > peak_a_ + kMayExceed || max_b > peak_b_ + kMayExceed)) {
      SetPeaks(MaxOfLanes(max_a), MaxOfLanes(max_b));
    }
    if (near && peak_a_ == peak_b_) {
      AddNear(part);
    } else {
      AddApart(part);
    }
    if (begin == 0 || !tau_is_number_) {
      OfferCarefully(begin);
      return;
    }
    if (__any_sync(kAllLanes, max_a > tau_a_)) Offer<true>(part, begin);
    if (__any_sync(kAllLanes, max_b > tau_b_)) Offer<false>(part, begin);
  }

  __device__ static float Larger(float a, float b) { return fmaxf(a, b); }
  __device__ static double Larger(double a, double b) { return fmax(a, b); }
  __device__ static float Magnitude(float value) { return fabsf(value); }
  __device__ static double Magnitude(double value) { return fabs(value); }

  // And none so far from the other side's that T does not hold what they say.
  __device__ static bool AllNumbers(const Part& part) {
    T sum = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < kElements; ++i) sum = (part.B(i) - part.A(i)) * kFar * 0 + sum;
    return __all_sync(kAllLanes, sum == 0);
  }

  __device__ void AddNear(const Part& part) {
    FewSums<T> few;
#pragma unroll
    for (std::uint32_t i = 0; i < kElements; ++i) few.AddNear(part.A(i), part.B(i), peak_a_);
    few.AddNearTo(kept_.sums);
  }
  __device__ void AddApart(const Part& part) {
    FewSums<T> few;
    const T turn = peak_b_ - peak_a_;
#pragma unroll
    for (std::uint32_t i = 0; i < kElements; ++i) {
      few.Add(part.A(i), part.B(i), peak_a_, peak_b_, turn);
    }
    few.AddTo(kept_.sums);
  }

  // What came before has lower columns: an equal logit is not better than the last that was kept.
  template <bool kSideA>
  __device__ void Offer(const Part& part, std::uint32_t begin) {
    const T tau = kSideA ? tau_a_ : tau_b_;
    std::uint32_t better = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < kElements; ++i) {
      better |= std::uint32_t{(kSideA ? part.A(i) : part.B(i)) > tau} << i;
    }
    bool kept = false;
    while (__any_sync(kAllLanes, better != 0)) {
      const std::uint32_t i = better == 0 ? 0 : __ffs(static_cast<int>(better)) - 1;
      const std::uint32_t column = ColumnOf(begin, i);
      const auto bits = ElementAt<Format>(kSideA ? span_.a : span_.b, column);
      kept |= (kSideA ? tops_.a : tops_.b)
                  .Push(better != 0, Place::Of(bits, span_.first_column + column));
      better &= better - 1;
    }
    if (kept) SetTaus();
  }

  // The logits that a newcomer must exceed: those of the last places at the last Keep.
  __device__ void SetTaus() {
    last_a_ = tops_.a.Last();
    last_b_ = tops_.b.Last();
    tau_a_ = Place::ValueOf(last_a_);
    tau_b_ = Place::ValueOf(last_b_);
    tau_is_number_ = last_a_ != 0 && last_b_ != 0 && tau_a_ == tau_a_ && tau_b_ == tau_b_;
  }

  __device__ void MovePeaks(T max_a, T max_b) {
    T new_a = peak_a_, new_b = peak_b_;
    if (max_a > new_a) new_a = max_a;
    if (max_b > new_b) new_b = max_b;
    if (peak_a_ == peak_b_) {
      const T both = Larger(new_a, new_b);
      if (both - new_a < 4 * kNear && both - new_b < 4 * kNear) new_a = new_b = both;
    }
    kept_.sums.peak_a = peak_a_;
    kept_.sums.peak_b = peak_b_;
    kept_.sums.MoveTo(new_a, new_b);
    peak_a_ = new_a;
    peak_b_ = new_b;
  }

  // A chunk in which anything may be: less than a whole one, NaN, infinities. Elements are read
  // again: they cannot be indexed at run time in registers.
  __device__ void AddCarefully(std::uint32_t begin) {
    T max_a = -HUGE_VALF, max_b = -HUGE_VALF;
#pragma unroll 1
    for (std::uint32_t i = 0; i < kElements; ++i) {
      if (ColumnOf(begin, i) >= span_.columns) continue;
      const T x = AgainA(begin, i), y = AgainB(begin, i);
      if (isfinite(x)) max_a = Larger(max_a, x);
      if (isfinite(y)) max_b = Larger(max_b, y);
    }
    SetPeaks(MaxOfLanes(max_a), MaxOfLanes(max_b));
#pragma unroll 1
    for (std::uint32_t i = 0; i < kElements; ++i) {
      if (ColumnOf(begin, i) < span_.columns) AddColumn(AgainA(begin, i), AgainB(begin, i));
    }
    OfferCarefully(begin);
  }

  __device__ T AgainA(std::uint32_t begin, std::uint32_t i) const {
    return Format::Decode(ElementAt<Format>(span_.a, ColumnOf(begin, i)));
  }
  __device__ T AgainB(std::uint32_t begin, std::uint32_t i) const {
    return Format::Decode(ElementAt<Format>(span_.b, ColumnOf(begin, i)));
  }

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

  __device__ void AddColumn(T x, T y) {
    const bool nan_x = isnan(x), nan_y = isnan(y);
    const bool masked_x = x == -HUGE_VALF, masked_y = y == -HUGE_VALF;
    kept_.mask_mismatch += masked_x != masked_y;
    kept_.nan_a += nan_x;
    kept_.nan_b += nan_y;
    if (nan_x || nan_y) {
      kept_.one_sided_nan |= nan_x != nan_y;
    } else if (x == HUGE_VALF || y == HUGE_VALF) {
      kept_.plus_infinity = true;
    } else if (masked_x && masked_y) {
      return;
    } else if (masked_x) {
      kept_.masked_b = Larger(kept_.masked_b, y);
      kept_.sums.extra_b += Exponential(y - peak_b_);
    } else if (masked_y) {
      kept_.masked_a = Larger(kept_.masked_a, x);
      kept_.sums.extra_a += Exponential(x - peak_a_);
    } else {
      AddNumbers(x, y);
    }
  }

  // Few columns may be all that counts: in f64, which also holds any difference.
  __device__ void AddNumbers(double x, double y) {
    const double peak_a = peak_a_, peak_b = peak_b_;
    FewSums<double> few;
    few.Add(x, y, peak_a, peak_b, peak_b - peak_a);
    few.AddTo(kept_.sums);
  }

  // What at least kTopColumns lanes have something as good as; 0 where there are no more lanes.
  __device__ static Code Least(Code best) {
    std::uint32_t better = 0;
#pragma unroll 1
    for (int lane = 0; lane < static_cast<int>(kWarp); ++lane) {
      better += ShuffleFrom(best, lane) > best ? 1 : 0;
    }
    const std::uint32_t lanes = __ballot_sync(kAllLanes, better == kTopColumns - 1 && best != 0);
    return lanes == 0 ? Code{0} : ShuffleFrom(best, __ffs(static_cast<int>(lanes)) - 1);
  }

  // With codes in place of logits, which order NaN too.
  __device__ void OfferCarefully(std::uint32_t begin) {
    Code least_a = 0, least_b = 0;
    if (begin == 0) {
      Code best_a = 0, best_b = 0;
#pragma unroll 1
      for (std::uint32_t i = 0; i < kElements; ++i) {
        if (ColumnOf(begin, i) >= span_.columns) continue;
        const Code code_a = CodeA(begin, i), code_b = CodeB(begin, i);
        if (code_a > best_a) best_a = code_a;
        if (code_b > best_b) best_b = code_b;
      }
      least_a = Least(best_a);
      least_b = Least(best_b);
    }
    const Code last_a = last_a_, last_b = last_b_;
    bool kept = begin == 0;
#pragma unroll 1
    for (std::uint32_t i = 0; i < kElements; ++i) {
      const bool there = ColumnOf(begin, i) < span_.columns;
      const Code code_a = there ? CodeA(begin, i) : Code{0};
      const Code code_b = there ? CodeB(begin, i) : Code{0};
      kept |= tops_.a.Push(there && code_a >= least_a && code_a > last_a, code_a);
      kept |= tops_.b.Push(there && code_b >= least_b && code_b > last_b, code_b);
    }
    if (begin == 0) {
      tops_.a.Keep();
      tops_.b.Keep();
    }
    if (kept) SetTaus();
  }

  __device__ Code CodeA(std::uint32_t begin, std::uint32_t i) const {
    const std::uint32_t column = ColumnOf(begin, i);
    return Place::Of(ElementAt<Format>(span_.a, column), span_.first_column + column);
  }
  __device__ Code CodeB(std::uint32_t begin, std::uint32_t i) const {
    const std::uint32_t column = ColumnOf(begin, i);
    return Place::Of(ElementAt<Format>(span_.b, column), span_.first_column + column);
  }

  const RowSpan<Format>& span_;
  Tops& tops_;
  Kept& kept_;
  T peak_a_ = 0, peak_b_ = 0, tau_a_ = 0, tau_b_ = 0;
  Code last_a_ = 0, last_b_ = 0;
  std::uint32_t difference_ = 0;
  bool has_peaks_ = false, tau_is_number_ = false;
};

template <typename Format>
__global__ void __launch_bounds__(kRowWarps* kWarp, kRowBlocks<Format>)
    CompareRowsKernel(const __grid_constant__ RowBatch<Format> batch) {
  using Comparer = SegmentComparer<Format>;
  using Kept = typename Comparer::Kept;
  __shared__ typename Comparer::Tops tops[kRowWarps];
  __shared__ alignas(Kept) unsigned char kept[kRowWarps * kWarp * sizeof(Kept)];
  const std::uint32_t unit = (blockIdx.x * blockDim.x + threadIdx.x) / kWarp;
  if (unit >= batch.units) return;
  const RowSpan<Format> span(batch.works[batch.work_of_unit[unit]], unit);
  Comparer comparer(span, tops[threadIdx.x / kWarp], reinterpret_cast<Kept*>(kept)[threadIdx.x]);
  comparer.Run();
  comparer.Write(batch.segments[unit]);
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ROWS_KERNEL_CUH_
