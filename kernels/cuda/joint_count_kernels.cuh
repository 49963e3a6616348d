// Counts pairs of 8-bit numbers, a packed word's four at a time.
#ifndef GTEST_PARITY_KERNELS_CUDA_JOINT_COUNT_KERNELS_CUH_
#define GTEST_PARITY_KERNELS_CUDA_JOINT_COUNT_KERNELS_CUH_

#include <cstdint>

#include "kernels/cuda/joint_totals.cuh"
#include "kernels/cuda/unaligned.cuh"
#include "kernels/cuda/vector_elements.cuh"
#include "kernels/cuda/warp.cuh"
#include "kernels/pairs.h"

namespace parity::joint {

// The packed pairs' counters, without carry between them, and their largest distance so far, in
// halves. Distances mean nothing where there is a NaN.
template <typename Format>
class WordCounter {
 public:
  __device__ WordCounter(std::uint32_t* counters, std::uint32_t pass)
      : base_(static_cast<std::uint32_t>(__cvta_generic_to_shared(counters))), pass_(pass) {}

  __device__ void Add(std::uint32_t x, std::uint32_t y) {
    const std::uint32_t sign = x & 0x80808080u;
    const std::uint32_t a = x ^ sign, b = kFoldsSign<Format> ? y ^ sign : y;
    const std::uint32_t upper = pass_ == 0 ? sign : ~sign;  // what the other pass counts
    // Byte i of b, byte i of a, and twice the sign of a, which is 0.
    CountPair<0xcc40, 0x80u>(a, b, upper);
    CountPair<0xdd51, 0x8000u>(a, b, upper);
    CountPair<0xee62, 0x800000u>(a, b, upper);
    CountPair<0xff73, 0x80000000u>(a, b, upper);
    if constexpr (kFoldsSign<Format>) {
      AddDistances(a, b);
    } else if (pass_ == 0) {
      constexpr bool kSigned = typename Format::Value(-1) < 0;
      const std::uint32_t flip = kSigned ? 0x80808080u : 0;
      Offer(__vabsdiffu4(x ^ flip, y ^ flip));
    }
  }
  __device__ std::uint32_t Largest() const { return max(largest_ & 0xffffu, largest_ >> 16); }

 private:
  template <std::uint32_t kSelector, std::uint32_t kUpper>
  __device__ void CountPair(std::uint32_t a, std::uint32_t b, std::uint32_t upper) const {
    if (!kFoldsSign<Format> && (upper & kUpper) != 0) return;
    std::uint32_t pair;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(pair) : "r"(b), "r"(a), "n"(kSelector));
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(base_ + 4 * pair) : "memory");
  }

  // Keys in order, 1 too far apart where b is negative: there -0 comes before +0.
  __device__ void AddDistances(std::uint32_t a, std::uint32_t b) {
    std::uint32_t negative;
    asm("prmt.b32 %0, %1, 0, 0xba98;" : "=r"(negative) : "r"(b));
    const std::uint32_t key_a = a | 0x80808080u, key_b = b ^ (negative | 0x80808080u);
    Offer(__vabsdiffu4(key_a, key_b) - (negative & 0x01010101u));
  }
  __device__ void Offer(std::uint32_t distances) {
    largest_ = __vmaxu2(largest_, distances & 0x00ff00ffu);
    largest_ = __vmaxu2(largest_, (distances >> 8) & 0x00ff00ffu);
  }

  std::uint32_t base_, pass_;
  std::uint32_t largest_ = 0;
};

