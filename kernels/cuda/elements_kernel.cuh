// Comparing a batch of one format: one warp a piece. Small tasks are those of one piece, which no
// other warp has a part in; the pieces of others are handed out as warps come.
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

// Of a multiprocessor, at least: as many as the registers allow without spills that matter.
template <typename Format>
inline constexpr std::uint32_t kElementBlocks = std::is_same_v<Format, E5M2> ? 4 : 5;
template <typename Format>
inline constexpr std::uint32_t kSmallBlocks = kIsHalf<Format> ? 4 : kElementBlocks<Format>;

template <typename Format>
struct ElementBatch {
  const ElementWork* works;
  const std::uint32_t* work_of_piece;
  std::uint32_t pieces;
  std::uint32_t* next_piece;
  ElementTotals* totals;       // by work
  ElementNode<Format>* nodes;  // by piece
};

// Each work is a task of one piece.
template <typename Format>
struct SmallBatch {
  const ElementWork* works;
  std::uint32_t pieces;
  ElementStats* results;  // by task
};

// What both kinds of tasks have in common.
template <typename Format, bool kSmall>
class PieceComparer {
 public:
  __device__ PieceComparer() {
    Mine<Format>().counts.Clear();
    lane_.each = kSmall;
  }

 protected:
  __device__ static std::uint32_t FirstPiece() {
    return (blockIdx.x * blockDim.x + threadIdx.x) / kWarp;
  }
  using Loader = PieceLoader<Format>;

  __device__ void Begin(const ElementWork& task) {
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
    lane_.each = kSmall;
    touched_ = false;
    __syncwarp();
  }

  // Tiles from `first_tile` on, as far as there are any. `totals` are those of all warps.
  __device__ ElementNode<Format> CompareTiles(std::uint64_t first_tile, std::uint32_t tiles,
                                              ElementTotals* totals) {
    seen_ = false;
    lane_.BeginPiece();
    Mine<Format>().totals = totals;
    Mine<Format>().counts.BeginPiece();
    PieceSums<Format> sums(Mine<Format>().tiles);
    for (std::uint32_t tile = 0; tile < tiles; ++tile) {
      const std::uint64_t begin = (first_tile + tile) * kTileElements;
      if (begin >= Mine<Format>().count) break;
      CompareTile(begin, tile, sums);
    }
    if (!kSmall && seen_) PublishRecords();
    return NodeOf(sums, tiles);
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
      // Where differences are expected equal chunks are compared as others are.
      AddChunk(chunk, lane_.likely || Differs(chunk), index, split, sums);
    }
    if constexpr (!kIsOpaque<Format>) sums.FinishTile(lane_.sums, tile, split);
  }

  __device__ static bool Differs(const Chunk<Format>& chunk) {
    std::uint32_t difference = 0;
#pragma unroll
    for (std::uint32_t k = 0; k < Chunk<Format>::kLoads; ++k) {
      difference |= AnyDifference(chunk.a[k], chunk.b[k]);
    }
    return __any_sync(kAllLanes, difference != 0);
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
    if (differs && !seen_) {
      seen_ = touched_ = true;
      if (LaneId() == 0) Mine<Format>().counts.first_chunk = index;
      if (!kSmall) ReadRecords();
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

  __device__ ElementNode<Format> NodeOf(const PieceSums<Format>& sums, std::uint32_t tiles) const {
    ElementNode<Format> node = {};
    if constexpr (!kIsOpaque<Format>) sums.Write(node, tiles);
    node.max_ulp = MaxOfLanes(lane_.max_ulp);
    node.ulp_chunk =
        MinOfLanes(lane_.max_ulp == node.max_ulp ? lane_.ulp_chunk : std::uint32_t{kNoChunk});
    __syncwarp();
    node.first_chunk = Mine<Format>().counts.first_chunk;
    node.nan_chunk = Mine<Format>().counts.nan_chunk;
    return node;
  }

  // What others found so far: fewer records are left to break.
  __device__ void ReadRecords() {
    const double max_abs = PublishedAbs(*Mine<Format>().totals);
    const float max_rel = PublishedRel(*Mine<Format>().totals);
    Mine<Format>().known_abs = max_abs;
    Mine<Format>().known_rel = max_rel;
    __syncwarp();
    if (max_abs > lane_.max_abs) lane_.max_abs = static_cast<decltype(lane_.max_abs)>(max_abs);
    if (max_rel > lane_.max_rel) lane_.max_rel = max_rel;
  }

  __device__ void PublishRecords() const {
    ElementTotals& totals = *Mine<Format>().totals;
    if (__any_sync(kAllLanes, lane_.max_abs > Mine<Format>().known_abs)) {
      const double max_abs = LargestOfLanes(lane_.max_abs);
      if (LaneId() == 0) {
        atomicMax(&totals.max_abs, static_cast<unsigned long long>(__double_as_longlong(max_abs)));
      }
    }
    if (__any_sync(kAllLanes, lane_.max_rel > Mine<Format>().known_rel)) {
      const float max_rel = LargestOfLanes(lane_.max_rel);
      if (LaneId() == 0) atomicMax(&totals.max_rel, __float_as_uint(max_rel));
    }
  }

  // Of the bin, which is its own in each of the lanes that ask.
  __device__ static std::uint32_t CountedIn(std::uint32_t bin) {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < kWarp; ++i) {
      sum += Mine<Format>().counts.Bin(bin)[(LaneId() + i) % kWarp];
    }
    return sum;
  }

  __device__ void ClearCounts() {
    __syncwarp();
    if constexpr (!kIsOpaque<Format>) {
      touched_ ? Mine<Format>().counts.Clear() : Mine<Format>().counts.ClearCounters();
    }
    __syncwarp();
  }

  ElementLane<Format> lane_;
  // Whether the piece differs so far, and whether the task has counted differences.
  bool aligned_ = false, seen_ = false, touched_ = false;
};

