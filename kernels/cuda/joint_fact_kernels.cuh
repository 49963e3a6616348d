// What counted pairs say of two arrays, and where the first and the worst of them are.
#ifndef GTEST_PARITY_KERNELS_CUDA_JOINT_FACT_KERNELS_CUH_
#define GTEST_PARITY_KERNELS_CUDA_JOINT_FACT_KERNELS_CUH_

#include <cstdint>

#include "kernels/cuda/element_work.h"
#include "kernels/cuda/joint_totals.cuh"
#include "kernels/cuda/piece_sums.cuh"
#include "kernels/cuda/unaligned.cuh"
#include "kernels/cuda/warp.cuh"

namespace parity::joint {

// What all pairs say, a thread's share of them.
template <typename Format>
struct PairFacts {
  using Units = typename ExactSum<Format>::Units;
  ExactSum<Format> dd, aa, bb, ab;
  std::uint64_t counters[kPairCounters] = {};
  double max_abs = 0;
  float max_rel = 0;
  std::uint32_t max_ulp = 0;

  __device__ void Add(std::uint32_t pair, std::uint64_t times, unsigned long long* histogram) {
    using Bits = typename Format::Bits;
    const auto x = static_cast<Bits>(pair >> 8), y = static_cast<Bits>(pair & 0xff);
    if (x != y) counters[kDifferent] += times;
    if (Format::IsNan(x) || Format::IsNan(y)) {
      counters[kAnyNans] += times;
      if (x == y) return;
      const bool both = Format::IsNan(x) && Format::IsNan(y);
      counters[both               ? kNanPayloads
               : Format::IsNan(x) ? kNanOnlyReferences
                                  : kNanOnlyCandidates] += times;
      return;
    }
    const auto ulp = static_cast<std::uint32_t>(UlpDistance<Format>(x, y));
    atomicAdd(&histogram[BitWidth(ulp)], static_cast<unsigned long long>(times));
    max_ulp = max(max_ulp, ulp);
    if (x != y && ulp == 0) counters[kSignedZeros] += times;
    const bool infinite_x = Format::IsInfinite(x), infinite_y = Format::IsInfinite(y);
    if (infinite_x || infinite_y) {
      if (x == y) return;
      counters[infinite_x && infinite_y ? kInfinitiesOpposite
               : infinite_x             ? kInfinityOnlyReferences
                                        : kInfinityOnlyCandidates] += times;
      return;
    }
    AddNumbers(x, y, times);
  }

