// Comparing a batch of one format: one warp a piece, pieces handed out as warps come.
#ifndef GTEST_PARITY_KERNELS_CUDA_ELEMENTS_KERNEL_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ELEMENTS_KERNEL_CUH_

#include <cstdint>
#include <type_traits>

#include "kernels/cuda/byte_chunk.cuh"
#include "kernels/cuda/element_result.cuh"
#include "kernels/cuda/element_work.h"
#include "kernels/cuda/float_chunk.cuh"
#include "kernels/cuda/half_chunk.cuh"
#include "kernels/cuda/nibble_chunk.cuh"
#include "kernels/cuda/piece_loader.cuh"
#include "kernels/cuda/piece_sums.cuh"

namespace parity {

// Of a multiprocessor, at least: as many as the registers allow without spills.
template <typename Format>
inline constexpr std::uint32_t kElementBlocks =
    kIsHalf<Format> || std::is_same_v<Format, E5M2> || std::is_same_v<Format, E8M0> ? 4 : 5;

template <typename Format>
struct ElementBatch {
  const ElementWork* works;
  const std::uint32_t* work_of_piece;
  std::uint32_t pieces;
  std::uint32_t* next_piece;
  ElementTotals* totals;       // by work
  ElementNode<Format>* nodes;  // by piece
  ElementStats* results;       // by task
};

template <typename Format>
class PieceComparer {
 public:
  __device__ explicit PieceComparer(const ElementBatch<Format>& batch) : batch_(batch) {
    Mine<Format>().counts.Clear();
  }

  // The first piece is the warp's own; others are asked for ahead.
  __device__ void Run() {
    std::uint32_t piece = (blockIdx.x * blockDim.x + threadIdx.x) / kWarp;
    while (piece < batch_.pieces) {
      std::uint32_t following = 0;
      if (LaneId() == 0) following = atomicAdd(batch_.next_piece, 1u);
      const std::uint32_t work = batch_.work_of_piece[piece];
      if (work != work_) {
        Flush();
        Begin(work);
      }
      const ElementNode<Format> node = ComparePiece(piece);
      if (alone_) {
        Flush();
        WriteResult<Format>(batch_.works[work], Mine<Format>().alone, node,
                            batch_.results[batch_.works[work].result]);
        work_ = kNone;
      } else if (LaneId() == 0) {
        batch_.nodes[piece] = node;
      }
      piece = gridDim.x * kElementWarps + __shfl_sync(kAllLanes, following, 0);
    }
    Flush();
  }

 private:
  using Loader = PieceLoader<Format>;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  __device__ void Begin(std::uint32_t work) {
    work_ = work;
    const ElementWork& task = batch_.works[work];
    PieceShared<Format>& mine = Mine<Format>();
    __syncwarp();
    mine.a = task.a.words;
    mine.b = task.b.words;
    mine.shift_a = task.a.shift;
    mine.shift_b = task.b.shift;
    mine.count = task.count;
    const std::uint64_t all = task.count * Format::kBits;
    mine.readable = min(task.a.ReadableVectors(all), task.b.ReadableVectors(all));
    aligned_ = task.a.Aligned() && task.b.Aligned();
    lane_ = {};
    touched_ = false;
    // No other warp has a part in a task of one piece.
    alone_ = task.pieces == 1;
    if (alone_) {
      auto* words = reinterpret_cast<std::uint32_t*>(&mine.alone);
      for (std::uint32_t i = LaneId(); i < sizeof(mine.alone) / 4; i += kWarp) words[i] = 0;
    }
    __syncwarp();
  }

  __device__ ElementTotals& Totals() const {
    return alone_ ? Mine<Format>().alone : batch_.totals[work_];
  }

  __device__ ElementNode<Format> ComparePiece(std::uint32_t piece) {
    const ElementWork& work = batch_.works[work_];
    const std::uint32_t piece_tiles = work.piece_tiles;
    const std::uint64_t first_tile = std::uint64_t{piece - work.first_piece} * piece_tiles;
    records_read_ = false;
    lane_.BeginPiece();
    PieceSums<Format> sums(Mine<Format>().tiles);
    for (std::uint32_t tile = 0; tile < piece_tiles; ++tile) {
      const std::uint64_t begin = (first_tile + tile) * kTileElements;
      if (begin >= Mine<Format>().count) break;
      CompareTile(begin, tile, sums);
    }
    if (records_read_) PublishRecords();
    return NodeOf(sums);
  }

  __device__ void CompareTile(std::uint64_t begin, std::uint32_t tile, PieceSums<Format>& sums) {
    const std::uint64_t first = begin / kVectorElements<Format>;
    auto index = static_cast<std::uint32_t>(begin / kChunkElements<Format>);
    const std::uint32_t fast = aligned_ ? WholeChunks(first) : 0, chunks = ChunksLeft(begin);
    bool split = false;
#pragma unroll 1
    for (std::uint32_t i = 0; i < chunks; ++i, ++index) {
      const std::uint64_t vector = first + i * kChunkVectors<Format> + LaneId();
      Chunk<Format> chunk;
      if (i < fast) {
        Loader::LoadFast(vector, chunk);
      } else {
        Loader::Load(vector, chunk);
      }
      std::uint32_t difference = 0;
#pragma unroll
      for (std::uint32_t k = 0; k < Chunk<Format>::kLoads; ++k) {
        difference |= AnyDifference(chunk.a[k], chunk.b[k]);
      }
      AddChunk(chunk, __any_sync(kAllLanes, difference != 0), index, split, sums);
    }
    if constexpr (!kIsOpaque<Format>) sums.FinishTile(lane_.sums, tile, split);
  }

