// From a lane's run of 16-bit floats to its sums (kernels/sums.h).
#ifndef GTEST_PARITY_KERNELS_CUDA_HALF_RUN_CUH_
#define GTEST_PARITY_KERNELS_CUDA_HALF_RUN_CUH_

#include <cstdint>

#include "kernels/cuda/chunk_words.cuh"
#include "kernels/cuda/element_chunk.cuh"
#include "kernels/cuda/half_words.cuh"
#include "kernels/cuda/run_sums.cuh"

namespace parity {

template <typename Format>
struct HalfRun {
  // Of numbers. Without `split` aa is all there is.
  __device__ static void Add(Chunk<Format>& chunk, const RunSums& run, bool split,
                             LaneSums<Format>& sums) {
    const bool holds = run.Holds();
    if (!__all_sync(kAllLanes, holds)) {
      if (!holds) {
        if (AnyBits(chunk)) AddWide(chunk, split, sums);
        return;
      }
    }
    run.AddTo(sums, split);
  }

 private:
  // Whether an element is not 0.
  __device__ static bool AnyBits(Chunk<Format>& chunk) {
    std::uint32_t any = 0;
    ForEachWord(chunk, [&](std::uint32_t x, std::uint32_t y) { any |= (x | y) & 0x7fff7fffu; });
    return any != 0;
  }

  __device__ static void AddWide(Chunk<Format>& chunk, bool split, LaneSums<Format>& sums) {
    ForEachWord(chunk, [&](std::uint32_t x, std::uint32_t y) {
      float a[2], b[2];
      UnpackHalves<Format>(x, a);
      UnpackHalves<Format>(y, b);
#pragma unroll
      for (std::uint32_t i = 0; i < 2; ++i) {
        sums.aa.Add(a[i], a[i]);
        if (!split) continue;
        const float d = a[i] - b[i];
        sums.bb.Add(b[i], b[i]);
        sums.ab.Add(a[i], b[i]);
        sums.dd.Add(d, d);
      }
    });
  }
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_HALF_RUN_CUH_
