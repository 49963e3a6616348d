// Chunks of f32, whose cost per pair decides whether memory is the limit.
//
// * Equal chunks add squares and nothing else; while a tile is equal all of aa, bb and ab are one.
// * Values that are not finite cost nothing until they occur: they make a sum of squares infinite
//   or NaN, one vote, after which they are counted apart, set to 0 and the chunk is done again.
// * Maxima of |d| and of the relative difference are records: the loop only asks whether any pair
//   is above them, and they are rarely broken once they stand.
#ifndef GTEST_PARITY_KERNELS_CUDA_FLOAT_CHUNK_CUH_
#define GTEST_PARITY_KERNELS_CUDA_FLOAT_CHUNK_CUH_

#include <cstdint>
#include <type_traits>

#include "kernels/cuda/chunk_words.cuh"
#include "kernels/cuda/element_chunk.cuh"
#include "kernels/cuda/records.cuh"

namespace parity {

// Distance in ulp. Numbers only.
__device__ inline std::uint32_t FloatUlp(std::uint32_t x, std::uint32_t y) {
  const auto sign_x = static_cast<std::int32_t>(x) >> 31;
  const auto sign_y = static_cast<std::int32_t>(y) >> 31;
  const std::int32_t key_x = static_cast<std::int32_t>(x ^ (sign_x & 0x7fffffff)) - sign_x;
  const std::int32_t key_y = static_cast<std::int32_t>(y ^ (sign_y & 0x7fffffff)) - sign_y;
  return static_cast<std::uint32_t>(max(key_x, key_y)) -
         static_cast<std::uint32_t>(min(key_x, key_y));
}

template <>
struct ChunkComparer<F32> {
  using Format = F32;
  using Lane = ElementLane<Format>;
  static constexpr std::uint32_t kLoads = Chunk<Format>::kLoads;

  __device__ static void Add(Chunk<Format>& chunk, bool differs, std::uint32_t index, Lane& lane,
                             WarpCounts<Format>& counts, bool& split) {
    if (differs && !split) {
      split = true;
      lane.sums.bb = lane.sums.ab = lane.sums.aa;
    }
    LaneSums<Format> sums = lane.sums;
    AddSums(chunk, differs, split, sums);
    const bool finite = isfinite(sums.aa.value) && isfinite(sums.bb.value);
    if (!__all_sync(kAllLanes, finite)) {
      TakeOut(chunk, index, lane, counts);
      sums = lane.sums;
      AddSums(chunk, differs, split, sums);
    }
    lane.sums = sums;
    if (!differs) return;
    Forget(chunk);
    AddDistances(chunk, index, lane, counts);
  }

 private:
  __device__ static void AddSums(Chunk<Format>& chunk, bool differs, bool split,
                                 LaneSums<Format>& sums) {
    if (differs) {
      ForEachWord(chunk, [&](std::uint32_t x, std::uint32_t y) {
        const float a = __uint_as_float(x), b = __uint_as_float(y);
        const double p = a, q = b, d = a - b;
        sums.aa.Add(p, p);
        sums.bb.Add(q, q);
        sums.ab.Add(p, q);
        sums.dd.Add(d, d);
      });
      return;
    }
    ForEachWord(chunk, [&](std::uint32_t x, std::uint32_t) {
      const double p = __uint_as_float(x);
      sums.aa.Add(p, p);
      if (split) {
        sums.bb.Add(p, p);
        sums.ab.Add(p, p);
      }
    });
  }

  // Counts the pairs that are not two finite numbers, and sets them to 0.
  __device__ static void TakeOut(Chunk<Format>& chunk, std::uint32_t index, Lane& lane,
                                 WarpCounts<Format>& counts) {
    ForEachWord(chunk, [&](std::uint32_t& x, std::uint32_t& y) {
      if (Format::IsFinite(x) && Format::IsFinite(y)) return;
      if (x != y) {
        lane.AddDifferent(x, y, index, counts);
      } else if (Format::IsNan(x)) {
        counts.Count(kAnyNans);
      }
      x = y = 0;
    });
  }

  __device__ static void AddDistances(Chunk<Format>& chunk, std::uint32_t index, Lane& lane,
                                      WarpCounts<Format>& counts) {
    const auto column =
        static_cast<std::uint32_t>(__cvta_generic_to_shared(&counts.bins[0][LaneId()]));
    const float max_abs = lane.max_abs, max_rel = lane.max_rel;
    float above = 0;  // above 0 where a record is broken
    std::uint32_t max_ulp = 0, different = 0;
    ForEachWord(chunk, [&](std::uint32_t x, std::uint32_t y) {
      const float a = __uint_as_float(x), d = fabsf(a - __uint_as_float(y));
      const float magnitude = fmaxf(fabsf(a), kRelativeFloor);
      above += __saturatef(d - max_abs);
      above += __saturatef(__fmaf_ru(-max_rel, magnitude, d));
      const std::uint32_t ulp = FloatUlp(x, y);
      max_ulp = max(max_ulp, ulp);
      different += x != y;
      CountUlp(column, ulp, 1);
    });
    lane.different += different;
    lane.OfferUlp(max_ulp, index);
    if (!__any_sync(kAllLanes, above > 0)) return;
    Forget(chunk);
    BreakRecords(chunk, lane);
  }

  __device__ static void BreakRecords(Chunk<Format>& chunk, Lane& lane) {
    Records records;
    ForEachWord(chunk, [&](std::uint32_t x, std::uint32_t y) {
      records.Offer(__uint_as_float(x), __uint_as_float(y));
    });
    records.Break(lane);
  }
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_FLOAT_CHUNK_CUH_