  // Of the tile from vector `first` on: chunks of whole vectors, and all.
  __device__ std::uint32_t WholeChunks(std::uint64_t first) const {
    const std::uint64_t readable = Mine<Format>().readable;
    return first < readable ? AtMostATile((readable - first) / kChunkVectors<Format>) : 0;
  }
  __device__ std::uint32_t ChunksLeft(std::uint64_t begin) const {
    constexpr std::uint32_t kElements = kChunkElements<Format>;
    return AtMostATile((Mine<Format>().count - begin + kElements - 1) / kElements);
  }
  __device__ static std::uint32_t AtMostATile(std::uint64_t chunks) {
    return chunks < kTileChunks<Format> ? static_cast<std::uint32_t>(chunks) : kTileChunks<Format>;
  }

  __device__ void AddChunk(Chunk<Format>& chunk, bool differs, std::uint32_t index, bool& split,
                           PieceSums<Format>& sums) {
    if (differs) {
      if (lane_.first_chunk == kNoChunk) lane_.first_chunk = index;
      touched_ = true;
      if (!records_read_) ReadRecords();
    }
    if constexpr (kIsOpaque<Format>) {
      if (!differs) return;
#pragma unroll
      for (std::uint32_t k = 0; k < Chunk<Format>::kLoads; ++k) {
        lane_.different += ChunkComparer<Opaque>::DifferentBytes(chunk.a[k], chunk.b[k]);
      }
    } else {
      ChunkComparer<Format>::Add(chunk, differs, index, lane_, Mine<Format>().counts, split);
      sums.FinishChunk(lane_.sums);
    }
  }

  __device__ ElementNode<Format> NodeOf(const PieceSums<Format>& sums) const {
    ElementNode<Format> node = {};
    if constexpr (!kIsOpaque<Format>) sums.Write(node);
    node.max_ulp = MaxOfLanes(lane_.max_ulp);
    node.ulp_chunk =
        MinOfLanes(lane_.max_ulp == node.max_ulp ? lane_.ulp_chunk : std::uint32_t{kNoChunk});
    node.first_chunk = lane_.first_chunk;
    node.nan_chunk = MinOfLanes(lane_.nan_chunk);
    return node;
  }

  // What others found so far: fewer records are left to break.
  __device__ void ReadRecords() {
    records_read_ = true;
    const double max_abs = PublishedAbs(Totals());
    const float max_rel = PublishedRel(Totals());
    Mine<Format>().known_abs = max_abs;
    Mine<Format>().known_rel = max_rel;
    __syncwarp();
    if (max_abs > lane_.max_abs) lane_.max_abs = static_cast<decltype(lane_.max_abs)>(max_abs);
    if (max_rel > lane_.max_rel) lane_.max_rel = max_rel;
  }

  __device__ void PublishRecords() const {
    ElementTotals& totals = Totals();
    if (__any_sync(kAllLanes, lane_.max_abs > Mine<Format>().known_abs)) {
      const double max_abs = MaxOfLanes(static_cast<double>(lane_.max_abs));
      if (LaneId() == 0) {
        atomicMax(&totals.max_abs, static_cast<unsigned long long>(__double_as_longlong(max_abs)));
      }
    }
    if (__any_sync(kAllLanes, lane_.max_rel > Mine<Format>().known_rel)) {
      const float max_rel = MaxOfLanes(lane_.max_rel);
      if (LaneId() == 0) atomicMax(&totals.max_rel, __float_as_uint(max_rel));
    }
  }

  __device__ void Flush() {
    if (work_ == kNone) return;
    ElementTotals& totals = Totals();
    const std::uint32_t lane = LaneId();
    __syncwarp();
    if (touched_) {
      const unsigned long long different = SumOfLanes<unsigned long long>(lane_.different);
      if (lane == 0) atomicAdd(&totals.counters[kDifferent], different);
      if constexpr (!kIsOpaque<Format>) {
        for (std::uint32_t bin = lane; bin < WarpCounts<Format>::kBins; bin += kWarp) {
          unsigned long long sum = 0;
          for (std::uint32_t i = 0; i < kWarp; ++i)
            sum += Mine<Format>().counts.bins[bin][(lane + i) % kWarp];
          if (sum != 0) atomicAdd(&totals.histogram[bin], sum);
        }
      }
    }
    if constexpr (!kIsOpaque<Format>) {
      if (lane < kDifferent && Mine<Format>().counts.counters[lane] != 0) {
        const unsigned long long count = Mine<Format>().counts.counters[lane];
        atomicAdd(&totals.counters[lane], count);
      }
      __syncwarp();
      touched_ ? Mine<Format>().counts.Clear() : Mine<Format>().counts.ClearCounters();
    }
    __syncwarp();
  }

  const ElementBatch<Format>& batch_;
  ElementLane<Format> lane_;
  std::uint32_t work_ = kNone;
  bool aligned_ = false, alone_ = false, touched_ = false, records_read_ = false;
};

template <typename Format>
__global__ void __launch_bounds__(kElementWarps* kWarp, kElementBlocks<Format>)
    CompareElementsKernel(const __grid_constant__ ElementBatch<Format> batch) {
  PieceComparer<Format>(batch).Run();
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ELEMENTS_KERNEL_CUH_
