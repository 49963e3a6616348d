// Chunks of f32, whose cost per pair decides whether memory is the limit.
//
// * Equal chunks add squares and nothing else; while a tile is equal all of aa, bb and ab are one.
// * Values that are not finite cost nothing until they occur: they make a sum of squares infinite
//   or NaN, one vote, after which they are counted apart, set to 0 and the chunk is done again.
// * Maxima of |d| and of the relative difference are records: the loop only asks whether any pair
//   is above them, and they are rarely broken once they stand. Small tasks, in which they never
//   stand for long, work out each pair's instead.
#ifndef GTEST_PARITY_KERNELS_CUDA_FLOAT_CHUNK_CUH_
#define GTEST_PARITY_KERNELS_CUDA_FLOAT_CHUNK_CUH_

#include <cstdint>
#include <type_traits>

#include "kernels/cuda/chunk_words.cuh"
#include "kernels/cuda/element_chunk.cuh"
#include "kernels/cuda/records.cuh"

namespace parity {

// Distance in ulp. Numbers only. Of a pair and of its negatives it is the same: y as it is beside a
// positive x. Where 0 lies between them, 2^31 + |y| and 2^31 - 1 - |x|, which are 1 too far apart.
__device__ inline std::uint32_t FloatUlp(std::uint32_t x, std::uint32_t y) {
  const std::uint32_t turned = y ^ (x & 0x80000000u);
  const auto across = static_cast<std::uint32_t>(static_cast<std::int32_t>(turned) >> 31);
  const std::uint32_t key = (x ^ across) & 0x7fffffffu;
  return __usad(turned, key, across);
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
    const Found found = lane.each ? AddDistances<true>(chunk, index, lane, counts)
                                  : AddDistances<false>(chunk, index, lane, counts);
    Forget(chunk);
    lane.likely = __any_sync(kAllLanes, found.most != 0);
    const bool larger = __any_sync(kAllLanes, found.larger);
    const bool beyond = __any_sync(kAllLanes, found.beyond);
    if (larger || (beyond && AnyRecord(chunk, lane))) BreakRecords(chunk, lane);
  }

 private:
  struct Found {
    std::uint32_t most = 0, least = ~0u;  // ulp
    bool larger = false, beyond = false;  // something is beyond the lane's records
  };

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

  template <bool kEach>
  __device__ static Found AddDistances(Chunk<Format>& chunk, std::uint32_t index, Lane& lane,
                                       WarpCounts<Format>& counts) {
    const auto column =
        static_cast<std::uint32_t>(__cvta_generic_to_shared(&counts.rows[0][LaneId()]));
    const float max_rel = lane.max_rel;
    Found found;
    std::int32_t largest = 0;  // bits of the largest square of a difference
    EachMaxima maxima;
    ForEachTwoWords(
        chunk, [&](std::uint32_t x1, std::uint32_t y1, std::uint32_t x2, std::uint32_t y2) {
          const float a1 = __uint_as_float(x1), d1 = a1 - __uint_as_float(y1);
          const float a2 = __uint_as_float(x2), d2 = a2 - __uint_as_float(y2);
          if constexpr (kEach) {
            maxima.Offer(a1, d1);
            maxima.Offer(a2, d2);
          } else {
            largest = __vimax3_s32(largest, __float_as_int(d1 * d1), __float_as_int(d2 * d2));
            found.beyond |= IsBeyond(d1, a1, max_rel);
            found.beyond |= IsBeyond(d2, a2, max_rel);
          }
          const std::uint32_t ulp1 = FloatUlp(x1, y1), ulp2 = FloatUlp(x2, y2);
          found.most = __vimax3_u32(found.most, ulp1, ulp2);
          found.least = __vimin3_u32(found.least, ulp1, ulp2);
          CountUlp(column, ulp1, 1);
          CountUlp(column, ulp2, 1);
        });
    lane.different += found.least != 0 ? 4 * kLoads : CountDifferent(chunk);
    lane.OfferUlp(found.most, index);
    if constexpr (!kEach) {
      found.larger = IsAbove(__int_as_float(largest), lane.max_abs, found.most != 0);
      return found;
    }
    // No square of the lane's is larger than their sums: below this quotients do not overflow.
    constexpr double kFar = 0x1p200;
    const bool far = lane.sums.aa.value > kFar || lane.sums.bb.value > kFar;
    if (maxima.Right(found.most != 0, far)) {
      maxima.AddTo(lane);
    } else {
      found.larger = true;
    }
    return found;
  }

  __device__ static std::uint32_t CountDifferent(Chunk<Format>& chunk) {
    std::uint32_t different = 0;
    ForEachWord(chunk, [&](std::uint32_t x, std::uint32_t y) { different += x != y; });
    return different;
  }

  // With the floor of relative differences, which costs too much to be in every pair's way.
  __device__ static bool AnyRecord(Chunk<Format>& chunk, const Lane& lane) {
    bool beyond = false;
    ForEachWord(chunk, [&](std::uint32_t x, std::uint32_t y) {
      const float a = __uint_as_float(x), magnitude = fmaxf(fabsf(a), kRelativeFloor);
      beyond |= IsBeyond(a - __uint_as_float(y), magnitude, lane.max_rel);
    });
    return __any_sync(kAllLanes, beyond);
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
