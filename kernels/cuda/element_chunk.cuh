// How a warp compares one chunk that it holds in registers: any format, a pair at a time. Formats
// that can do it faster specialise ChunkComparer (float_chunk.cuh, half_chunk.cuh, byte_chunk.cuh,
// nibble_chunk.cuh).
#ifndef GTEST_PARITY_KERNELS_CUDA_ELEMENT_CHUNK_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ELEMENT_CHUNK_CUH_

#include <algorithm>
#include <cstdint>

#include "kernels/cuda/element_lane.cuh"
#include "kernels/cuda/element_work.h"
#include "kernels/cuda/vector_elements.cuh"

namespace parity {

// A lane's vectors of both sides, and how many elements of each there are; what lies beyond is 0.
template <typename Format>
struct Chunk {
  static constexpr std::uint32_t kLoads = kChunkLoads<Format>;
  uint4 a[kLoads], b[kLoads];
  std::uint32_t valid[kLoads];
};

// Position of the highest bit that is set, ~0 where none is.
__device__ inline std::uint32_t HighestBit(std::uint32_t value) {
  std::uint32_t position;
  asm("bfind.u32 %0, %1;" : "=r"(position) : "r"(value));
  return position;
}

// Counts `times` in the histogram's column whose bin 0 lies at `column`, an address in shared
// memory. What is counted in bin 0 means nothing.
__device__ inline void CountUlp(std::uint32_t column, std::uint32_t ulp, std::int32_t times) {
  const std::uint32_t address = column + (HighestBit(ulp) + 1) * (kWarp * 4);
  asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(address), "r"(times) : "memory");
}

// Of any elements.
template <typename Format>
__device__ inline void AddPairByPair(const Chunk<Format>& chunk, std::uint32_t index,
                                     ElementLane<Format>& lane, WarpCounts<Format>& counts) {
#pragma unroll
  for (std::uint32_t k = 0; k < Chunk<Format>::kLoads; ++k) {
#pragma unroll
    for (std::uint32_t i = 0; i < kVectorElements<Format>; ++i) {
      if (i >= chunk.valid[k]) continue;
      lane.AddPair(ElementOf<Format>(chunk.a[k], i), ElementOf<Format>(chunk.b[k], i), index,
                   counts);
    }
  }
}

template <typename Format>
struct ChunkComparer {
  // `split`: bb and ab have left aa in this tile, which they always have here.
  __device__ static void Add(const Chunk<Format>& chunk, bool, std::uint32_t index,
                             ElementLane<Format>& lane, WarpCounts<Format>& counts, bool& split) {
    split = true;
    AddPairByPair(chunk, index, lane, counts);
  }
};

// Opaque bytes: how many differ.
template <>
struct ChunkComparer<Opaque> {
  __device__ static std::uint32_t BytesSet(std::uint32_t word) {
    const std::uint32_t low = 0x7f7f7f7f;
    return __popc((((word & low) + low) | word) & ~low);
  }
  __device__ static std::uint32_t DifferentBytes(const uint4& a, const uint4& b) {
    return BytesSet(a.x ^ b.x) + BytesSet(a.y ^ b.y) + BytesSet(a.z ^ b.z) + BytesSet(a.w ^ b.w);
  }
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ELEMENT_CHUNK_CUH_
