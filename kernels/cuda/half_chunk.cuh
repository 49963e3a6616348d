// Chunks of f16 and bf16, two pairs to a word. A chunk is a run of kernels/sums.h.
//
// * The reference's sign is taken off both sides: of a pair and of its negatives everything that is
//   measured is the same.
// * Sums, distances and records are gathered in one pass. Where a sum tells that not all are
//   numbers, the histogram is taken back and the chunk done again, warily; so are those that
//   follow.
#ifndef GTEST_PARITY_KERNELS_CUDA_HALF_CHUNK_CUH_
#define GTEST_PARITY_KERNELS_CUDA_HALF_CHUNK_CUH_

#include <cstdint>

#include "kernels/cuda/chunk_words.cuh"
#include "kernels/cuda/element_chunk.cuh"
#include "kernels/cuda/half_run.cuh"
#include "kernels/cuda/half_words.cuh"
#include "kernels/cuda/records.cuh"
#include "kernels/cuda/run_sums.cuh"
#include "kernels/cuda/special_words.cuh"

namespace parity {

// What a lane's pairs come to beside their sums, each in its own half where there are two.
struct HalfDistances {
  std::uint32_t most = 0, least = ~0u;      // ulp
  std::int32_t largest = 0, above_rel = 0;  // bits of f32: |d|, and what is beyond max_rel

  __device__ void Offer(std::uint32_t ulps) {
    most = __vmaxu2(most, ulps);
    least = __vminu2(least, ulps);
  }
  __device__ bool AllDiffer() const { return (least & 0xffffu) != 0 && (least >> 16) != 0; }
};

template <typename Format>
requires kIsHalf<Format>
struct ChunkComparer<Format> {
  using Lane = ElementLane<Format>;
  static constexpr std::uint32_t kLoads = Chunk<Format>::kLoads;
  // So many chunks after one that held what is not finite are done warily at once.
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
    HalfRun<Format>::Add(chunk, run, split, lane.sums);
  }

 private:
  using Words = SpecialWords<Format>;

  __device__ static RunSums<Format> AddEqual(Chunk<Format>& chunk, std::uint32_t index, Lane& lane,
                                             WarpCounts<Format>& counts) {
    RunSums<Format> run;
    ForEachWord(chunk, [&](std::uint32_t x, std::uint32_t) { AddSquares(x, run); });
    if (!__all_sync(kAllLanes, isfinite(run.aa))) {
      run = {};
      SpecialTally<Format> tally;
      ForEachWordInTurn(chunk, [&](std::uint32_t& x, std::uint32_t& y) {
        const std::uint32_t odd = Words::NotNumbers(x);
        tally.Add(x, x, odd, odd);
        x = y = x & ~Words::Whole(odd);
        AddSquares(x, run);
      });
      tally.Write(index, lane, counts);
    }
    run.bb = run.ab = run.aa;
    return run;
  }
  __device__ static void AddSquares(std::uint32_t word, RunSums<Format>& run) {
    float a[2];
    UnpackHalves<Format>(word, a);
    run.AddEqual(a[0]);
    run.AddEqual(a[1]);
  }

  __device__ static RunSums<Format> AddDifferent(Chunk<Format>& chunk, std::uint32_t index,
                                                 Lane& lane, WarpCounts<Format>& counts) {
    if (lane.wary != 0) return AddWarily(chunk, index, lane, counts);
    const std::uint32_t column = ColumnOf(counts);
    RunSums<Format> run;
    HalfDistances found;
    ForEachWord(chunk, [&, max_rel = lane.max_rel](std::uint32_t x, std::uint32_t y) {
      TakeSign(x, y);
      Gather<false>(x, y, max_rel, run, found);
      const std::uint32_t ulps = HalfUlps(x, y);
      found.Offer(ulps);
      CountUlps(column, ulps, 1);
    });
    Forget(chunk);
    if (!__all_sync(kAllLanes, run.Finite())) {
      ForEachWordInTurn(chunk, [&](std::uint32_t x, std::uint32_t y) {
        TakeSign(x, y);
        CountUlps(column, HalfUlps(x, y), -1);
      });
      return AddWarily(chunk, index, lane, counts);
    }
    lane.different += found.AllDiffer() ? 2 * 4 * kLoads : CountDifferent(chunk);
    Finish(chunk, found, index, lane);
    return run;
  }

