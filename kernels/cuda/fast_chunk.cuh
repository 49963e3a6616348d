// Chunks of f32, f16 and bf16, whose cost per pair decides whether memory is the limit.
//
// * Equal chunks add squares and nothing else; while a tile is equal all of aa, bb and ab are one.
// * Values that are not finite cost nothing until they occur: they make a sum of squares infinite
// or
//   NaN, one vote, after which they are counted apart, set to 0 and the chunk is done again.
// * Maxima of |d| and of the relative difference are records: the loop only asks whether any pair
// is
//   above them, and they are rarely broken once they stand.
// * Distances of two 16-bit elements are worked out in one register.
#ifndef GTEST_PARITY_KERNELS_CUDA_FAST_CHUNK_CUH_
#define GTEST_PARITY_KERNELS_CUDA_FAST_CHUNK_CUH_

#include <cstdint>
#include <type_traits>

#include "kernels/cuda/element_chunk.cuh"

namespace parity {

template <typename Format>
inline constexpr bool kIsFast =
    std::is_same_v<Format, F32> || std::is_same_v<Format, F16> || std::is_same_v<Format, BF16>;

// The numbers in one word: one f32 or two 16-bit floats.
template <typename Format>
inline constexpr std::uint32_t kInWord = 32 / Format::kBits;

template <typename Format>
__device__ inline void Unpack(std::uint32_t word, float* values) {
  if constexpr (std::is_same_v<Format, F32>) {
    values[0] = __uint_as_float(word);
  } else if constexpr (std::is_same_v<Format, BF16>) {
    values[0] = __uint_as_float(word << 16);
    values[1] = __uint_as_float(word & 0xffff0000u);
  } else {
    asm("{.reg .b16 low, high;\n mov.b32 {low, high}, %2;\n cvt.f32.f16 %0, low;\n"
        " cvt.f32.f16 %1, high;}"
        : "=f"(values[0]), "=f"(values[1])
        : "r"(word));
  }
}

// All ones in each half that is negative. (__byte_perm does not copy signs.)
__device__ inline std::uint32_t Signs(std::uint32_t halves) {
  std::uint32_t signs;
  asm("prmt.b32 %0, %1, 0, 0xbb99;" : "=r"(signs) : "r"(halves));
  return signs;
}

// Distances in ulp of the word's pairs, each in its own bits of the result. Numbers only.
template <typename Format>
__device__ inline std::uint32_t UlpsOf(std::uint32_t x, std::uint32_t y) {
  if constexpr (std::is_same_v<Format, F32>) {
    const auto sign_x = static_cast<std::int32_t>(x) >> 31,
               sign_y = static_cast<std::int32_t>(y) >> 31;
    const std::int32_t key_x = static_cast<std::int32_t>(x ^ (sign_x & 0x7fffffff)) - sign_x;
    const std::int32_t key_y = static_cast<std::int32_t>(y ^ (sign_y & 0x7fffffff)) - sign_y;
    return static_cast<std::uint32_t>(max(key_x, key_y)) -
           static_cast<std::uint32_t>(min(key_x, key_y));
  } else {
    // In order, as unsigned numbers, but 1 too far apart across 0: there -0 comes before +0.
    const std::uint32_t signs_x = Signs(x), signs_y = Signs(y);
    const std::uint32_t key_x = x ^ (signs_x | 0x80008000u), key_y = y ^ (signs_y | 0x80008000u);
    const std::uint32_t across = ((x ^ y) >> 15) & 0x00010001u;
    return __vmaxu2(key_x, key_y) - __vminu2(key_x, key_y) - across;
  }
}

// Position of the highest bit that is set, ~0 where none is.
__device__ inline std::uint32_t HighestBit(std::uint32_t value) {
  std::uint32_t position;
  asm("bfind.u32 %0, %1;" : "=r"(position) : "r"(value));
  return position;
}

// Counts in the histogram's column whose bin 0 lies at `column`, an address in shared memory. What
// is counted in bin 0 means nothing.
__device__ inline void CountUlp(std::uint32_t column, std::uint32_t ulp) {
  const std::uint32_t address = column + (HighestBit(ulp) + 1) * (kWarp * 4);
  asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(address) : "memory");
}

template <typename Format>
requires kIsFast<Format>
struct ChunkComparer<Format> {
  using Lane = ElementLane<Format>;
  static constexpr std::uint32_t kLoads = Chunk<Format>::kLoads;
  static constexpr std::uint32_t kPairs = kInWord<Format>;

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
  template <typename Visit>
  __device__ static void ForEachWord(Chunk<Format>& chunk, Visit visit) {
#pragma unroll
    for (std::uint32_t k = 0; k < kLoads; ++k) {
      visit(chunk.a[k].x, chunk.b[k].x);
      visit(chunk.a[k].y, chunk.b[k].y);
      visit(chunk.a[k].z, chunk.b[k].z);
      visit(chunk.a[k].w, chunk.b[k].w);
    }
  }

  // Unpacking again is cheaper than keeping what was unpacked for the sums, in spilled registers.
  __device__ static void Forget(Chunk<Format>& chunk) {
    ForEachWord(chunk, [](std::uint32_t& x, std::uint32_t& y) {
      asm volatile("" : "+r"(x), "+r"(y));
    });
  }

