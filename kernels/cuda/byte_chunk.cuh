// Chunks of 8-bit floats, four pairs to a word.
//
// * Chunks in which nothing but finite numbers occurs are told by their words, and others have what
//   is none set to 0.
// * Maxima of |d| and of the relative difference are records, as those of f32 (float_chunk.cuh).
#ifndef GTEST_PARITY_KERNELS_CUDA_BYTE_CHUNK_CUH_
#define GTEST_PARITY_KERNELS_CUDA_BYTE_CHUNK_CUH_

#include <cstdint>

#include "kernels/cuda/byte_words.cuh"
#include "kernels/cuda/chunk_words.cuh"
#include "kernels/cuda/element_chunk.cuh"
#include "kernels/cuda/records.cuh"
#include "kernels/cuda/special_words.cuh"

namespace parity {

template <typename Format>
requires kIsByteFloat<Format>
struct ChunkComparer<Format> {
  using Lane = ElementLane<Format>;
  using Words = SpecialWords<Format>;
  static constexpr bool kIsScale = Words::kIsScale;
  // From exact sums of squares of exact differences.
  static constexpr bool kProductsFollow = kSumsAreExact<Format> && !kSplitsProducts<Format>;
  // Quotients of scales are too large or too small for it, and the sums of e5m2 need the registers.
  static constexpr bool kTakesEach = !kIsScale && !kSplitsProducts<Format>;

  __device__ static void Add(Chunk<Format>& chunk, bool differs, std::uint32_t index, Lane& lane,
                             WarpCounts<Format>& counts, bool& split) {
    if (differs && !split) {
      split = true;
      lane.sums.bb = lane.sums.ab = lane.sums.aa;
    }
    // What lies beyond the end is 0, which of scales is a number.
    if (kIsScale && !IsWhole(chunk)) {
      if (!split) lane.sums.bb = lane.sums.ab = lane.sums.aa;
      split = true;
      AddPairByPair(chunk, index, lane, counts);
      return;
    }
    const bool special = AnySpecial(chunk);
    if (!differs) {
      special ? AddEqual<true>(chunk, split, index, lane, counts)
              : AddEqual<false>(chunk, split, index, lane, counts);
      return;
    }
    if (special) return AddDifferent<true, false>(chunk, index, lane, counts);
    if constexpr (kTakesEach) {
      if (lane.each) return AddDifferent<false, true>(chunk, index, lane, counts);
    }
    AddDifferent<false, false>(chunk, index, lane, counts);
  }

 private:
  struct Found {
    LargestByte ulp;
    std::int32_t largest = 0, above_rel = 0;  // bits of f32: |d|, and what is beyond max_rel
    std::uint32_t different = 0;              // each element's own
    EachMaxima maxima;
  };

  __device__ static bool IsWhole(const Chunk<Format>& chunk) {
    bool whole = true;
#pragma unroll
    for (std::uint32_t k = 0; k < Chunk<Format>::kLoads; ++k) {
      whole &= chunk.valid[k] == kVectorElements<Format>;
    }
    return __all_sync(kAllLanes, whole);
  }

  __device__ static bool AnySpecial(Chunk<Format>& chunk) {
    std::uint32_t special = 0;
    ForEachWord(chunk, [&](std::uint32_t x, std::uint32_t y) {
      special |= Words::NotNumbers(x) | Words::NotNumbers(y);
    });
    return __any_sync(kAllLanes, special != 0);
  }

  // With `kSpecial` where there may be more than numbers: little code and few registers there.
  template <bool kSpecial, typename Visit>
  __device__ static void ForEach(Chunk<Format>& chunk, Visit visit) {
    if constexpr (kSpecial) {
      ForEachWordInTurn(chunk, visit);
    } else {
      ForEachWord(chunk, visit);
    }
  }

  template <bool kSpecial>
  __device__ static void AddEqual(Chunk<Format>& chunk, bool split, std::uint32_t index, Lane& lane,
                                  WarpCounts<Format>& counts) {
    SpecialTally<Format> tally;
    ForEach<kSpecial>(chunk, [&](std::uint32_t x, std::uint32_t) {
      std::uint32_t numbers = ~0u;
      if constexpr (kSpecial) {
        const std::uint32_t odd = Words::NotNumbers(x);
        tally.Add(x, x, odd, odd);
        numbers = ~Words::Whole(odd);
      }
      float a[4];
      UnpackBytes<Format>(x & numbers, numbers, a);
#pragma unroll
      for (std::uint32_t i = 0; i < 4; ++i) {
        lane.sums.aa.Add(a[i], a[i]);
        if (kSumsAreExact<Format> || !split) continue;
        lane.sums.bb.Add(a[i], a[i]);
        lane.sums.ab.Add(a[i], a[i]);
      }
    });
    // A chunk's own, where sums are exact.
    if constexpr (kSumsAreExact<Format>) lane.sums.bb = lane.sums.ab = lane.sums.aa;
    if constexpr (kSpecial) tally.Write(index, lane, counts);
  }

