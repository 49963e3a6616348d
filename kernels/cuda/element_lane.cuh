// What one lane holds while its warp compares elements, and what one pair adds to it.
#ifndef GTEST_PARITY_KERNELS_CUDA_ELEMENT_LANE_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ELEMENT_LANE_CUH_

#include <cstdint>
#include <type_traits>

#include "kernels/cuda/element_work.h"
#include "kernels/cuda/warp.cuh"
#include "kernels/pairs.h"

namespace parity {

// Whether products of two elements, and of two differences, are exact in f64: then a fused
// multiply-add gives the bits that kernels/sums.h asks for.
template <typename Format>
inline constexpr bool kExactProducts = Format::kIsFloat ? Format::kBits <= 32 : Format::kBits <= 16;

// A product of two e5m2 has more bits, with its neighbours', than one f64 holds: whole and fraction
// are added apart, both exactly.
template <typename Format>
inline constexpr bool kSplitsProducts = [] {
  if constexpr (kSumsAreExact<Format>) return Format::kFractionBits > 9;
  return false;
}();

template <typename Format, bool = kSplitsProducts<Format>>
struct LaneSum {
  double value = 0;

  __device__ void Add(double x, double y) {
    if constexpr (kExactProducts<Format>) {
      value = __fma_rn(x, y, value);
    } else {
      value = AddProduct(value, x, y);
    }
  }
};

template <typename Format>
struct LaneSum<Format, true> {
  double whole = 0, rest = 0;

  __device__ void Add(double x, double y) {
    const double product = __dmul_rn(x, y);
    const double rounded = __dsub_rn(__dadd_rn(product, 0x1.8p52), 0x1.8p52);
    whole += rounded;
    rest += product - rounded;
  }
};

// The four sums of a lane.
template <typename Format>
struct LaneSums {
  LaneSum<Format> dd, aa, bb, ab;
};

// A warp's counters in shared memory: a column a lane, so that no two lanes share a bank.
template <typename Format>
struct WarpCounts {
  static constexpr std::uint32_t kBins = Format::kBits + 1;
  // Halves of a word are counted as they lie in it (half_chunk.cuh).
  static constexpr std::uint32_t kFirstRow = kHasRuns<Format> ? 16 : 0;
  std::uint32_t rows[kFirstRow + kBins][kWarp];
  std::uint32_t counters[kPairCounters];
  // Of the piece: where it differs first, and where one side alone has a NaN.
  std::uint32_t first_chunk, nan_chunk;

  __device__ void BeginPiece() {
    __syncwarp();
    if (LaneId() == 0) first_chunk = nan_chunk = kNoChunk;
    __syncwarp();
  }
  __device__ void Clear() {
    for (std::uint32_t bin = 0; bin < kBins; ++bin) Bin(bin)[LaneId()] = 0;
    ClearCounters();
  }
  __device__ std::uint32_t* Bin(std::uint32_t bin) { return rows[kFirstRow + bin]; }
  __device__ void ClearCounters() {
    if (LaneId() < kPairCounters) counters[LaneId()] = 0;
    __syncwarp();
  }
  __device__ void FindNan(std::uint32_t chunk) {
    if (chunk < nan_chunk) atomicMin(&nan_chunk, chunk);
  }
  __device__ void Count(PairCounter counter) { atomicAdd(&counters[counter], 1u); }
  template <typename Ulp>
  __device__ void CountUlp(Ulp ulp) {
    const int bin = sizeof(Ulp) == 4 ? 32 - __clz(static_cast<int>(ulp)) : BitWidth(ulp);
    atomicAdd(&Bin(static_cast<std::uint32_t>(bin))[LaneId()], 1u);
  }
};

// Maxima that warps have published.
__device__ inline double PublishedAbs(const ElementTotals& totals) {
  const volatile unsigned long long& bits = totals.max_abs;
  return __longlong_as_double(static_cast<long long>(bits));
}
__device__ inline float PublishedRel(const ElementTotals& totals) {
  const volatile std::uint32_t& bits = totals.max_rel;
  return __uint_as_float(bits);
}

template <typename Format>
struct ElementLane {
  using Bits = typename Format::Bits;
  using Ulp = std::conditional_t<sizeof(Bits) <= 4, std::uint32_t, std::uint64_t>;
  using Abs = std::conditional_t<sizeof(Bits) <= 4, float, double>;

  LaneSums<Format> sums;
  // Of the task, as far as this lane or those that published before it have come.
  Abs max_abs = 0;
  float max_rel = 0;
  std::uint32_t different = 0;
  std::uint32_t wary = 0;  // chunks in which what is not finite is expected
  bool each = false;       // whether most chunks break a record, as those of small tasks do
  bool likely = false;     // that the next chunk differs, where that is faster than to look
  // Of the piece.
  Ulp max_ulp = 0;
  std::uint32_t ulp_chunk = kNoChunk;

