// Chunks of f16 and bf16, two pairs to a word. A chunk is a run of kernels/sums.h.
//
// * The reference's sign is taken off both sides: of a pair and of its negatives everything that is
//   measured is the same.
// * Sums, distances and records are gathered in one pass. What turns out not to be two numbers is
//   taken out of the histogram again, set to 0, and all but the histogram is gathered anew.
#ifndef GTEST_PARITY_KERNELS_CUDA_HALF_CHUNK_CUH_
#define GTEST_PARITY_KERNELS_CUDA_HALF_CHUNK_CUH_

#include <cstdint>

#include "kernels/cuda/chunk_words.cuh"
#include "kernels/cuda/element_chunk.cuh"
#include "kernels/cuda/half_words.cuh"
#include "kernels/cuda/records.cuh"
#include "kernels/cuda/run_sums.cuh"

namespace parity {

// What a lane's pairs come to beside their sums, each in its own half where there are two.
struct HalfDistances {
  std::uint32_t most = 0, least = ~0u;      // ulp
  std::int32_t largest = 0, above_rel = 0;  // bits of f32: |d|, and what is beyond max_rel
};

template <typename Format>
requires kIsHalf<Format>
struct ChunkComparer<Format> {
  using Lane = ElementLane<Format>;
  static constexpr std::uint32_t kLoads = Chunk<Format>::kLoads;
  // For so many chunks after one that held what is not finite it is looked for first.
  static constexpr std::uint32_t kWary = 16;
  static_assert(kChunkElements<Format> == kRunElements);

  __device__ static void Add(Chunk<Format>& chunk, bool differs, std::uint32_t index, Lane& lane,
                             WarpCounts<Format>& counts, bool& split) {
    if (differs && !split) {
      split = true;
      lane.sums.bb = lane.sums.ab = lane.sums.aa;
    }
    const RunSums<Format> run =
        differs ? AddDifferent(chunk, index, lane, counts) : AddEqual(chunk, index, lane, counts);
    AddRun(chunk, run, split, lane.sums);
  }

 private:
  __device__ static RunSums<Format> AddEqual(Chunk<Format>& chunk, std::uint32_t index, Lane& lane,
                                             WarpCounts<Format>& counts) {
    RunSums<Format> run = Squares(chunk);
    if (!__all_sync(kAllLanes, isfinite(run.aa))) {
      TakeOut(chunk, false, index, lane, counts);
      run = Squares(chunk);
    }
    run.bb = run.ab = run.aa;
    return run;
  }
  __device__ static RunSums<Format> Squares(Chunk<Format>& chunk) {
    RunSums<Format> run;
    ForEachWord(chunk, [&](std::uint32_t x, std::uint32_t) {
      float a[2];
      UnpackHalves<Format>(x, a);
      run.AddEqual(a[0]);
      run.AddEqual(a[1]);
    });
    return run;
  }

  __device__ static RunSums<Format> AddDifferent(Chunk<Format>& chunk, std::uint32_t index,
                                                 Lane& lane, WarpCounts<Format>& counts) {
    RunSums<Format> run;
    HalfDistances found;
    if (lane.wary != 0) {
      lane.wary = AnySpecial(chunk) ? kWary : lane.wary - 1;
      if (lane.wary == kWary) TakeOut(chunk, false, index, lane, counts);
    }
    ForEachWord(chunk, Gatherer<true>(lane, counts, run, found));
    Forget(chunk);
    if (!__all_sync(kAllLanes, run.Finite()) && lane.wary != kWary) {
      lane.wary = kWary;
      TakeOut(chunk, true, index, lane, counts);
      run = {};
      found = {};
      ForEachWordInTurn(chunk, Gatherer<false>(lane, counts, run, found));
    }
    lane.OfferUlp(max(found.most & 0xffffu, found.most >> 16), index);
    const bool all = (found.least & 0xffffu) != 0 && (found.least >> 16) != 0;
    lane.different += all ? 2 * 4 * kLoads : CountDifferent(chunk);
    const bool above = __int_as_float(found.largest) > lane.max_abs || found.above_rel > 0;
    if (__any_sync(kAllLanes, above)) BreakRecords(chunk, lane);
    return run;
  }

  // What a word adds; with `kCounts` to the histogram too.
  template <bool kCounts>
  __device__ static auto Gatherer(const Lane& lane, WarpCounts<Format>& counts,
                                  RunSums<Format>& run, HalfDistances& found) {
    return [&run, &found, column = ColumnOf(counts), max_rel = lane.max_rel](std::uint32_t x,
                                                                             std::uint32_t y) {
      const std::uint32_t signs = x & 0x80008000u;
      x ^= signs;
      y ^= signs;
      float a[2], b[2], d[2], beyond[2];
      UnpackHalves<Format>(x, a);
      UnpackHalves<Format>(y, b);
#pragma unroll
      for (std::uint32_t i = 0; i < 2; ++i) {
        d[i] = fabsf(a[i] - b[i]);
        // Too much where a is below the floor of relative differences, which is looked at then.
        beyond[i] = __fmaf_ru(-max_rel, a[i], d[i]);
        run.Add(a[i], b[i], d[i]);
      }
      found.largest = __vimax3_s32(found.largest, __float_as_int(d[0]), __float_as_int(d[1]));
      found.above_rel =
          __vimax3_s32(found.above_rel, __float_as_int(beyond[0]), __float_as_int(beyond[1]));
      const std::uint32_t ulps = HalfUlps(x, y);
      found.most = __vmaxu2(found.most, ulps);
      found.least = __vminu2(found.least, ulps);
      if constexpr (kCounts) {
        CountUlp(column, ulps & 0xffffu, 1);
        CountUlp(column, ulps >> 16, 1);
      }
    };
  }

