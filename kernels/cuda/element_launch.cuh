// ElementLaunch for one format.
#ifndef GTEST_PARITY_KERNELS_CUDA_ELEMENT_LAUNCH_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ELEMENT_LAUNCH_CUH_

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/cuda/element_launch.h"
#include "kernels/cuda/elements_finish.cuh"
#include "kernels/cuda/elements_kernel.cuh"
#include "kernels/cuda/work_table.h"

namespace parity {

// Pieces of about 32 KiB a side, smaller where there are too few for all warps: their number, times
// what starting one takes, is small beside the bytes, and the last ones end at about the same time.
inline std::uint32_t PieceTiles(std::uint64_t total_tiles, std::uint64_t tile_bytes,
                                std::uint64_t warps) {
  std::uint32_t tiles = 1;
  while (tiles < kMaxPieceTiles && 2 * tiles * tile_bytes <= 32768 &&
         total_tiles / (2 * tiles) >= 4 * warps) {
    tiles *= 2;
  }
  return tiles;
}

template <typename Format>
class ElementLaunchOf : public ElementLaunch {
 public:
  ElementLaunchOf(std::vector<ElementWork> works, ElementStats* results, Scratch& scratch)
      : stream_(scratch.stream()), works_(works.size()) {
    int device = 0, processors = 0, blocks = 0;
    CheckCuda(cudaGetDevice(&device), "cudaGetDevice");
    CheckCuda(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
              "cudaDeviceGetAttribute");
    CheckCuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, CompareElementsKernel<Format>,
                                                            kElementWarps * kWarp, 0),
              "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    resident_ = static_cast<std::uint32_t>(blocks * processors);
    Cut(works);
    std::vector<std::uint32_t> first_pieces, first_groups;
    for (const ElementWork& work : works) {
      first_pieces.push_back(work.first_piece);
      first_groups.push_back(work.first_group);
    }
    batch_.works = finish_.works = scratch.Upload(works);
    batch_.work_of_piece = MakeWorkTable(first_pieces, batch_.pieces, scratch);
    finish_.work_of_group = MakeWorkTable(first_groups, finish_.groups, scratch);
    batch_.nodes = scratch.Allocate<ElementNode<Format>>(batch_.pieces);
    finish_.pieces = batch_.nodes;
    finish_.group_nodes = scratch.Allocate<ElementNode<Format>>(finish_.groups);
    zeroed_bytes_ = kNextBytes + works_ * sizeof(ElementTotals);
    zeroed_ = scratch.Allocate<std::uint8_t>(zeroed_bytes_);
    batch_.next_piece = reinterpret_cast<std::uint32_t*>(zeroed_);
    batch_.totals = finish_.totals = reinterpret_cast<ElementTotals*>(zeroed_ + kNextBytes);
    batch_.results = finish_.results = results;
  }

  void Launch() override {
    const std::uint64_t used = finish_.groups == 0 ? kNextBytes : zeroed_bytes_;
    CheckCuda(cudaMemsetAsync(zeroed_, 0, used, stream_), "cudaMemsetAsync");
    const std::uint32_t wanted = (batch_.pieces + kElementWarps - 1) / kElementWarps;
    CompareElementsKernel<Format>
        <<<std::min(resident_, wanted), kElementWarps * kWarp, 0, stream_>>>(batch_);
    CheckLaunch("CompareElementsKernel");
    if (finish_.groups == 0) return;
    constexpr std::uint32_t kThreads = kFinishWarps * kWarp;
    if (most_pieces_ <= kWarp) {
      const std::uint32_t blocks = (finish_.groups + kFinishWarps - 1) / kFinishWarps;
      FinishElementsKernel<Format, 1><<<blocks, kThreads, 0, stream_>>>(finish_);
    } else {
      FinishElementsKernel<Format, kFinishWarps><<<finish_.groups, kThreads, 0, stream_>>>(finish_);
    }
    CheckLaunch("FinishElementsKernel");
  }

 private:
  static constexpr std::uint64_t kNextBytes = 16;

  void Cut(std::vector<ElementWork>& works) {
    std::uint64_t tiles = 0;
    for (const ElementWork& work : works) tiles += TilesOf(work);
    const std::uint32_t piece_tiles =
        PieceTiles(tiles, kTileElements * Format::kBits / 8, resident_ * kElementWarps);
    for (ElementWork& work : works) {
      work.piece_tiles = piece_tiles;
      // At most kGroupPieces groups fold at the end.
      while (work.piece_tiles < kMaxPieceTiles &&
             PiecesOf(work) > std::uint64_t{kGroupPieces} * kGroupPieces) {
        work.piece_tiles *= 2;
      }
      work.first_piece = batch_.pieces;
      work.pieces = static_cast<std::uint32_t>(PiecesOf(work));
      work.first_group = finish_.groups;
      // What has one piece needs none.
      work.groups = work.pieces == 1 ? 0 : (work.pieces + kGroupPieces - 1) / kGroupPieces;
      most_pieces_ = std::max(most_pieces_, work.pieces);
      batch_.pieces += work.pieces;
      finish_.groups += work.groups;
    }
  }
  static std::uint64_t TilesOf(const ElementWork& work) {
    return (work.count + kTileElements - 1) / kTileElements;
  }
  static std::uint64_t PiecesOf(const ElementWork& work) {
    return (TilesOf(work) + work.piece_tiles - 1) / work.piece_tiles;
  }

  cudaStream_t stream_;
  std::uint64_t works_;
  std::uint32_t resident_ = 0, most_pieces_ = 0;
  ElementBatch<Format> batch_ = {};
  FinishBatch<Format> finish_ = {};
  std::uint8_t* zeroed_ = nullptr;
  std::uint64_t zeroed_bytes_ = 0;
};

// Sources of a few formats each compile side by side.
#define PARITY_ELEMENT_LAUNCH(Format)                                                     \
  template <>                                                                             \
  std::unique_ptr<ElementLaunch> MakeElementLaunch<Format>(                               \
      std::vector<ElementWork> works, ElementStats * results, Scratch & scratch) {        \
    return std::make_unique<ElementLaunchOf<Format>>(std::move(works), results, scratch); \
  }

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ELEMENT_LAUNCH_CUH_