  __device__ void BeginPiece() {
    max_ulp = 0;
    ulp_chunk = kNoChunk;
    likely = false;
  }

  __device__ void OfferUlp(Ulp ulp, std::uint32_t chunk) {
    if (ulp <= max_ulp) return;
    max_ulp = ulp;
    ulp_chunk = chunk;
  }

  // UlpDistance, in 32 bits where they hold it.
  __device__ static Ulp Distance(Bits x, Bits y) {
    if constexpr (sizeof(Bits) == 8) {
      return UlpDistance<Format>(x, y);
    } else if constexpr (Format::kIsFloat) {
      const auto a = static_cast<std::int32_t>(Format::Key(x));
      const auto b = static_cast<std::int32_t>(Format::Key(y));
      return static_cast<Ulp>(max(a, b)) - static_cast<Ulp>(min(a, b));
    } else {
      const auto a = Format::Decode(x), b = Format::Decode(y);
      return a > b ? static_cast<Ulp>(a) - static_cast<Ulp>(b)
                   : static_cast<Ulp>(b) - static_cast<Ulp>(a);
    }
  }

  // A pair that is equal or not, anything but two different finite numbers left to the caller where
  // `kNumbers` is false. What is not finite on both sides adds to no sum.
  __device__ void AddPair(Bits x, Bits y, std::uint32_t chunk, WarpCounts<Format>& counts) {
    if (x == y) {
      if (Format::IsNan(x)) counts.Count(kAnyNans);
      if (!Format::IsFinite(x)) return;
      const auto value = static_cast<double>(Format::Decode(x));
      sums.aa.Add(value, value);
      sums.bb.Add(value, value);
      sums.ab.Add(value, value);
      return;
    }
    if (AddDifferent(x, y, chunk, counts)) AddNumbers(x, y);
  }

  // Of different bits all but what numbers add. Whether both are finite.
  __device__ bool AddDifferent(Bits x, Bits y, std::uint32_t chunk, WarpCounts<Format>& counts) {
    ++different;
    const bool nan_x = Format::IsNan(x), nan_y = Format::IsNan(y);
    if (nan_x || nan_y) {
      counts.Count(kAnyNans);
      counts.Count(nan_x ? nan_y ? kNanPayloads : kNanOnlyReferences : kNanOnlyCandidates);
      if (nan_x != nan_y) counts.FindNan(chunk);
      return false;
    }
    const bool infinite_x = Format::IsInfinite(x), infinite_y = Format::IsInfinite(y);
    if (infinite_x || infinite_y) {
      counts.Count(infinite_x ? infinite_y ? kInfinitiesOpposite : kInfinityOnlyReferences
                              : kInfinityOnlyCandidates);
    }
    const Ulp ulp = Distance(x, y);
    counts.CountUlp(ulp);
    OfferUlp(ulp, chunk);
    return !infinite_x && !infinite_y;
  }

 private:
  // Two different finite numbers.
  __device__ void AddNumbers(Bits x, Bits y) {
    const auto a = static_cast<double>(Format::Decode(x));
    const auto b = static_cast<double>(Format::Decode(y));
    double difference;
    if constexpr (sizeof(Bits) == 8) {
      difference = AbsoluteDifference<Format>(x, y);
      OfferWide(x, difference);
    } else if constexpr (Format::kIsFloat) {
      const float narrow = fabsf(Format::Decode(x) - Format::Decode(y));
      difference = narrow;
      OfferNarrow(fabsf(Format::Decode(x)), narrow);
    } else {
      const Ulp distance = Distance(x, y);
      difference = distance;
      OfferNarrow(fabsf(static_cast<float>(Format::Decode(x))), static_cast<float>(distance));
    }
    sums.dd.Add(difference, difference);
    sums.aa.Add(a, a);
    sums.bb.Add(b, b);
    sums.ab.Add(a, b);
  }

  // The two maxima, for dtypes of up to 32 bits (kernels/pairs.h).
  __device__ void OfferNarrow(float value, float difference) {
    max_abs = fmaxf(max_abs, difference);
    const float magnitude = fmaxf(value, kRelativeFloor);
    if (__fmaf_ru(-max_rel, magnitude, difference) > 0) max_rel = __fdiv_ru(difference, magnitude);
  }
  __device__ void OfferWide(Bits x, double difference) {
    max_abs = fmax(max_abs, difference);
    const double value = fabs(static_cast<double>(Format::Decode(x)));
    const double magnitude = fmax(value, static_cast<double>(kRelativeFloor));
    // The product is not exact: what is close is worked out.
    if (difference <= static_cast<double>(max_rel) * magnitude * (1 - 0x1p-40)) return;
    max_rel = fmaxf(max_rel, RelativeDifference<Format>(x, difference));
  }
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ELEMENT_LANE_CUH_
