// Rows from their segments, a warp or a block each.
#ifndef GTEST_PARITY_KERNELS_CUDA_ROWS_FINISH_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ROWS_FINISH_CUH_

#include <cstdint>

#include "kernels/cuda/row_finisher.cuh"

namespace parity {

template <typename Format>
struct RowFinish {
  const RowWork* works = nullptr;
  const std::uint32_t* work_of_row = nullptr;
  std::uint32_t rows = 0;
  const RowSegment<Format>* segments = nullptr;
  RowStats* results = nullptr;
  typename PlaceCode<Format>::Code* sought = nullptr;  // by row: 0 where its rank is known
};

// Of a block: for rows of few segments, and for a row of many.
inline constexpr std::uint32_t kFinishRowWarps = 8, kFinishLongRowWarps = 16;

// kWarps warps a row: one, or a block.
template <typename Format, std::uint32_t kWarps>
__global__ void __launch_bounds__((kWarps == 1 ? kFinishRowWarps : kWarps) * kWarp)
    FinishRowsKernel(const __grid_constant__ RowFinish<Format> batch) {
  using Code = typename PlaceCode<Format>::Code;
  const std::uint32_t row = (blockIdx.x * blockDim.x + threadIdx.x) / (kWarps * kWarp);
  if (row >= batch.rows) return;
  const RowWork& work = batch.works[batch.work_of_row[row]];
  const std::uint32_t local = row - work.first_row;
  const RowSegment<Format>* segments =
      batch.segments + work.first_unit + std::uint64_t{local} * work.segments;
  RowFinisher<Format> finisher(work, local, segments);
  const std::uint32_t warp = kWarps == 1 ? 0 : threadIdx.x / kWarp;
  Code top_a = 0, top_b = 0;
  finisher.AddTops(warp, kWarps, top_a, top_b);
  if constexpr (kWarps > 1) {
    __shared__ Code tops_a[kWarps][kWarp], tops_b[kWarps][kWarp];
    tops_a[warp][LaneId()] = top_a;
    tops_b[warp][LaneId()] = top_b;
    __syncthreads();
    if (warp != 0) return;
#pragma unroll 1
    for (std::uint32_t i = 1; i < kWarps; ++i) {
      finisher.Merge(top_a, tops_a[i][LaneId()]);
      finisher.Merge(top_b, tops_b[i][LaneId()]);
    }
  }
  const Code sought = finisher.Run(top_a, top_b, batch.results[row]);
  if (LaneId() == 0) batch.sought[row] = sought;
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ROWS_FINISH_CUH_
