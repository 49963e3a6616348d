// A task's result, once all of it is known, written by a warp.
#ifndef GTEST_PARITY_KERNELS_CUDA_ELEMENT_RESULT_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ELEMENT_RESULT_CUH_

#include <cstdint>

#include "kernels/cuda/element_lane.cuh"
#include "kernels/cuda/element_work.h"
#include "kernels/cuda/vector_elements.cuh"
#include "kernels/cuda/warp.cuh"
#include "kernels/elements.h"
#include "kernels/pairs.h"

namespace parity {

enum class Sought : std::uint8_t { kDifferent, kOneSidedNan, kUlp };

// Whether a pair is one that is sought.
template <typename Format>
__device__ inline bool IsSought(typename Format::Bits x, typename Format::Bits y, Sought sought,
                                std::uint64_t ulp) {
  if (x == y || sought == Sought::kDifferent) return x != y;
  if constexpr (kIsOpaque<Format>) {
    return true;
  } else {
    const bool nan_x = Format::IsNan(x), nan_y = Format::IsNan(y);
    if (sought == Sought::kOneSidedNan) return nan_x != nan_y;
    using Lane = ElementLane<Format>;
    return Lane::Distance(x, y) == static_cast<typename Lane::Ulp>(ulp) && !nan_x && !nan_y;
  }
}

// The lowest index in a chunk of what is sought. One copy of it: small tasks end with it, and what
// is fetched of instructions is what they wait for.
template <typename Format>
__device__ __noinline__ std::uint64_t FindInChunk(const ElementWork* work, std::uint32_t chunk,
                                                  Sought sought, std::uint64_t ulp) {
  constexpr std::uint32_t kNone = ~std::uint32_t{0}, kInVector = kVectorElements<Format>;
  const VectorReader a(work->a, work->count * Format::kBits);
  const VectorReader b(work->b, work->count * Format::kBits);
  const std::uint64_t begin = std::uint64_t{chunk} * kChunkVectors<Format>;
#pragma unroll 1
  for (std::uint32_t k = 0; k < kChunkLoads<Format>; ++k) {
    const std::uint32_t vector = k * kWarp + LaneId();
    const std::uint64_t first = (begin + vector) * kInVector;
    // What lies beyond the end is 0 on both sides.
    const uint4 x = a.Load(begin + vector), y = b.Load(begin + vector);
    std::uint32_t found = kNone;
    if (AnyDifference(x, y) != 0 && first < work->count) {
#pragma unroll
      for (std::uint32_t i = kInVector; i-- > 0;) {
        if (IsSought<Format>(ElementOf<Format>(x, i), ElementOf<Format>(y, i), sought, ulp)) {
          found = vector * kInVector + i;
        }
      }
    }
    found = MinOfLanes(found);
    if (found != kNone) return begin * kInVector + found;
  }
  return ElementStats::kNoIndex;
}

template <typename Format>
__device__ void WritePlaces(const ElementWork& work, const ElementNode<Format>& node,
                            ElementStats& stats) {
  const std::uint64_t first = FindInChunk<Format>(&work, node.first_chunk, Sought::kDifferent, 0);
  std::uint64_t worst = first;
  if constexpr (!kIsOpaque<Format>) {
    const bool nan = node.nan_chunk != kNoChunk;
    if (nan || node.max_ulp != 0) {
      worst = FindInChunk<Format>(&work, nan ? node.nan_chunk : node.ulp_chunk,
                                  nan ? Sought::kOneSidedNan : Sought::kUlp, node.max_ulp);
    }
  }
  if (LaneId() != 0) return;
  stats.first_index = first;
  stats.worst_index = worst;
}

template <typename Format>
__device__ double Rounded(typename NodeSum<Format>::Type sum) {
  if constexpr (kSumsAreExact<Format>) {
    return ExactSum<Format>{sum}.Total();
  } else {
    return sum;
  }
}

// Bin 0 and the zeros that differ in sign are what no counter has counted.
template <typename Format>
__device__ void WriteCounts(const ElementWork& work, const ElementTotals& totals,
                            ElementStats& stats) {
  std::uint64_t apart = 0;
  std::uint64_t* histogram = &stats.ulp_histogram[0];
  for (std::uint32_t bin = LaneId(); bin < 65; bin += kWarp) {
    const std::uint64_t count = bin == 0 ? 0 : totals.histogram[bin];
    if (bin != 0) histogram[bin] = count;
    apart += count;
  }
  apart = SumOfLanes(apart);
  if (LaneId() != 0) return;
  const auto* counters = totals.counters;
  stats.compared = work.count;
  stats.different = counters[kDifferent];
  stats.nan_payload = counters[kNanPayloads];
  stats.nan_only_reference = counters[kNanOnlyReferences];
  stats.nan_only_candidate = counters[kNanOnlyCandidates];
  stats.infinity_only_reference = counters[kInfinityOnlyReferences];
  stats.infinity_only_candidate = counters[kInfinityOnlyCandidates];
  stats.infinity_opposite = counters[kInfinitiesOpposite];
  histogram[0] = kIsOpaque<Format> ? 0 : work.count - apart - counters[kAnyNans];
  stats.signed_zero = kIsOpaque<Format>
                          ? 0
                          : counters[kDifferent] - apart - counters[kNanPayloads] -
                                counters[kNanOnlyReferences] - counters[kNanOnlyCandidates];
}

template <typename Format>
__device__ void WriteResult(const ElementWork& work, const ElementTotals& totals,
                            const ElementNode<Format>& node, ElementStats& stats) {
  WriteCounts<Format>(work, totals, stats);
  if (LaneId() == 0) {
    stats.max_abs = __longlong_as_double(static_cast<long long>(totals.max_abs));
    stats.max_rel = __uint_as_float(totals.max_rel);
    stats.max_ulp = node.max_ulp;
    stats.first_index = stats.worst_index = ElementStats::kNoIndex;
    stats.sum_dd = Rounded<Format>(node.dd);
    stats.sum_aa = Rounded<Format>(node.aa);
    stats.sum_bb = Rounded<Format>(node.bb);
    stats.sum_ab = Rounded<Format>(node.ab);
  }
  if (node.first_chunk != kNoChunk) WritePlaces<Format>(work, node, stats);
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ELEMENT_RESULT_CUH_