template <typename Format>
__global__ void __launch_bounds__(kThreads, 1)
    CountKernel(const __grid_constant__ JointBatch batch, std::uint32_t pass) {
  extern __shared__ std::uint32_t counters[];
  for (std::uint32_t i = threadIdx.x; i < kPairs; i += kThreads) counters[i] = 0;
  __syncthreads();
  const VectorReader a(batch.a, 8 * batch.count), b(batch.b, 8 * batch.count);
  const std::uint64_t whole = batch.count / 16, tiles = (whole + kTileVectors - 1) / kTileVectors;
  const std::uint64_t readable = a.readable < b.readable ? a.readable : b.readable;
  const bool aligned = batch.a.Aligned() && batch.b.Aligned();
  unsigned long long first = 0, worst = 0;
#pragma unroll 1
  for (std::uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const std::uint64_t vector = tile * kTileVectors + threadIdx.x;
    uint4 x[kLoads], y[kLoads];
    bool there[kLoads];
#pragma unroll
    for (std::uint32_t k = 0; k < kLoads; ++k) there[k] = vector + k * kThreads < whole;
    if (aligned && (tile + 1) * kTileVectors <= readable) {
      const uint4* from_a = reinterpret_cast<const uint4*>(batch.a.words) + vector;
      const uint4* from_b = reinterpret_cast<const uint4*>(batch.b.words) + vector;
#pragma unroll
      for (std::uint32_t k = 0; k < kLoads; ++k) {
        x[k] = LoadStreaming(from_a + k * kThreads);
        y[k] = LoadStreaming(from_b + k * kThreads);
      }
    } else {
#pragma unroll
      for (std::uint32_t k = 0; k < kLoads; ++k) {
        x[k] = a.Load(vector + k * kThreads);
        y[k] = b.Load(vector + k * kThreads);
      }
    }
    WordCounter<Format> counter(counters, pass);
    std::uint32_t differ = 0;
#pragma unroll
    for (std::uint32_t k = 0; k < kLoads; ++k) {
      if (!there[k]) continue;
      differ |= AnyDifference(x[k], y[k]);
      counter.Add(x[k].x, y[k].x);
      counter.Add(x[k].y, y[k].y);
      counter.Add(x[k].z, y[k].z);
      counter.Add(x[k].w, y[k].w);
    }
    if (differ == 0) continue;
    if (first == 0) first = ~static_cast<unsigned long long>(tile);
    if (counter.Largest() > worst >> 32) {
      worst = std::uint64_t{counter.Largest()} << 32 | ~static_cast<std::uint32_t>(tile);
    }
  }
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < kPairs; i += kThreads) {
    if (counters[i] != 0) {
      atomicAdd(&batch.totals->counts[pass * kPairs + i],
                static_cast<unsigned long long>(counters[i]));
    }
  }
  first = MaxOfLanes(first);
  worst = MaxOfLanes(worst);
  if (LaneId() == 0 && first != 0) atomicMax(&batch.totals->first_tile, first);
  if (LaneId() == 0 && worst != 0) atomicMax(&batch.totals->worst_tile, worst);
}

inline __device__ std::uint32_t ByteAt(const BitStream& stream, std::uint64_t index) {
  return stream.Bytes()[index];
}

// What is left beside whole vectors: up to 15 elements, in tile `tiles`.
template <typename Format>
__global__ void RestKernel(const __grid_constant__ JointBatch batch) {
  const std::uint64_t index = batch.count / 16 * 16 + threadIdx.x;
  if (index >= batch.count) return;
  const std::uint32_t x = ByteAt(batch.a, index), y = ByteAt(batch.b, index);
  atomicAdd(&batch.totals->counts[PairOf<Format>(x, y)], 1ull);
  if (x == y) return;
  const std::uint64_t tile = index / kTileElements8;
  using Bits = typename Format::Bits;
  const std::uint64_t distance = UlpDistance<Format>(static_cast<Bits>(x), static_cast<Bits>(y));
  atomicMax(&batch.totals->first_tile, ~static_cast<unsigned long long>(tile));
  if (distance != 0) {
    atomicMax(&batch.totals->worst_tile, distance << 32 | ~static_cast<std::uint32_t>(tile));
  }
}

}  // namespace parity::joint

#endif  // GTEST_PARITY_KERNELS_CUDA_JOINT_COUNT_KERNELS_CUH_
