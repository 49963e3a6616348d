// What a warp has of its task in shared memory, and chunks of that task.
#ifndef GTEST_PARITY_KERNELS_CUDA_PIECE_LOADER_CUH_
#define GTEST_PARITY_KERNELS_CUDA_PIECE_LOADER_CUH_

#include <cstdint>

#include "kernels/cuda/element_chunk.cuh"
#include "kernels/cuda/element_lane.cuh"
#include "kernels/cuda/element_work.h"
#include "kernels/cuda/piece_sums.cuh"
#include "kernels/cuda/unaligned.cuh"

namespace parity {

inline constexpr std::uint32_t kElementWarps = 4;  // of a block

// What a warp has in shared memory: registers decide how many warps there are.
template <typename Format>
struct PieceShared {
  WarpCounts<Format> counts;
  typename PieceSums<Format>::Shared tiles;
  ElementTotals alone;    // of a task of one piece
  ElementTotals* totals;  // of any other, all warps'
  // Of the task.
  const std::uint32_t* a;
  const std::uint32_t* b;
  std::uint32_t shift_a, shift_b;
  std::uint64_t count, readable;
  // Records that others have published.
  double known_abs;
  float known_rel;
};

template <typename Format>
__device__ inline PieceShared<Format>& Mine() {
  __shared__ PieceShared<Format> all[kElementWarps];
  return all[threadIdx.x / kWarp];
}

template <typename Format>
class PieceLoader {
 public:
  // A chunk of whole vectors of aligned arrays, from vector `vector` of the lane on.
  __device__ static void LoadFast(std::uint64_t vector, Chunk<Format>& chunk) {
    const uint4* a = reinterpret_cast<const uint4*>(Mine<Format>().a) + vector;
    const uint4* b = reinterpret_cast<const uint4*>(Mine<Format>().b) + vector;
#pragma unroll
    for (std::uint32_t k = 0; k < Chunk<Format>::kLoads; ++k) {
      chunk.a[k] = LoadStreaming(a + kWarp * k);
      chunk.b[k] = LoadStreaming(b + kWarp * k);
      chunk.valid[k] = kVectorElements<Format>;
    }
  }

  // Any chunk.
  __device__ static void Load(std::uint64_t vector, Chunk<Format>& chunk) {
#pragma unroll
    for (std::uint32_t k = 0; k < Chunk<Format>::kLoads; ++k) {
      if (vector + kWarp * k < Mine<Format>().readable) {
        chunk.a[k] = LoadShifted(A(), vector + kWarp * k);
        chunk.b[k] = LoadShifted(B(), vector + kWarp * k);
        chunk.valid[k] = kVectorElements<Format>;
      } else {
        LoadRest(vector + kWarp * k, chunk, k);
      }
    }
  }

 private:
  __device__ static BitStream A() { return {Mine<Format>().a, Mine<Format>().shift_a}; }
  __device__ static BitStream B() { return {Mine<Format>().b, Mine<Format>().shift_b}; }

  // Vector `index`, which is not a whole one that may be read as such.
  __device__ static void LoadRest(std::uint64_t index, Chunk<Format>& chunk, std::uint32_t k) {
    const std::uint64_t first = index * kVectorElements<Format>;
    const std::uint64_t count = Mine<Format>().count;
    const std::uint64_t left = first < count ? count - first : 0;
    const auto valid =
        static_cast<std::uint32_t>(left < kVectorElements<Format> ? left : kVectorElements<Format>);
    chunk.valid[k] = valid;
    chunk.a[k] = chunk.b[k] = make_uint4(0, 0, 0, 0);
    if (valid == 0) return;
    chunk.a[k] = LoadPart(A(), index, valid * Format::kBits);
    chunk.b[k] = LoadPart(B(), index, valid * Format::kBits);
  }
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_PIECE_LOADER_CUH_
