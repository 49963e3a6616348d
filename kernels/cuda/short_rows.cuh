// ShortRowLaunch for one format.
#ifndef GTEST_PARITY_KERNELS_CUDA_SHORT_ROWS_CUH_
#define GTEST_PARITY_KERNELS_CUDA_SHORT_ROWS_CUH_

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernels/cuda/short_row.cuh"
#include "kernels/cuda/short_rows.h"
#include "kernels/cuda/work_table.h"

namespace parity {

inline constexpr std::uint32_t kShortRowWarps = 4;   // of a block
inline constexpr std::uint32_t kShortRowBlocks = 3;  // of a multiprocessor: no spills

struct ShortRowBatch {
  const RowWork* works = nullptr;
  const std::uint32_t* work_of_unit = nullptr;
  std::uint32_t units = 0;
  std::uint32_t unit_rows = 1;  // at most a lane's one
  RowStats* results = nullptr;
};

template <typename Format>
__global__ void __launch_bounds__(kShortRowWarps* kWarp, kShortRowBlocks)
    ShortRowsKernel(const __grid_constant__ ShortRowBatch batch) {
  const std::uint32_t unit = (blockIdx.x * blockDim.x + threadIdx.x) / kWarp;
  if (unit >= batch.units) return;
  const RowWork& work = batch.works[batch.work_of_unit[unit]];
  const std::uint64_t first = std::uint64_t{unit - work.first_unit} * batch.unit_rows;
  const std::uint64_t left = work.rows - first;
  const auto rows = static_cast<std::uint32_t>(left < batch.unit_rows ? left : batch.unit_rows);
  ShortRowResult mine;
#pragma unroll 1
  for (std::uint32_t i = 0; i < rows; ++i) {
    ShortRowResult result;
    ShortRow<Format>(work, first + i).Compare(result);
    if (LaneId() == i) mine = result;
  }
  mine.Finish();
  if (LaneId() < rows) batch.results[work.first_row + first + LaneId()] = mine.stats;
}

template <typename Format>
class ShortRowLaunchOf : public RowLaunch {
 public:
  ShortRowLaunchOf(std::vector<RowWork> works, RowStats* results, Scratch& scratch)
      : stream_(scratch.stream()) {
    batch_.unit_rows = UnitRows(works);
    std::uint64_t units = 0;
    std::vector<std::uint32_t> first_units;
    for (RowWork& work : works) {
      work.first_unit = static_cast<std::uint32_t>(units);
      first_units.push_back(work.first_unit);
      units += (work.rows + batch_.unit_rows - 1) / batch_.unit_rows;
    }
    batch_.work_of_unit = MakeWorkTable(first_units, units, scratch);
    batch_.works = scratch.Upload(works);
    batch_.units = static_cast<std::uint32_t>(units);
    batch_.results = results;
  }

  void Launch() override {
    const std::uint32_t blocks = (batch_.units + kShortRowWarps - 1) / kShortRowWarps;
    ShortRowsKernel<Format><<<blocks, kShortRowWarps * kWarp, 0, stream_>>>(batch_);
    CheckLaunch("ShortRowsKernel");
  }

 private:
  // At most as many as there are lanes to finish them, and so that warps end together.
  static std::uint32_t UnitRows(const std::vector<RowWork>& works) {
    int device = 0, processors = 0;
    CheckCuda(cudaGetDevice(&device), "cudaGetDevice");
    CheckCuda(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
              "cudaDeviceGetAttribute");
    std::uint64_t rows = 0;
    for (const RowWork& work : works) rows += work.rows;
    const std::uint64_t warps =
        std::uint64_t{kShortRowBlocks} * kShortRowWarps * static_cast<std::uint64_t>(processors);
    const std::uint64_t rounds = (rows + warps * kWarp - 1) / (warps * kWarp);
    return static_cast<std::uint32_t>((rows + warps * rounds - 1) / (warps * rounds));
  }

  cudaStream_t stream_;
  ShortRowBatch batch_;
};

#define PARITY_SHORT_ROW_LAUNCH(Format)                                                          \
  template <>                                                                                    \
  std::unique_ptr<RowLaunch> MakeShortRowLaunch<Format>(std::vector<RowWork> works,              \
                                                        RowStats * results, Scratch & scratch) { \
    return std::make_unique<ShortRowLaunchOf<Format>>(std::move(works), results, scratch);       \
  }

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_SHORT_ROWS_CUH_