template <typename Format>
class LargeTasks : PieceComparer<Format, false> {
 public:
  __device__ explicit LargeTasks(const ElementBatch<Format>& batch) : batch_(batch) {}

  // The first piece is the warp's own; others are asked for ahead.
  __device__ void Run() {
    std::uint32_t piece = this->FirstPiece();
    while (piece < batch_.pieces) {
      std::uint32_t following = 0;
      if (LaneId() == 0) following = atomicAdd(batch_.next_piece, 1u);
      const std::uint32_t index = batch_.work_of_piece[piece];
      const ElementWork& work = batch_.works[index];
      if (index != work_) {
        Flush();
        this->Begin(work);
        work_ = index;
      }
      const std::uint64_t first = std::uint64_t{piece - work.first_piece} * work.piece_tiles;
      const auto node = this->CompareTiles(first, work.piece_tiles, &batch_.totals[index]);
      if (LaneId() == 0) batch_.nodes[piece] = node;
      piece = gridDim.x * kElementWarps + __shfl_sync(kAllLanes, following, 0);
    }
    Flush();
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  __device__ void Flush() {
    if (work_ == kNone) return;
    ElementTotals& totals = batch_.totals[work_];
    const std::uint32_t lane = LaneId();
    __syncwarp();
    if (this->touched_) {
      const auto different = SumOfLanes<unsigned long long>(this->lane_.different);
      if (lane == 0) atomicAdd(&totals.counters[kDifferent], different);
      if constexpr (!kIsOpaque<Format>) {
#pragma unroll 1
        for (std::uint32_t bin = lane; bin < WarpCounts<Format>::kBins; bin += kWarp) {
          const unsigned long long sum = this->CountedIn(bin);
          if (sum != 0) atomicAdd(&totals.histogram[bin], sum);
        }
      }
    }
    if constexpr (!kIsOpaque<Format>) {
      if (lane < kDifferent && Mine<Format>().counts.counters[lane] != 0) {
        const unsigned long long count = Mine<Format>().counts.counters[lane];
        atomicAdd(&totals.counters[lane], count);
      }
    }
    this->ClearCounts();
  }

  const ElementBatch<Format>& batch_;
  std::uint32_t work_ = kNone;
};

template <typename Format>
class SmallTasks : PieceComparer<Format, true> {
 public:
  __device__ explicit SmallTasks(const SmallBatch<Format>& batch) : batch_(batch) {
    // Bins that the format has no use for stay as they are.
    auto* words = reinterpret_cast<std::uint32_t*>(&Mine<Format>().alone);
    for (std::uint32_t i = LaneId(); i < sizeof(ElementTotals) / 4; i += kWarp) words[i] = 0;
    __syncwarp();
  }