  template <bool kSpecial, bool kEach>
  __device__ static void AddDifferent(Chunk<Format>& chunk, std::uint32_t index, Lane& lane,
                                      WarpCounts<Format>& counts) {
    const auto column =
        static_cast<std::uint32_t>(__cvta_generic_to_shared(&counts.rows[0][LaneId()]));
    SpecialTally<Format> tally;
    Found found;
    ForEach<kSpecial>(chunk, [&](std::uint32_t x, std::uint32_t y) {
      found.different += Words::Differ(x, y) >> 7;
      std::uint32_t ulps = ByteUlps<Format>(x, y), numbers = ~0u;
      if constexpr (kSpecial) {
        const std::uint32_t odd_x = Words::NotNumbers(x), odd_y = Words::NotNumbers(y);
        if (__any_sync(kAllLanes, (odd_x | odd_y) != 0)) {
          ulps &= ~Words::Whole(tally.Add(x, y, odd_x, odd_y));
          numbers = ~Words::Whole(odd_x | odd_y);
        }
      }
      float a[4], b[4];
      UnpackBytes<Format>(x & numbers, numbers, a);
      UnpackBytes<Format>(y & numbers, numbers, b);
      AddValues<kEach>(a, b, lane, found);
      found.ulp.Offer(ulps);
#pragma unroll
      for (std::uint32_t i = 0; i < 4; ++i) CountUlp(column, ulps >> (8 * i) & 0xffu, 1);
    });
    if constexpr (kProductsFollow) {
      const double squares = lane.sums.aa.value + lane.sums.bb.value;
      lane.sums.ab.value = 0.5 * (squares - lane.sums.dd.value);
    }
    if constexpr (kSpecial) tally.Write(index, lane, counts);
    lane.different += Words::Sum(found.different);
    lane.OfferUlp(found.ulp.Value(), index);
    if constexpr (kEach) {
      found.maxima.AddTo(lane);  // no quotient of theirs is too small
    } else {
      const bool above = __int_as_float(found.largest) > lane.max_abs || found.above_rel > 0;
      if (__any_sync(kAllLanes, above)) BreakRecords(chunk, lane);
    }
  }

  template <bool kEach>
  __device__ static void AddValues(const float* a, const float* b, Lane& lane, Found& found) {
    std::int32_t distances[4], above[4];
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      const float d = fabsf(a[i] - b[i]);
      if constexpr (kEach) {
        found.maxima.Offer(a[i], d);
      } else {
        const float magnitude = fmaxf(fabsf(a[i]), kRelativeFloor);
        distances[i] = __float_as_int(d);
        above[i] = __float_as_int(__fmaf_ru(-lane.max_rel, magnitude, d));
      }
      lane.sums.aa.Add(a[i], a[i]);
      lane.sums.bb.Add(b[i], b[i]);
      if constexpr (!kProductsFollow) lane.sums.ab.Add(a[i], b[i]);
      lane.sums.dd.Add(d, d);
    }
    if constexpr (!kEach) {
#pragma unroll
      for (std::uint32_t i = 0; i < 4; i += 2) {
        found.largest = __vimax3_s32(found.largest, distances[i], distances[i + 1]);
        found.above_rel = __vimax3_s32(found.above_rel, above[i], above[i + 1]);
      }
    }
  }

  __device__ static void BreakRecords(Chunk<Format>& chunk, Lane& lane) {
    Records records;
    ForEachWordInTurn(chunk, [&](std::uint32_t x, std::uint32_t y) {
      const std::uint32_t numbers = ~Words::Whole(Words::NotNumbers(x) | Words::NotNumbers(y));
      float a[4], b[4];
      UnpackBytes<Format>(x & numbers, numbers, a);
      UnpackBytes<Format>(y & numbers, numbers, b);
#pragma unroll
      for (std::uint32_t i = 0; i < 4; ++i) records.Offer(a[i], b[i]);
    });
    records.Break(lane);
  }
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_BYTE_CHUNK_CUH_