  // Where there may be more than numbers: what is none is counted and set to 0.
  __device__ static RunSums<Format> AddWarily(Chunk<Format>& chunk, std::uint32_t index, Lane& lane,
                                              WarpCounts<Format>& counts) {
    const std::uint32_t column = ColumnOf(counts);
    RunSums<Format> run;
    HalfDistances found;
    SpecialTally<Format> tally;
    std::uint32_t different = 0;
    bool any = false;
    ForEachWordInTurn(chunk, [&](std::uint32_t& x, std::uint32_t& y) {
      const std::uint32_t odd_x = Words::NotNumbers(x), odd_y = Words::NotNumbers(y);
      different += __vminu2(x ^ y, Words::kOnes);
      std::uint32_t p = x, q = y;
      TakeSign(p, q);
      std::uint32_t ulps = HalfUlps(p, q);
      if (__any_sync(kAllLanes, (odd_x | odd_y) != 0)) {
        any = true;
        ulps &= ~Words::Whole(tally.Add(x, y, odd_x, odd_y));
        const std::uint32_t numbers = ~Words::Whole(odd_x | odd_y);
        x &= numbers;
        y &= numbers;
        p &= numbers;
        q &= numbers;
      }
      Gather<true>(p, q, lane.max_rel, run, found);
      found.Offer(ulps);
      CountUlps(column, ulps, 1);
    });
    if (any) tally.Write(index, lane, counts);
    lane.wary = any || lane.wary == 0 ? kWary : lane.wary - 1;
    lane.different += Words::Sum(different);
    Finish(chunk, found, index, lane);
    return run;
  }

  // Of a pair and of its negatives all that is measured is the same.
  __device__ static void TakeSign(std::uint32_t& x, std::uint32_t& y) {
    const std::uint32_t signs = x & Words::kTops;
    x ^= signs;
    y ^= signs;
  }

  // Without `kFloor` too much is beyond max_rel where a is below the floor of relative differences.
  template <bool kFloor>
  __device__ static void Gather(std::uint32_t x, std::uint32_t y, float max_rel,
                                RunSums<Format>& run, HalfDistances& found) {
    float a[2], b[2], d[2], beyond[2];
    UnpackHalves<Format>(x, a);
    UnpackHalves<Format>(y, b);
#pragma unroll
    for (std::uint32_t i = 0; i < 2; ++i) {
      d[i] = fabsf(a[i] - b[i]);
      const float magnitude = kFloor ? fmaxf(a[i], kRelativeFloor) : a[i];
      beyond[i] = __fmaf_ru(-max_rel, magnitude, d[i]);
      run.Add(a[i], b[i], d[i]);
    }
    found.largest = __vimax3_s32(found.largest, __float_as_int(d[0]), __float_as_int(d[1]));
    found.above_rel =
        __vimax3_s32(found.above_rel, __float_as_int(beyond[0]), __float_as_int(beyond[1]));
  }

  __device__ static void CountUlps(std::uint32_t column, std::uint32_t ulps, std::int32_t times) {
    CountUlp(column, ulps & 0xffffu, times);
    CountUlp(column, ulps >> 16, times);
  }

  __device__ static void Finish(Chunk<Format>& chunk, const HalfDistances& found,
                                std::uint32_t index, Lane& lane) {
    lane.OfferUlp(max(found.most & 0xffffu, found.most >> 16), index);
    const bool larger = __any_sync(kAllLanes, __int_as_float(found.largest) > lane.max_abs);
    const bool above = __any_sync(kAllLanes, found.above_rel > 0);
    if (larger || (above && AnyRecord(chunk, lane))) BreakRecords(chunk, lane);
  }

  __device__ static std::uint32_t CountDifferent(Chunk<Format>& chunk) {
    std::uint32_t different = 0;
    ForEachWord(chunk, [&](std::uint32_t x, std::uint32_t y) {
      different += __vminu2(x ^ y, Words::kOnes);
    });
    return Words::Sum(different);
  }

  __device__ static std::uint32_t ColumnOf(const WarpCounts<Format>& counts) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(&counts.bins[0][LaneId()]));
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

  // With the floor of relative differences, which costs too much to be in every pair's way.
  __device__ static bool AnyRecord(Chunk<Format>& chunk, const Lane& lane) {
    float above = 0;
    ForEachWordInTurn(chunk, [&](std::uint32_t x, std::uint32_t y) {
      float a[2], b[2];
      UnpackHalves<Format>(x, a);
      UnpackHalves<Format>(y, b);
#pragma unroll
      for (std::uint32_t i = 0; i < 2; ++i) {
        const float d = fabsf(a[i] - b[i]), magnitude = fmaxf(fabsf(a[i]), kRelativeFloor);
        above = fmaxf(above, __fmaf_ru(-lane.max_rel, magnitude, d));
      }
    });
    return __any_sync(kAllLanes, above > 0);
  }
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_HALF_CHUNK_CUH_