  __device__ static std::uint32_t CountDifferent(Chunk<Format>& chunk) {
    std::uint32_t different = 0;
    ForEachWord(chunk, [&](std::uint32_t x, std::uint32_t y) {
      different += __vminu2(x ^ y, 0x00010001u);
    });
    return (different & 0xffffu) + (different >> 16);
  }

  __device__ static std::uint32_t ColumnOf(const WarpCounts<Format>& counts) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(&counts.bins[0][LaneId()]));
  }

  __device__ static bool AnySpecial(Chunk<Format>& chunk) {
    std::uint32_t special = 0;
    ForEachWord(chunk, [&](std::uint32_t x, std::uint32_t y) {
      special |= NotNumbers<Format>(x) | NotNumbers<Format>(y);
    });
    return __any_sync(kAllLanes, special != 0);
  }

  // Counts the pairs that are not two finite numbers, and sets them to 0. `counted`: the histogram
  // has them as if they were.
  __device__ static void TakeOut(Chunk<Format>& chunk, bool counted, std::uint32_t index,
                                 Lane& lane, WarpCounts<Format>& counts) {
    ForEachWordInTurn(chunk, [&](std::uint32_t& x, std::uint32_t& y) {
      const std::uint32_t special = (NotNumbers<Format>(x) | NotNumbers<Format>(y)) >> 15;
      if (__any_sync(kAllLanes, special != 0)) {
        if (special != 0) CountSpecials(x, y, counted, index, lane, counts);
        __syncwarp();  // lanes that went apart would stay so
        x &= ~(special * 0xffffu);
        y &= ~(special * 0xffffu);
      }
    });
  }

  __device__ static void CountSpecials(std::uint32_t x, std::uint32_t y, bool counted,
                                       std::uint32_t index, Lane& lane,
                                       WarpCounts<Format>& counts) {
    const std::uint32_t column = ColumnOf(counts), signs = x & 0x80008000u;
    const std::uint32_t ulps = HalfUlps(x ^ signs, y ^ signs);
#pragma unroll 1
    for (std::uint32_t shift = 0; shift < 32; shift += 16) {
      const auto p = static_cast<std::uint16_t>(x >> shift);
      const auto q = static_cast<std::uint16_t>(y >> shift);
      if (Format::IsFinite(p) && Format::IsFinite(q)) continue;
      if (counted) CountUlp(column, ulps >> shift & 0xffffu, -1);
      if (p != q) {
        lane.AddDifferent(p, q, index, counts);
      } else if (Format::IsNan(p)) {
        counts.Count(kAnyNans);
      }
    }
  }

  // Of numbers. Without `split` aa is all there is.
  __device__ static void AddRun(Chunk<Format>& chunk, const RunSums<Format>& run, bool split,
                                LaneSums<Format>& sums) {
    const bool holds = RunHolds(run.aa) && RunHolds(run.bb);
    if (!__all_sync(kAllLanes, holds)) {
      if (!holds && !HoldsWithZeros(chunk, run)) {
        AddWide(chunk, split, sums);
        return;
      }
    }
    sums.aa.value += run.aa;
    if (!split) return;
    sums.bb.value += run.bb;
    sums.ab.value += run.ab;
    sums.dd.value += run.dd;
  }

  __device__ static bool HoldsWithZeros(Chunk<Format>& chunk, const RunSums<Format>& run) {
    std::uint32_t any_a = 0, any_b = 0;
    ForEachWord(chunk, [&](std::uint32_t x, std::uint32_t y) {
      any_a |= x & 0x7fff7fffu;
      any_b |= y & 0x7fff7fffu;
    });
    return (any_a == 0 || RunHolds(run.aa)) && (any_b == 0 || RunHolds(run.bb));
  }

  __device__ static void AddWide(Chunk<Format>& chunk, bool split, LaneSums<Format>& sums) {
    ForEachWordInTurn(chunk, [&](std::uint32_t x, std::uint32_t y) {
      float a[2], b[2];
      UnpackHalves<Format>(x, a);
      UnpackHalves<Format>(y, b);
#pragma unroll
      for (std::uint32_t i = 0; i < 2; ++i) {
        sums.aa.Add(a[i], a[i]);
        if (!split) continue;
        const float d = a[i] - b[i];
        sums.bb.Add(b[i], b[i]);
        sums.ab.Add(a[i], b[i]);
        sums.dd.Add(d, d);
      }
    });
  }

  __device__ static void BreakRecords(Chunk<Format>& chunk, Lane& lane) {
    Records records;
    ForEachWordInTurn(chunk, [&](std::uint32_t x, std::uint32_t y) {
      float a[2], b[2];
      UnpackHalves<Format>(x, a);
      UnpackHalves<Format>(y, b);
      records.Offer(a[0], b[0]);
      records.Offer(a[1], b[1]);
    });
    records.Break(lane);
  }
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_HALF_CHUNK_CUH_