 private:
  __device__ void AddNumbers(typename Format::Bits x, typename Format::Bits y,
                             std::uint64_t times) {
    const double difference = AbsoluteDifference<Format>(x, y);
    max_abs = fmax(max_abs, difference);
    if (difference != 0) max_rel = fmaxf(max_rel, RelativeDifference<Format>(x, difference));
    const std::int64_t d = InUnits<Format>(difference);
    const std::int64_t a = InUnits<Format>(Format::Decode(x)),
                       b = InUnits<Format>(Format::Decode(y));
    dd.Add(d, d, times);
    aa.Add(a, a, times);
    bb.Add(b, b, times);
    ab.Add(a, b, times);
  }
};

struct Sought {
  bool nan;           // the first with a NaN on one side
  std::uint32_t ulp;  // else the first so far apart
};

template <typename Format>
inline __device__ bool IsSought(const Sought& sought, std::uint32_t x, std::uint32_t y) {
  const bool nan_x = Format::IsNan(x), nan_y = Format::IsNan(y);
  if (sought.nan) return nan_x != nan_y;
  using Bits = typename Format::Bits;
  return x != y && !nan_x && !nan_y &&
         UlpDistance<Format>(static_cast<Bits>(x), static_cast<Bits>(y)) == sought.ulp;
}

inline __device__ std::uint32_t ByteOf(const uint4& vector, std::uint32_t i) {
  const std::uint32_t word = i < 8 ? (i < 4 ? vector.x : vector.y) : (i < 12 ? vector.z : vector.w);
  return word >> (i % 4 * 8) & 0xffu;
}

// The lowest index of different elements in a tile for which `is` holds, by a block; ~0 for none.
template <typename Is>
inline __device__ std::uint64_t FindInTile(const JointBatch& batch, std::uint64_t tile, Is is) {
  __shared__ unsigned long long lowest;
  if (threadIdx.x == 0) lowest = ~0ull;
  __syncthreads();
  const VectorReader a(batch.a, 8 * batch.count), b(batch.b, 8 * batch.count);
  // The last tile may have some more that are no whole vector.
#pragma unroll
  for (std::uint32_t k = 0; k < kLoads; ++k) {
    const std::uint64_t vector = tile * kTileVectors + k * kThreads + threadIdx.x;
    const uint4 x = a.Load(vector), y = b.Load(vector);
    if (AnyDifference(x, y) == 0) continue;
    for (std::uint32_t i = 0; i < 16; ++i) {
      const std::uint64_t index = 16 * vector + i;
      if (index >= batch.count || !is(ByteOf(x, i), ByteOf(y, i))) continue;
      atomicMin(&lowest, static_cast<unsigned long long>(index));
      break;
    }
  }
  __syncthreads();
  const std::uint64_t found = lowest;
  __syncthreads();
  return found;
}

template <typename T>
inline __device__ T SumInBlock(T mine, T* shared) {
  const T of_warp = SumWide(mine);
  if (LaneId() == 0) shared[threadIdx.x / kWarp] = of_warp;
  __syncthreads();
  T sum = 0;
  for (std::uint32_t i = 0; i < kThreads / kWarp; ++i) sum += shared[i];
  __syncthreads();
  return sum;
}

template <typename Format>
__global__ void __launch_bounds__(kThreads)
    DeriveKernel(const __grid_constant__ JointBatch batch, ElementStats* result, Sought* sought) {
  using Units = typename ExactSum<Format>::Units;
  __shared__ unsigned long long histogram[65], counters[kPairCounters], max_abs;
  __shared__ std::uint32_t max_rel, max_ulp;
  __shared__ Units warps[kThreads / kWarp];
  if (threadIdx.x < 65) histogram[threadIdx.x] = 0;
  if (threadIdx.x < kPairCounters) counters[threadIdx.x] = 0;
  if (threadIdx.x == 0) max_abs = max_rel = max_ulp = 0;
  __syncthreads();
  PairFacts<Format> mine;
  for (std::uint32_t i = threadIdx.x; i < kPasses<Format> * kPairs; i += kThreads) {
    const std::uint64_t times = batch.totals->counts[i];
    if (times != 0) mine.Add(i, times, histogram);
  }
  for (std::uint32_t i = 0; i < kPairCounters; ++i) {
    if (mine.counters[i] != 0) {
      atomicAdd(&counters[i], static_cast<unsigned long long>(mine.counters[i]));
    }
  }
  atomicMax(&max_abs, static_cast<unsigned long long>(__double_as_longlong(mine.max_abs)));
  atomicMax(&max_rel, __float_as_uint(mine.max_rel));
  atomicMax(&max_ulp, mine.max_ulp);
  const Units dd = SumInBlock(mine.dd.units, warps), aa = SumInBlock(mine.aa.units, warps);
  const Units bb = SumInBlock(mine.bb.units, warps), ab = SumInBlock(mine.ab.units, warps);
  std::uint64_t first = ElementStats::kNoIndex, worst = ElementStats::kNoIndex;
  const bool differs = counters[kDifferent] != 0;
  const bool one_sided = counters[kNanOnlyReferences] + counters[kNanOnlyCandidates] != 0;
  // Tiles say where the largest distance is only if no NaN was taken for a number.
  const bool search = one_sided || (max_ulp != 0 && counters[kAnyNans] != 0);
  if (differs) {
    first = FindInTile(batch, ~batch.totals->first_tile,
                       [](std::uint32_t x, std::uint32_t y) { return x != y; });
    worst = first;
    if (!search && max_ulp != 0) {
      const Sought what = {false, max_ulp};
      worst = FindInTile(
          batch, ~static_cast<std::uint32_t>(batch.totals->worst_tile),
          [&](std::uint32_t x, std::uint32_t y) { return IsSought<Format>(what, x, y); });
    }
  }
  if (threadIdx.x < 65) (&result->ulp_histogram[0])[threadIdx.x] = histogram[threadIdx.x];
  if (threadIdx.x != 0) return;
  result->compared = batch.count;
  result->different = counters[kDifferent];
  result->signed_zero = counters[kSignedZeros];
  result->nan_payload = counters[kNanPayloads];
  result->nan_only_reference = counters[kNanOnlyReferences];
  result->nan_only_candidate = counters[kNanOnlyCandidates];
  result->infinity_only_reference = counters[kInfinityOnlyReferences];
  result->infinity_only_candidate = counters[kInfinityOnlyCandidates];
  result->infinity_opposite = counters[kInfinitiesOpposite];
  result->max_abs = __longlong_as_double(static_cast<long long>(max_abs));
  result->max_rel = __uint_as_float(max_rel);
  result->max_ulp = max_ulp;
  result->first_index = first;
  result->worst_index = worst;
  result->sum_dd = ExactSum<Format>{dd}.Total();
  result->sum_aa = ExactSum<Format>{aa}.Total();
  result->sum_bb = ExactSum<Format>{bb}.Total();
  result->sum_ab = ExactSum<Format>{ab}.Total();
  sought[0] = {one_sided, search ? max_ulp : 0};
  sought[1].nan = search;
}

// Where tiles do not tell: blocks go up the array and stop beyond what another one has found.
template <typename Format>
__global__ void __launch_bounds__(kThreads)
    SearchKernel(const __grid_constant__ JointBatch batch, const Sought* sought) {
  if (!sought[1].nan) return;
  const Sought what = sought[0];
  const std::uint64_t tiles = (batch.count + kTileElements8 - 1) / kTileElements8;
  for (std::uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const unsigned long long found =
        ~*static_cast<volatile unsigned long long*>(&batch.totals->place);
    if (tile * kTileElements8 > found) return;
    const std::uint64_t here = FindInTile(batch, tile, [&](std::uint32_t x, std::uint32_t y) {
      return IsSought<Format>(what, x, y);
    });
    if (here == ~std::uint64_t{0}) continue;
    if (threadIdx.x == 0) {
      atomicMax(&batch.totals->place, ~static_cast<unsigned long long>(here));
    }
    return;
  }
}

}  // namespace parity::joint

#endif  // GTEST_PARITY_KERNELS_CUDA_JOINT_FACT_KERNELS_CUH_
