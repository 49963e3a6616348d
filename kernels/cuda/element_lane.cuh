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
    const double rounded = __dsub_rn(__dadd_rn(product, 0x1p52), 0x1p52);
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
  std::uint32_t bins[kBins][kWarp];
  std::uint32_t counters[kPairCounters];

  __device__ void Clear() {
    for (std::uint32_t bin = 0; bin < kBins; ++bin) bins[bin][LaneId()] = 0;
    ClearCounters();
  }
  __device__ void ClearCounters() {
    if (LaneId() < kPairCounters) counters[LaneId()] = 0;
    __syncwarp();
  }
  __device__ void Count(PairCounter counter) { atomicAdd(&counters[counter], 1u); }
  __device__ void CountUlp(int bin) { ++bins[bin][LaneId()]; }
};

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
  // Of the piece.
  Ulp max_ulp = 0;
  std::uint32_t ulp_chunk = kNoChunk, first_chunk = kNoChunk, nan_chunk = kNoChunk;

  __device__ void BeginPiece() {
    max_ulp = 0;
    ulp_chunk = first_chunk = nan_chunk = kNoChunk;
  }

  __device__ void OfferUlp(Ulp ulp, std::uint32_t chunk) {
    if (ulp <= max_ulp) return;
    max_ulp = ulp;
    ulp_chunk = chunk;
  }

  // The two maxima of a pair of numbers.
  __device__ void OfferDifference(Bits x, double difference) {
    const double narrow = Narrow<Format>(difference);
    if (narrow > max_abs) max_abs = static_cast<Abs>(narrow);
    if (MayExceed(x, narrow)) {
      const float relative = RelativeDifference<Format>(x, difference);
      if (relative > max_rel) max_rel = relative;
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
      if (nan_x != nan_y && chunk < nan_chunk) nan_chunk = chunk;
      return false;
    }
    const bool infinite_x = Format::IsInfinite(x), infinite_y = Format::IsInfinite(y);
    if (infinite_x || infinite_y) {
      counts.Count(infinite_x ? infinite_y ? kInfinitiesOpposite : kInfinityOnlyReferences
                              : kInfinityOnlyCandidates);
    }
    const std::uint64_t ulp = UlpDistance<Format>(x, y);
    counts.CountUlp(BitWidth(ulp));
    OfferUlp(static_cast<Ulp>(ulp), chunk);
    return !infinite_x && !infinite_y;
  }

 private:
  // Whether the pair's relative difference may be above max_rel.
  __device__ bool MayExceed(Bits x, double narrow) const {
    const double value = Narrow<Format>(static_cast<double>(Format::Decode(x)));
    const double magnitude = fmax(fabs(value), static_cast<double>(kRelativeFloor));
    const double reached = static_cast<double>(max_rel) * magnitude;
    // A product of two f32 is exact; of others it is not, and what is close is worked out.
    return narrow > (sizeof(Bits) <= 4 ? reached : reached * (1 - 0x1p-40));
  }

  __device__ void AddNumbers(Bits x, Bits y) {
    const double difference = AbsoluteDifference<Format>(x, y);
    const auto a = static_cast<double>(Format::Decode(x));
    const auto b = static_cast<double>(Format::Decode(y));
    OfferDifference(x, difference);
    sums.dd.Add(difference, difference);
    sums.aa.Add(a, a);
    sums.bb.Add(b, b);
    sums.ab.Add(a, b);
  }
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ELEMENT_LANE_CUH_