  __device__ static void AddSums(Chunk<Format>& chunk, bool differs, bool split,
                                 LaneSums<Format>& sums) {
    if (differs) {
      ForEachWord(chunk, [&](std::uint32_t x, std::uint32_t y) {
        float a[kPairs], b[kPairs];
        Unpack<Format>(x, a);
        Unpack<Format>(y, b);
#pragma unroll
        for (std::uint32_t i = 0; i < kPairs; ++i) {
          const double p = a[i], q = b[i], d = a[i] - b[i];
          sums.aa.Add(p, p);
          sums.bb.Add(q, q);
          sums.ab.Add(p, q);
          sums.dd.Add(d, d);
        }
      });
      return;
    }
    ForEachWord(chunk, [&](std::uint32_t x, std::uint32_t) {
      float a[kPairs];
      Unpack<Format>(x, a);
#pragma unroll
      for (std::uint32_t i = 0; i < kPairs; ++i) {
        const double p = a[i];
        sums.aa.Add(p, p);
        if (split) {
          sums.bb.Add(p, p);
          sums.ab.Add(p, p);
        }
      }
    });
  }

  // Counts the pairs that are not two finite numbers, and sets them to 0.
  __device__ static void TakeOut(Chunk<Format>& chunk, std::uint32_t index, Lane& lane,
                                 WarpCounts<Format>& counts) {
    ForEachWord(chunk, [&](std::uint32_t& x, std::uint32_t& y) {
#pragma unroll
      for (std::uint32_t i = 0; i < kPairs; ++i) {
        constexpr std::uint32_t kMask = kPairs == 1 ? ~0u : 0xffffu;
        const std::uint32_t shift = i * 16;
        const auto p = static_cast<typename Format::Bits>(x >> shift & kMask);
        const auto q = static_cast<typename Format::Bits>(y >> shift & kMask);
        if (Format::IsFinite(p) && Format::IsFinite(q)) continue;
        if (p != q) {
          lane.AddDifferent(p, q, index, counts);
        } else if (Format::IsNan(p)) {
          counts.Count(kAnyNans);
        }
        x &= ~(kMask << shift);
        y &= ~(kMask << shift);
      }
    });
  }

  __device__ static void AddDistances(Chunk<Format>& chunk, std::uint32_t index, Lane& lane,
                                      WarpCounts<Format>& counts) {
    const auto column =
        static_cast<std::uint32_t>(__cvta_generic_to_shared(&counts.bins[0][LaneId()]));
    const float max_abs = lane.max_abs, max_rel = lane.max_rel;
    float above = 0;  // above 0 where a record is broken
    std::uint32_t max_ulps = 0, different = 0;
    ForEachWord(chunk, [&](std::uint32_t x, std::uint32_t y) {
      float a[kPairs], b[kPairs];
      Unpack<Format>(x, a);
      Unpack<Format>(y, b);
#pragma unroll
      for (std::uint32_t i = 0; i < kPairs; ++i) {
        const float d = fabsf(a[i] - b[i]);
        const float magnitude = fmaxf(fabsf(a[i]), kRelativeFloor);
        above += __saturatef(d - max_abs);
        above += __saturatef(__fmaf_ru(-max_rel, magnitude, d));
      }
      const std::uint32_t ulps = UlpsOf<Format>(x, y);
      if constexpr (kPairs == 1) {
        max_ulps = max(max_ulps, ulps);
        different += x != y;
        CountUlp(column, ulps);
      } else {
        max_ulps = __vmaxu2(max_ulps, ulps);
        different += __vminu2(x ^ y, 0x00010001u);
        CountUlp(column, ulps & 0xffffu);
        CountUlp(column, ulps >> 16);
      }
    });
    if constexpr (kPairs == 2) {
      max_ulps = max(max_ulps & 0xffffu, max_ulps >> 16);
      different = (different & 0xffffu) + (different >> 16);
    }
    lane.different += different;
    lane.OfferUlp(max_ulps, index);
    if (!__any_sync(kAllLanes, above > 0)) return;
    Forget(chunk);
    BreakRecords(chunk, lane);
  }

  __device__ static void BreakRecords(Chunk<Format>& chunk, Lane& lane) {
    float max_abs = lane.max_abs, max_rel = lane.max_rel;
    ForEachWord(chunk, [&](std::uint32_t x, std::uint32_t y) {
      float a[kPairs], b[kPairs];
      Unpack<Format>(x, a);
      Unpack<Format>(y, b);
#pragma unroll
      for (std::uint32_t i = 0; i < kPairs; ++i) {
        const float d = fabsf(a[i] - b[i]);
        const float magnitude = fmaxf(fabsf(a[i]), kRelativeFloor);
        max_abs = fmaxf(max_abs, d);
        if (__fmaf_ru(-max_rel, magnitude, d) > 0) {
          max_rel = fmaxf(max_rel, __fdiv_ru(d, magnitude));
        }
      }
    });
    // No maximum is negative, so their bits are ordered as they are.
    lane.max_abs = __uint_as_float(MaxOfLanes(__float_as_uint(max_abs)));
    lane.max_rel = __uint_as_float(MaxOfLanes(__float_as_uint(max_rel)));
  }
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_FAST_CHUNK_CUH_