  // In turn: nobody is asked for them, and the next one's bytes are on their way while this one's
  // result is written.
  __device__ void Run() {
    const std::uint32_t warps = gridDim.x * kElementWarps;
#pragma unroll 1
    for (std::uint32_t i = this->FirstPiece(); i < batch_.pieces; i += warps) {
      const bool more = i + warps < batch_.pieces;
      const ElementWork& next = batch_.works[more ? i + warps : i];
      const std::uint32_t *next_a = next.a.words, *next_b = next.b.words;
      const std::uint64_t next_bytes = next.count * Format::kBits / 8;
      const ElementWork& work = batch_.works[i];
      this->Begin(work);
      const auto node = this->CompareTiles(0, work.piece_tiles, nullptr);
      if (more && LaneId() * kLine < next_bytes) {
        FetchAhead(next_a + LaneId() * (kLine / 4));
        FetchAhead(next_b + LaneId() * (kLine / 4));
      }
      Finish(work, node);
    }
  }

 private:
  static constexpr std::uint32_t kLine = 128;  // bytes

  __device__ static void FetchAhead(const std::uint32_t* line) {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(line));
  }

  __device__ void Finish(const ElementWork& work, const ElementNode<Format>& node) {
    ElementTotals& totals = Mine<Format>().alone;
    const std::uint32_t lane = LaneId();
    const std::uint32_t different = SumOfLanes(this->lane_.different);
    const double max_abs = LargestOfLanes(this->lane_.max_abs);
    const float max_rel = LargestOfLanes(this->lane_.max_rel);
    __syncwarp();
    if constexpr (!kIsOpaque<Format>) {
      this->touched_ ? TakeHistogram(totals) : ForgetHistogram(totals);
      if (lane < kDifferent) totals.counters[lane] = Mine<Format>().counts.counters[lane];
      __syncwarp();
      Mine<Format>().counts.ClearCounters();
    }
    if (lane == 0) {
      totals.counters[kDifferent] = different;
      totals.max_abs = static_cast<unsigned long long>(__double_as_longlong(max_abs));
      totals.max_rel = __float_as_uint(max_rel);
    }
    __syncwarp();
    WriteResult<Format>(work, totals, node, batch_.results[work.result]);
  }

  // Leaves the warp's own counters 0. Bin 0 is not asked for.
  __device__ static void TakeHistogram(ElementTotals& totals) {
#pragma unroll 16
    for (std::uint32_t bin = 1; bin < WarpCounts<Format>::kBins; ++bin) {
      std::uint32_t& mine = Mine<Format>().counts.Bin(bin)[LaneId()];
      const std::uint32_t all = SumOfLanes(mine);
      mine = 0;
      if (LaneId() == 0) totals.histogram[bin] = all;
    }
  }
  __device__ static void ForgetHistogram(ElementTotals& totals) {
    for (std::uint32_t bin = LaneId(); bin < WarpCounts<Format>::kBins; bin += kWarp) {
      totals.histogram[bin] = 0;
    }
  }

  const SmallBatch<Format>& batch_;
};

template <typename Format>
__global__ void __launch_bounds__(kElementWarps* kWarp, kElementBlocks<Format>)
    CompareElementsKernel(const __grid_constant__ ElementBatch<Format> batch) {
  LargeTasks<Format>(batch).Run();
}

template <typename Format>
__global__ void __launch_bounds__(kElementWarps* kWarp, kSmallBlocks<Format>)
    CompareSmallKernel(const __grid_constant__ SmallBatch<Format> batch) {
  SmallTasks<Format>(batch).Run();
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ELEMENTS_KERNEL_CUH_
