// Chunks of f16 and bf16, two pairs to a word. A chunk is a run of kernels/sums.h.
//
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

// What a lane's pairs come to beside their sums.
struct HalfDistances {
  std::uint32_t most = 0, least = ~0u;     // ulp, each in its own half
  bool larger = false, above_rel = false;  // something is beyond the lane's records

  __device__ void Offer(std::uint32_t ulps1, std::uint32_t ulps2) {
    most = __vimax3_u16x2(most, ulps1, ulps2);
    least = __vimin3_u16x2(least, ulps1, ulps2);
  }
  __device__ std::uint32_t MostUlps() const { return max(most & 0xffffu, most >> 16); }
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
    const RunSums run =
        differs ? AddDifferent(chunk, index, lane, counts) : AddEqual(chunk, index, lane, counts);
    HalfRun<Format>::Add(chunk, run, split, lane.sums);
  }

 private:
  using Words = SpecialWords<Format>;

  __device__ static RunSums AddEqual(Chunk<Format>& chunk, std::uint32_t index, Lane& lane,
                                     WarpCounts<Format>& counts) {
    RunSums run;
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
    run.bb = run.aa;
    return run;
  }
  __device__ static void AddSquares(std::uint32_t word, RunSums& run) {
    float a[2];
    UnpackHalves<Format>(word, a);
    run.AddEqual(a[0]);
    run.AddEqual(a[1]);
  }

  __device__ static RunSums AddDifferent(Chunk<Format>& chunk, std::uint32_t index, Lane& lane,
                                         WarpCounts<Format>& counts) {
    const std::uint32_t column = ColumnOf(counts);
    RunSums run;
    HalfDistances found;
    bool numbers = lane.wary == 0;
    if (numbers) {
      lane.each ? AddNumbers<true>(chunk, column, lane, run, found)
                : AddNumbers<false>(chunk, column, lane, run, found);
      Forget(chunk);
      numbers = __all_sync(kAllLanes, run.Finite());
      if (!numbers) {
        ForEachWordInTurn(chunk, [&](std::uint32_t x, std::uint32_t y) {
          CountUlps(column, HalfUlps(x, y), -1);
        });
      }
    }
    if (numbers) {
      lane.different += found.AllDiffer() ? 2 * 4 * kLoads : CountDifferent(chunk);
    } else {
      run = {};
      found = {};
      AddWarily(chunk, index, lane, counts, run, found);
    }
    lane.OfferUlp(found.MostUlps(), index);
    lane.likely = __any_sync(kAllLanes, found.most != 0);
    const bool larger = __any_sync(kAllLanes, found.larger);
    const bool above = __any_sync(kAllLanes, found.above_rel);
    if (larger || (above && AnyRecord(chunk, lane))) BreakRecords(chunk, lane);
    return run;
  }

  template <bool kEach>
  __device__ static void AddNumbers(Chunk<Format>& chunk, std::uint32_t column, Lane& lane,
                                    RunSums& run, HalfDistances& found) {
    EachMaxima maxima;
    std::int32_t largest = 0;  // bits of f32: the square of a difference
    ForEachTwoWords(chunk, [&, max_rel = lane.max_rel](std::uint32_t x1, std::uint32_t y1,
                                                       std::uint32_t x2, std::uint32_t y2) {
      Gather<kEach>(x1, y1, max_rel, run, found, largest, maxima);
      Gather<kEach>(x2, y2, max_rel, run, found, largest, maxima);
      const std::uint32_t ulps1 = HalfUlps(x1, y1), ulps2 = HalfUlps(x2, y2);
      found.Offer(ulps1, ulps2);
      CountUlps(column, ulps1, 1);
      CountUlps(column, ulps2, 1);
    });
    if constexpr (!kEach) {
      found.larger = IsAbove(__int_as_float(largest), lane.max_abs, found.most != 0);
    } else if (maxima.Right(found.most != 0, !run.Finite())) {
      maxima.AddTo(lane);
    } else {
      found.larger = true;
    }
  }

  // Where there may be more than numbers: what is none is counted and set to 0.
  __device__ static void AddWarily(Chunk<Format>& chunk, std::uint32_t index, Lane& lane,
                                   WarpCounts<Format>& counts, RunSums& run, HalfDistances& found) {
    const std::uint32_t column = ColumnOf(counts);
    SpecialTally<Format> tally;
    std::uint32_t different = 0;
    std::int32_t largest = 0;  // bits of f32: a difference
    bool any = false;
    ForEachWordInTurn(chunk, [&](std::uint32_t& x, std::uint32_t& y) {
      const std::uint32_t odd_x = Words::NotNumbers(x), odd_y = Words::NotNumbers(y);
      different += __vminu2(x ^ y, Words::kOnes);
      std::uint32_t ulps = HalfUlps(x, y);
      if (__any_sync(kAllLanes, (odd_x | odd_y) != 0)) {
        any = true;
        ulps &= ~Words::Whole(tally.Add(x, y, odd_x, odd_y));
        const std::uint32_t numbers = ~Words::Whole(odd_x | odd_y);
        x &= numbers;
        y &= numbers;
      }
      GatherWarily(x, y, lane.max_rel, run, found, largest);
      found.Offer(ulps, ulps);
      CountUlps(column, ulps, 1);
    });
    if (any) tally.Write(index, lane, counts);
    lane.wary = any || lane.wary == 0 ? kWary : lane.wary - 1;
    lane.different += Words::Sum(different);
    found.larger = __int_as_float(largest) > lane.max_abs;
  }

  // Too much is beyond max_rel where a is below the floor of relative differences.
  template <bool kEach>
  __device__ static void Gather(std::uint32_t x, std::uint32_t y, float max_rel, RunSums& run,
                                HalfDistances& found, std::int32_t& largest, EachMaxima& maxima) {
    float a[2], b[2], squares[2];
    UnpackHalves<Format>(x, a);
    UnpackHalves<Format>(y, b);
#pragma unroll
    for (std::uint32_t i = 0; i < 2; ++i) {
      const float d = a[i] - b[i];
      squares[i] = __fmul_rn(d, d);
      run.Add(a[i], b[i], squares[i]);
      if constexpr (kEach) {
        maxima.Offer(a[i], d);
      } else {
        found.above_rel |= IsBeyond(d, a[i], max_rel);
      }
    }
    if constexpr (!kEach) largest = Largest(largest, squares);
  }

  // Of numbers whose squares may be infinite.
  __device__ static void GatherWarily(std::uint32_t x, std::uint32_t y, float max_rel, RunSums& run,
                                      HalfDistances& found, std::int32_t& largest) {
    float a[2], b[2], d[2];
    UnpackHalves<Format>(x, a);
    UnpackHalves<Format>(y, b);
#pragma unroll
    for (std::uint32_t i = 0; i < 2; ++i) {
      d[i] = fabsf(a[i] - b[i]);
      run.Add(a[i], b[i], __fmul_rn(d[i], d[i]));
      found.above_rel |= IsBeyond(d[i], fmaxf(fabsf(a[i]), kRelativeFloor), max_rel);
    }
    largest = Largest(largest, d);
  }

  __device__ static std::int32_t Largest(std::int32_t so_far, const float* two) {
    return __vimax3_s32(so_far, __float_as_int(two[0]), __float_as_int(two[1]));
  }

  // A half lies above 16 bits that are 0 or mean nothing: what is counted below bin 16 is not
  // asked.
  __device__ static void CountUlps(std::uint32_t column, std::uint32_t ulps, std::int32_t times) {
    CountUlp(column, ulps * 0x10000u, times);
    CountUlp(column, ulps, times);
  }

  __device__ static std::uint32_t CountDifferent(Chunk<Format>& chunk) {
    std::uint32_t different = 0;
    ForEachWord(chunk, [&](std::uint32_t x, std::uint32_t y) {
      different += __vminu2(x ^ y, Words::kOnes);
    });
    return Words::Sum(different);
  }

  __device__ static std::uint32_t ColumnOf(const WarpCounts<Format>& counts) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(&counts.rows[0][LaneId()]));
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
    bool above = false;
    ForEachWordInTurn(chunk, [&](std::uint32_t x, std::uint32_t y) {
      float a[2], b[2];
      UnpackHalves<Format>(x, a);
      UnpackHalves<Format>(y, b);
#pragma unroll
      for (std::uint32_t i = 0; i < 2; ++i) {
        above |= IsBeyond(a[i] - b[i], fmaxf(fabsf(a[i]), kRelativeFloor), lane.max_rel);
      }
    });
    return __any_sync(kAllLanes, above);
  }
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_HALF_CHUNK_CUH_
