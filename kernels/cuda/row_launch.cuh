// RowLaunch for one format.
#ifndef GTEST_PARITY_KERNELS_CUDA_ROW_LAUNCH_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ROW_LAUNCH_CUH_

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernels/cuda/row_launch.h"
#include "kernels/cuda/row_rank.cuh"
#include "kernels/cuda/rows_finish.cuh"
#include "kernels/cuda/rows_kernel.cuh"
#include "kernels/cuda/work_table.h"

namespace parity {

template <typename Format>
class RowLaunchOf : public RowLaunch {
 public:
  RowLaunchOf(std::vector<RowWork> works, RowStats* results, Scratch& scratch)
      : stream_(scratch.stream()) {
    SetShape();
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
    CompareRowsKernel<Format>
        <<<std::min(processors_, batch_.units), warps_ * kWarp, shared_bytes_, stream_>>>(batch_);
    CheckLaunch("CompareRowsKernel");
    if (most_segments_ < kManySegments) {
      FinishRowsKernel<Format, 1><<<(finish_.rows + kFinishRowWarps - 1) / kFinishRowWarps,
                                    kFinishRowWarps * kWarp, 0, stream_>>>(finish_);
    } else {
      FinishRowsKernel<Format, kFinishLongRowWarps>
          <<<finish_.rows, kFinishLongRowWarps * kWarp, 0, stream_>>>(finish_);
    }
    CheckLaunch("FinishRowsKernel");
    RankKernel<Format>
        <<<(batch_.units + kRankWarps - 1) / kRankWarps, kRankWarps * kWarp, 0, stream_>>>(batch_,
                                                                                           finish_);
    CheckLaunch("RankKernel");
  }

 private:
  // Chunks that cost as much as to begin and end a segment does.
  static constexpr std::uint64_t kBeginning = 12;
  static constexpr std::uint64_t kMostSegments = 256;
  // From so many on a row's segments are put together by several warps.
  static constexpr std::uint32_t kManySegments = 8;

  // As many warps of a multiprocessor as its shared memory holds rings for.
  void SetShape() {
    int device = 0, processors = 0, shared = 0;
    CheckCuda(cudaGetDevice(&device), "cudaGetDevice");
    CheckCuda(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
              "cudaDeviceGetAttribute");
    CheckCuda(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
              "cudaDeviceGetAttribute");
    processors_ = static_cast<std::uint32_t>(processors);
    warps_ = std::min(
        kRowWarps<Format>,
        static_cast<std::uint32_t>(static_cast<std::size_t>(shared) / sizeof(RowShared<Format>)));
    shared_bytes_ = warps_ * sizeof(RowShared<Format>);
    CheckCuda(
        cudaFuncSetAttribute(CompareRowsKernel<Format>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(shared_bytes_)),
        "cudaFuncSetAttribute");
  }

  static std::uint64_t ChunksOf(const RowWork& work) {
    return (work.columns + kRowChunk<Format> - 1) / kRowChunk<Format>;
  }

  // A segment's chunks. Warps take segments in rounds: what is wanted is that the last round is
  // nearly full, with few segments, as each begins with an empty list of places, and a row's are
  // put together by kFinishLongRowWarps warps at a chunk's cost each.
  std::uint64_t BestSegment(const std::vector<RowWork>& works) const {
    std::uint64_t longest = 1, best = 1, least = ~std::uint64_t{0};
    for (const RowWork& work : works) longest = std::max(longest, ChunksOf(work));
    const std::uint64_t warps = std::uint64_t{processors_} * warps_;
    for (std::uint64_t cuts = 1; cuts <= std::min(kMostSegments, longest); ++cuts) {
      const std::uint64_t chunks = (longest + cuts - 1) / cuts;
      std::uint64_t units = 0;
      for (const RowWork& work : works) {
        units += work.rows * ((ChunksOf(work) + chunks - 1) / chunks);
      }
      if (cuts > 1 && units > 8 * warps) break;
      const std::uint64_t cost =
          (units + warps - 1) / warps * (chunks + kBeginning) + cuts / kFinishLongRowWarps;
      if (cost >= least) continue;
      least = cost;
      best = chunks;
    }
    return best;
  }

  void Cut(std::vector<RowWork>& works) {
    const std::uint64_t chunks = BestSegment(works);
    std::uint64_t units = 0;
    for (RowWork& work : works) {
      const std::uint64_t all = ChunksOf(work);
      work.segments = static_cast<std::uint32_t>((all + chunks - 1) / chunks);
      const std::uint64_t even = (all + work.segments - 1) / work.segments;
      work.segment_columns = static_cast<std::uint32_t>(even * kRowChunk<Format>);
      work.segments = (work.columns + work.segment_columns - 1) / work.segment_columns;
      most_segments_ = std::max(most_segments_, work.segments);
      work.first_unit = static_cast<std::uint32_t>(units);
      units += work.rows * work.segments;
      finish_.rows += static_cast<std::uint32_t>(work.rows);
    }
    if (units >= 0xffff0000u) throw std::invalid_argument("a batch of too many rows, over 2^32");
    batch_.units = static_cast<std::uint32_t>(units);
  }

  cudaStream_t stream_;
  std::uint32_t processors_ = 0, warps_ = 0, most_segments_ = 0;
  std::size_t shared_bytes_ = 0;
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
