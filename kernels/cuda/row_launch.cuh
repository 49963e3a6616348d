// RowLaunch for one format.
#ifndef GTEST_PARITY_KERNELS_CUDA_ROW_LAUNCH_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ROW_LAUNCH_CUH_

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernels/cuda/row_launch.h"
#include "kernels/cuda/rows_finish.cuh"
#include "kernels/cuda/work_table.h"

namespace parity {

template <typename Format>
class RowLaunchOf : public RowLaunch {
 public:
  RowLaunchOf(std::vector<RowWork> works, RowStats* results, Scratch& scratch)
      : stream_(scratch.stream()) {
    Cut(works);
    std::vector<std::uint32_t> first_units, first_rows;
    const std::uint32_t first_row = works[0].first_row;
    for (RowWork& work : works) {
      work.first_row -= first_row;
      first_units.push_back(work.first_unit);
      first_rows.push_back(work.first_row);
    }
    batch_.works = finish_.works = scratch.Upload(works);
    batch_.work_of_unit = MakeWorkTable(first_units, batch_.units, scratch);
    finish_.work_of_row = MakeWorkTable(first_rows, finish_.rows, scratch);
    batch_.segments = scratch.Allocate<RowSegment<Format>>(batch_.units);
    finish_.segments = batch_.segments;
    finish_.results = results + first_row;
    finish_.sought = scratch.Allocate<typename PlaceCode<Format>::Code>(finish_.rows);
  }

  void Launch() override {
    constexpr std::uint32_t kThreads = kRowWarps * kWarp;
    const std::uint32_t unit_blocks = (batch_.units + kRowWarps - 1) / kRowWarps;
    CompareRowsKernel<Format><<<unit_blocks, kThreads, 0, stream_>>>(batch_);
    CheckLaunch("CompareRowsKernel");
    FinishRowsKernel<Format><<<(finish_.rows + 3) / 4, 128, 0, stream_>>>(finish_);
    CheckLaunch("FinishRowsKernel");
    RankKernel<Format><<<unit_blocks, kThreads, 0, stream_>>>(batch_, finish_);
    CheckLaunch("RankKernel");
  }

 private:
  // A long row is cut so that there is work for all warps, and so that they end together; not into
  // shorter segments than that, as each begins with empty lists of places.
  static constexpr std::uint32_t kUnitsWanted = 132 * 16 * 4;
  static constexpr std::uint32_t kLeastChunks = 8;
  static constexpr std::uint32_t kMostSegments = 64;

  void Cut(std::vector<RowWork>& works) {
    std::uint64_t columns = 0;
    for (const RowWork& work : works) columns += work.rows * work.columns;
    const std::uint64_t wanted = columns / kUnitsWanted / kRowChunk<Format> + 1;
    std::uint64_t units = 0;
    for (RowWork& work : works) {
      const std::uint64_t all = (work.columns + kRowChunk<Format> - 1) / kRowChunk<Format>;
      const std::uint64_t least = (all + kMostSegments - 1) / kMostSegments;
      const std::uint64_t chunks = std::max({wanted, least, std::uint64_t{kLeastChunks}});
      work.segments = static_cast<std::uint32_t>((all + chunks - 1) / chunks);
      const std::uint64_t even = (all + work.segments - 1) / work.segments;
      work.segment_columns = static_cast<std::uint32_t>(even * kRowChunk<Format>);
      work.segments = (work.columns + work.segment_columns - 1) / work.segment_columns;
      work.first_unit = static_cast<std::uint32_t>(units);
      units += work.rows * work.segments;
      finish_.rows += static_cast<std::uint32_t>(work.rows);
    }
    if (units >= 0xffff0000u) throw std::invalid_argument("a batch of too many rows, over 2^32");
    batch_.units = static_cast<std::uint32_t>(units);
  }

  cudaStream_t stream_;
  RowBatch<Format> batch_;
  RowFinish<Format> finish_;
};

#define PARITY_ROW_LAUNCH(Format)                                                                  \
  template <>                                                                                      \
  std::unique_ptr<RowLaunch> MakeRowLaunch<Format>(std::vector<RowWork> works, RowStats * results, \
                                                   Scratch & scratch) {                            \
    return std::make_unique<RowLaunchOf<Format>>(std::move(works), results, scratch);              \
  }

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ROW_LAUNCH_CUH_
