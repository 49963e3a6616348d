// A lane's words of a chunk, of both sides.
#ifndef GTEST_PARITY_KERNELS_CUDA_CHUNK_WORDS_CUH_
#define GTEST_PARITY_KERNELS_CUDA_CHUNK_WORDS_CUH_

#include <cstdint>

#include "kernels/cuda/element_chunk.cuh"

namespace parity {

template <typename Format, typename Visit>
__device__ inline void ForEachWord(Chunk<Format>& chunk, Visit visit) {
#pragma unroll
  for (std::uint32_t k = 0; k < Chunk<Format>::kLoads; ++k) {
    visit(chunk.a[k].x, chunk.b[k].x);
    visit(chunk.a[k].y, chunk.b[k].y);
    visit(chunk.a[k].z, chunk.b[k].z);
    visit(chunk.a[k].w, chunk.b[k].w);
  }
}

// Two at a time.
template <typename Format, typename Visit>
__device__ inline void ForEachTwoWords(Chunk<Format>& chunk, Visit visit) {
#pragma unroll
  for (std::uint32_t k = 0; k < Chunk<Format>::kLoads; ++k) {
    visit(chunk.a[k].x, chunk.b[k].x, chunk.a[k].y, chunk.b[k].y);
    visit(chunk.a[k].z, chunk.b[k].z, chunk.a[k].w, chunk.b[k].w);
  }
}

// One half of the loads after the other, which comes to the front for it: little code and few
// registers, for what is rare. Copies of it for each word would not stay in the instruction cache.
template <typename Format, typename Visit>
__device__ inline void ForEachWordInTurn(Chunk<Format>& chunk, Visit visit) {
  constexpr std::uint32_t kLoads = Chunk<Format>::kLoads, kAtOnce = kLoads / 2;
  static_assert(kLoads % 2 == 0);
#pragma unroll 1
  for (std::uint32_t turn = 0; turn < 2; ++turn) {
#pragma unroll
    for (std::uint32_t k = 0; k < kAtOnce; ++k) {
      visit(chunk.a[k].x, chunk.b[k].x);
      visit(chunk.a[k].y, chunk.b[k].y);
      visit(chunk.a[k].z, chunk.b[k].z);
      visit(chunk.a[k].w, chunk.b[k].w);
    }
#pragma unroll
    for (std::uint32_t k = 0; k < kAtOnce; ++k) {
      const uint4 a = chunk.a[k], b = chunk.b[k];
      chunk.a[k] = chunk.a[k + kAtOnce];
      chunk.b[k] = chunk.b[k + kAtOnce];
      chunk.a[k + kAtOnce] = a;
      chunk.b[k + kAtOnce] = b;
    }
  }
}

// Unpacking again is cheaper than keeping what was unpacked, in spilled registers.
template <typename Format>
__device__ inline void Forget(Chunk<Format>& chunk) {
  ForEachWord(chunk, [](std::uint32_t& x, std::uint32_t& y) {
    asm volatile("" : "+r"(x), "+r"(y));
  });
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_CHUNK_WORDS_CUH_
