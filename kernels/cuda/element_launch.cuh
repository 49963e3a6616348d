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

inline std::uint64_t TilesOf(const ElementWork& work) {
  return (work.count + kTileElements - 1) / kTileElements;
}

// Blocks of a kernel over elements that a device runs at a time.
template <typename Kernel>
std::uint32_t ResidentBlocks(Kernel kernel) {
  int device = 0, processors = 0, blocks = 0;
  CheckCuda(cudaGetDevice(&device), "cudaGetDevice");
  CheckCuda(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
            "cudaDeviceGetAttribute");
  CheckCuda(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kElementWarps * kWarp, 0),
      "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  return static_cast<std::uint32_t>(blocks * processors);
}

template <typename Kernel>
std::uint32_t BlocksFor(Kernel kernel, std::uint32_t pieces) {
  return std::min(ResidentBlocks(kernel), (pieces + kElementWarps - 1) / kElementWarps);
}

// Tasks of one piece each: one kernel is all it takes.
template <typename Format>
class SmallElements {
 public:
  SmallElements(const std::vector<ElementWork>& works, ElementStats* results, Scratch& scratch)
      : stream_(scratch.stream()) {
    if (works.empty()) return;
    batch_.pieces = static_cast<std::uint32_t>(works.size());
    blocks_ = BlocksFor(CompareSmallKernel<Format>, batch_.pieces);
    batch_.works = scratch.Upload(works);
    batch_.results = results;
  }

  void Launch() const {
    if (batch_.pieces == 0) return;
    CompareSmallKernel<Format><<<blocks_, kElementWarps * kWarp, 0, stream_>>>(batch_);
    CheckLaunch("CompareSmallKernel");
  }

 private:
  cudaStream_t stream_;
  std::uint32_t blocks_ = 0;
  SmallBatch<Format> batch_ = {};
};

template <typename Format>
class LargeElements {
 public:
  LargeElements(std::vector<ElementWork> works, ElementStats* results, Scratch& scratch)
      : stream_(scratch.stream()) {
    if (works.empty()) return;
    std::vector<std::uint32_t> first_pieces, first_groups;
    for (ElementWork& work : works) {
      Cut(work);
      first_pieces.push_back(work.first_piece);
      first_groups.push_back(work.first_group);
    }
    blocks_ = BlocksFor(CompareElementsKernel<Format>, batch_.pieces);
    batch_.works = finish_.works = scratch.Upload(works);
    batch_.work_of_piece = MakeWorkTable(first_pieces, batch_.pieces, scratch);
    finish_.work_of_group = MakeWorkTable(first_groups, finish_.groups, scratch);
    batch_.nodes = scratch.Allocate<ElementNode<Format>>(batch_.pieces);
    finish_.pieces = batch_.nodes;
    finish_.group_nodes = scratch.Allocate<ElementNode<Format>>(finish_.groups);
    zeroed_bytes_ = kNextBytes + works.size() * sizeof(ElementTotals);
    zeroed_ = scratch.Allocate<std::uint8_t>(zeroed_bytes_);
    batch_.next_piece = reinterpret_cast<std::uint32_t*>(zeroed_);
    batch_.totals = finish_.totals = reinterpret_cast<ElementTotals*>(zeroed_ + kNextBytes);
    finish_.results = results;
  }

  void Launch() const {
    if (batch_.pieces == 0) return;
    CheckCuda(cudaMemsetAsync(zeroed_, 0, zeroed_bytes_, stream_), "cudaMemsetAsync");
    CompareElementsKernel<Format><<<blocks_, kElementWarps * kWarp, 0, stream_>>>(batch_);
    CheckLaunch("CompareElementsKernel");
    constexpr std::uint32_t kThreads = kFinishWarps * kWarp;
    if (most_pieces_ <= kWarp) {
      const std::uint32_t few = (finish_.groups + kFinishWarps - 1) / kFinishWarps;
      FinishElementsKernel<Format, 1><<<few, kThreads, 0, stream_>>>(finish_);
    } else {
      FinishElementsKernel<Format, kFinishWarps><<<finish_.groups, kThreads, 0, stream_>>>(finish_);
    }
    CheckLaunch("FinishElementsKernel");
  }

 private:
  static constexpr std::uint64_t kNextBytes = 16;

  void Cut(ElementWork& work) {
    // At most kGroupPieces groups fold at the end.
    while (work.piece_tiles < kMaxPieceTiles &&
           PiecesOf(work) > std::uint64_t{kGroupPieces} * kGroupPieces) {
      work.piece_tiles *= 2;
    }
    work.first_piece = batch_.pieces;
    work.pieces = static_cast<std::uint32_t>(PiecesOf(work));
    work.first_group = finish_.groups;
    work.groups = (work.pieces + kGroupPieces - 1) / kGroupPieces;
    most_pieces_ = std::max(most_pieces_, work.pieces);
    batch_.pieces += work.pieces;
    finish_.groups += work.groups;
  }
  static std::uint64_t PiecesOf(const ElementWork& work) {
    return (TilesOf(work) + work.piece_tiles - 1) / work.piece_tiles;
  }

  cudaStream_t stream_;
  std::uint32_t blocks_ = 0, most_pieces_ = 0;
  ElementBatch<Format> batch_ = {};
  FinishBatch<Format> finish_ = {};
  std::uint8_t* zeroed_ = nullptr;
  std::uint64_t zeroed_bytes_ = 0;
};

template <typename Format>
class ElementLaunchOf : public ElementLaunch {
 public:
  ElementLaunchOf(std::vector<ElementWork> works, ElementStats* results, Scratch& scratch)
      : large_(Cut(works, false), results, scratch), small_(Cut(works, true), results, scratch) {}

  void Launch() override {
    large_.Launch();
    small_.Launch();
  }

 private:
  // Those of one piece, or the others.
  static std::vector<ElementWork> Cut(const std::vector<ElementWork>& works, bool small) {
    std::uint64_t tiles = 0;
    for (const ElementWork& work : works) tiles += TilesOf(work);
    const std::uint32_t warps = ResidentBlocks(CompareElementsKernel<Format>) * kElementWarps;
    const std::uint32_t piece_tiles = PieceTiles(tiles, kTileElements * Format::kBits / 8, warps);
    std::vector<ElementWork> cut;
    for (ElementWork work : works) {
      if ((TilesOf(work) <= piece_tiles) != small) continue;
      work.piece_tiles = piece_tiles;
      cut.push_back(work);
    }
    return cut;
  }

  LargeElements<Format> large_;
  SmallElements<Format> small_;
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
