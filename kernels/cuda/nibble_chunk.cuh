// Chunks of e2m1, eight pairs to a word: everything but the rare record is worked out on four small
// integers at a time.
#ifndef GTEST_PARITY_KERNELS_CUDA_NIBBLE_CHUNK_CUH_
#define GTEST_PARITY_KERNELS_CUDA_NIBBLE_CHUNK_CUH_

#include <cstdint>

#include "kernels/cuda/byte_words.cuh"
#include "kernels/cuda/chunk_words.cuh"
#include "kernels/cuda/element_chunk.cuh"
#include "kernels/cuda/records.cuh"

namespace parity {

// Of four pairs, each in its byte.
struct NibblePairs {
  std::uint32_t steps_a, a, b;  // places of |a| in the order of magnitudes; 2|a|, 2|b|
  std::uint32_t ulps, d;        // and 2|a - b|

  // Of the lower halves of two words.
  __device__ NibblePairs(std::uint32_t x, std::uint32_t y) {
    const std::uint32_t magnitudes_x = x & 0x7777u, magnitudes_y = y & 0x7777u;
    steps_a = Steps(magnitudes_x);
    const std::uint32_t steps_b = Steps(magnitudes_y);
    a = Doubled(magnitudes_x);
    b = Doubled(magnitudes_y);
    const std::uint32_t across = __byte_perm(0x0000ff00, 0, ((x ^ y) & 0x8888u) >> 3);
    ulps = (__vabsdiffu4(steps_a, steps_b) & ~across) | ((steps_a + steps_b) & across);
    d = (__vabsdiffu4(a, b) & ~across) | ((a + b) & across);
  }
  __device__ static std::uint32_t Steps(std::uint32_t magnitudes) {
    return __byte_perm(0x03020100, 0x07060504, magnitudes);
  }
  // 0, 0.5, 1, 1.5, 2, 3, 4, 6.
  __device__ static std::uint32_t Doubled(std::uint32_t magnitudes) {
    return __byte_perm(0x03020100, 0x0c080604, magnitudes);
  }
};

// Up to which 2|d| breaks no record: of |d| alone, and of the relative difference for each |a|. All
// are below 128, and what may be exceeded by none is 127.
class NibbleRecords {
 public:
  __device__ NibbleRecords(float max_abs, float max_rel) {
    abs_ = static_cast<std::uint32_t>(2 * max_abs) * 0x01010101u | kTops;
#pragma unroll
    for (std::uint32_t step = 0; step < 8; ++step) {
      const float magnitude = fmaxf(E2M1::Decode(static_cast<std::uint8_t>(step)), kRelativeFloor);
      // Rounded down as the quotient is rounded up.
      const auto most = static_cast<std::uint32_t>(fminf(__fmul_rd(max_rel, 2 * magnitude), 127));
      rel_[step / 4] |= most << (step % 4 * 8);
    }
  }
  __device__ void Offer(const NibblePairs& pairs, std::uint32_t steps) {
    const std::uint32_t rel = __byte_perm(rel_[0], rel_[1], steps) | kTops;
    below_ &= (abs_ - pairs.d) & (rel - pairs.d);
  }
  __device__ bool Broken() const { return (below_ & kTops) != kTops; }

 private:
  static constexpr std::uint32_t kTops = 0x80808080u;
  std::uint32_t abs_, rel_[2] = {};
  std::uint32_t below_ = ~0u;
};

template <>
struct ChunkComparer<E2M1> {
  using Format = E2M1;
  using Lane = ElementLane<Format>;

  // Sums are exact, a chunk's own: `split` means nothing.
  __device__ static void Add(Chunk<Format>& chunk, bool differs, std::uint32_t index, Lane& lane,
                             WarpCounts<Format>& counts, bool&) {
    if (differs) {
      AddDifferent(chunk, index, lane, counts);
    } else {
      std::uint32_t aa = 0;
      ForEachWord(chunk, [&](std::uint32_t x, std::uint32_t) {
#pragma unroll
        for (std::uint32_t shift = 0; shift < 32; shift += 16) {
          const std::uint32_t a = NibblePairs::Doubled(x >> shift & 0x7777u);
          aa = __dp4a(a, a, aa);
        }
      });
      lane.sums.aa.value = lane.sums.bb.value = lane.sums.ab.value = 0.25 * aa;
    }
  }

 private:
  // The most ulp are 14: they fill five bins.
  static constexpr std::uint32_t kBins = 5;

  __device__ static void AddDifferent(Chunk<Format>& chunk, std::uint32_t index, Lane& lane,
                                      WarpCounts<Format>& counts) {
    std::uint32_t aa = 0, bb = 0, dd = 0, different = 0, from[kBins] = {};
    LargestByte ulp;
    NibbleRecords records(lane.max_abs, lane.max_rel);
    ForEachWord(chunk, [&](std::uint32_t x, std::uint32_t y) {
#pragma unroll
      for (std::uint32_t shift = 0; shift < 32; shift += 16) {
        const std::uint32_t steps = x >> shift & 0x7777u;
        const NibblePairs pairs(x >> shift, y >> shift);
        aa = __dp4a(pairs.a, pairs.a, aa);
        bb = __dp4a(pairs.b, pairs.b, bb);
        dd = __dp4a(pairs.d, pairs.d, dd);
        records.Offer(pairs, steps);
        ulp.Offer(pairs.ulps);
        // How many reach a bin.
#pragma unroll
        for (std::uint32_t bin = 1; bin < kBins; ++bin) {
          const std::uint32_t up = (0x80u - (1u << (bin - 1))) * 0x01010101u;
          from[bin] += (pairs.ulps + up) >> 7 & 0x01010101u;
        }
      }
      const std::uint32_t bits = x ^ y;
      different += __popc((((bits & 0x77777777u) + 0x77777777u) | bits) & 0x88888888u);
    });
    AddHistogram(from, counts);
    lane.different += different;
    lane.OfferUlp(ulp.Value(), index);
    lane.sums.aa.value = 0.25 * aa;
    lane.sums.bb.value = 0.25 * bb;
    lane.sums.dd.value = 0.25 * dd;
    lane.sums.ab.value = 0.125 * (static_cast<double>(aa + bb) - dd);
    if (__any_sync(kAllLanes, records.Broken())) BreakRecords(chunk, lane);
  }

  __device__ static void AddHistogram(const std::uint32_t* from, WarpCounts<Format>& counts) {
    std::uint32_t above = 0;
#pragma unroll
    for (std::uint32_t bin = kBins; bin-- > 1;) {
      const std::uint32_t here = __dp4a(from[bin], 0x01010101u, 0u);
      atomicAdd(&counts.Bin(bin)[LaneId()], here - above);
      above = here;
    }
  }

  __device__ static void BreakRecords(Chunk<Format>& chunk, Lane& lane) {
    Records records;
    ForEachWordInTurn(chunk, [&](std::uint32_t x, std::uint32_t y) {
#pragma unroll 1
      for (std::uint32_t i = 0; i < 8; ++i, x >>= 4, y >>= 4) {
        records.Offer(E2M1::Decode(static_cast<std::uint8_t>(x & 0xfu)),
                      E2M1::Decode(static_cast<std::uint8_t>(y & 0xfu)));
      }
    });
    records.Break(lane);
  }
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_NIBBLE_CHUNK_CUH_
