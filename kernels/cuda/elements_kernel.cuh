// Comparing a batch of one format: one warp a piece, pieces handed out as warps come.
#ifndef GTEST_PARITY_KERNELS_CUDA_ELEMENTS_KERNEL_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ELEMENTS_KERNEL_CUH_

#include <cstdint>

#include "kernels/cuda/element_result.cuh"
#include "kernels/cuda/element_work.h"
#include "kernels/cuda/fast_chunk.cuh"
#include "kernels/cuda/piece_sums.cuh"
#include "kernels/cuda/unaligned.cuh"

namespace parity {

inline constexpr std::uint32_t kElementWarps = 4;  // of a block
// Of a multiprocessor, at least: as many as the registers allow without spills.
template <typename Format>
inline constexpr std::uint32_t kElementBlocks = std::is_same_v<Format, F32> ? 5 : 5;

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
  __device__ PieceComparer(const ElementBatch<Format>& batch, WarpCounts<Format>& counts,
                           typename PieceSums<Format>::Shared& tiles, ElementTotals& alone)
      : batch_(batch), counts_(counts), tiles_(tiles), alone_(alone) {}

  // The first piece is the warp's own; others are handed out as warps come, asked for ahead.
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
      if (totals_ == &alone_) {
        Flush();
        WriteResult<Format>(batch_.works[work], alone_, node,
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
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint32_t kBits = Format::kBits;

  __device__ void Begin(std::uint32_t work) {
    work_ = work;
    a_ = batch_.works[work].a;
    b_ = batch_.works[work].b;
    count_ = batch_.works[work].count;
    aligned_ = a_.Aligned() && b_.Aligned();
    // A vector that is read with a shift may end beyond the array.
    const std::uint64_t full = count_ / kVectorElements<Format>;
    const bool exact = count_ % kVectorElements<Format> == 0;
    readable_ = (a_.shift | b_.shift) != 0 && exact && full != 0 ? full - 1 : full;
    lane_ = {};
    touched_ = false;
    totals_ = &batch_.totals[work];
    if (batch_.works[work].pieces > 1) return;
    // A task of one piece is done with when that is: no other warp has a part in it.
    __syncwarp();
    auto* words = reinterpret_cast<std::uint32_t*>(&alone_);
    for (std::uint32_t i = LaneId(); i < sizeof(alone_) / 4; i += kWarp) words[i] = 0;
    totals_ = &alone_;
    __syncwarp();
  }

  __device__ ElementNode<Format> ComparePiece(std::uint32_t piece) {
    const ElementWork& work = batch_.works[work_];
    const std::uint32_t piece_tiles = work.piece_tiles;
    const std::uint64_t first_tile = std::uint64_t{piece - work.first_piece} * piece_tiles;
    records_read_ = false;
    lane_.BeginPiece();
    PieceSums<Format> sums(tiles_);
    for (std::uint32_t tile = 0; tile < piece_tiles; ++tile) {
      const std::uint64_t begin = (first_tile + tile) * kTileElements;
      if (begin >= count_) break;
      CompareTile(begin, tile, sums);
    }
    if (records_read_) PublishRecords();
    return NodeOf(sums);
  }

  __device__ void CompareTile(std::uint64_t begin, std::uint32_t tile, PieceSums<Format>& sums) {
    const std::uint64_t first = begin / kVectorElements<Format>;
    auto index = static_cast<std::uint32_t>(begin / kChunkElements<Format>);
    bool split = false;
#pragma unroll 1
    for (std::uint32_t i = 0; i < kTileChunks<Format>; ++i, ++index) {
      const std::uint64_t vector = first + i * kChunkVectors<Format>;
      if (vector * kVectorElements<Format> >= count_) break;
      Chunk<Format> chunk;
      if (aligned_ && vector + kChunkVectors<Format> <= readable_) {
        LoadFast(vector + LaneId(), chunk);
      } else {
        Load(vector + LaneId(), chunk);
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

  __device__ void LoadFast(std::uint64_t vector, Chunk<Format>& chunk) const {
    const uint4* a = reinterpret_cast<const uint4*>(a_.words) + vector;
    const uint4* b = reinterpret_cast<const uint4*>(b_.words) + vector;
#pragma unroll
    for (std::uint32_t k = 0; k < Chunk<Format>::kLoads; ++k) {
      chunk.a[k] = LoadStreaming(a + kWarp * k);
      chunk.b[k] = LoadStreaming(b + kWarp * k);
      chunk.valid[k] = kVectorElements<Format>;
    }
  }

  __device__ void Load(std::uint64_t vector, Chunk<Format>& chunk) const {
#pragma unroll
    for (std::uint32_t k = 0; k < Chunk<Format>::kLoads; ++k) {
      if (vector + kWarp * k < readable_) {
        chunk.a[k] = LoadShifted(a_, vector + kWarp * k);
        chunk.b[k] = LoadShifted(b_, vector + kWarp * k);
        chunk.valid[k] = kVectorElements<Format>;
      } else {
        LoadRest(vector + kWarp * k, chunk, k);
      }
    }
  }

  // Vector `index`, which is not a whole one that may be read as such.
  __device__ void LoadRest(std::uint64_t index, Chunk<Format>& chunk, std::uint32_t k) const {
    const std::uint64_t first = index * kVectorElements<Format>;
    const std::uint64_t left = first < count_ ? count_ - first : 0;
    const auto valid =
        static_cast<std::uint32_t>(left < kVectorElements<Format> ? left : kVectorElements<Format>);
    chunk.valid[k] = valid;
    chunk.a[k] = chunk.b[k] = make_uint4(0, 0, 0, 0);
    if (valid == 0) return;
    chunk.a[k] = LoadPart(a_, index, valid * kBits);
    chunk.b[k] = LoadPart(b_, index, valid * kBits);
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
      ChunkComparer<Format>::Add(chunk, differs, index, lane_, counts_, split);
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
    const double max_abs = PublishedAbs();
    const float max_rel = PublishedRel();
    if (max_abs > lane_.max_abs) lane_.max_abs = static_cast<decltype(lane_.max_abs)>(max_abs);
    if (max_rel > lane_.max_rel) lane_.max_rel = max_rel;
  }

  __device__ void PublishRecords() const {
    ElementTotals& totals = *totals_;
    if (__any_sync(kAllLanes, lane_.max_abs > PublishedAbs())) {
      const double max_abs = MaxOfLanes(static_cast<double>(lane_.max_abs));
      if (LaneId() == 0) {
        atomicMax(&totals.max_abs, static_cast<unsigned long long>(__double_as_longlong(max_abs)));
      }
    }
    if (__any_sync(kAllLanes, lane_.max_rel > PublishedRel())) {
      const float max_rel = MaxOfLanes(lane_.max_rel);
      if (LaneId() == 0) atomicMax(&totals.max_rel, __float_as_uint(max_rel));
    }
  }

  __device__ double PublishedAbs() const {
    const volatile unsigned long long& bits = totals_->max_abs;
    return __longlong_as_double(static_cast<long long>(bits));
  }
  __device__ float PublishedRel() const {
    const volatile std::uint32_t& bits = totals_->max_rel;
    return __uint_as_float(bits);
  }

  __device__ void Flush() {
    if (work_ == kNone) return;
    ElementTotals& totals = *totals_;
    const std::uint32_t lane = LaneId();
    __syncwarp();
    if (touched_) {
      const unsigned long long different = SumOfLanes<unsigned long long>(lane_.different);
      if (lane == 0) atomicAdd(&totals.counters[kDifferent], different);
      if constexpr (!kIsOpaque<Format>) {
        for (std::uint32_t bin = lane; bin < WarpCounts<Format>::kBins; bin += kWarp) {
          unsigned long long sum = 0;
          for (std::uint32_t i = 0; i < kWarp; ++i) sum += counts_.bins[bin][(lane + i) % kWarp];
          if (sum != 0) atomicAdd(&totals.histogram[bin], sum);
        }
      }
    }
    if constexpr (!kIsOpaque<Format>) {
      if (lane < kDifferent && counts_.counters[lane] != 0) {
        const unsigned long long count = counts_.counters[lane];
        atomicAdd(&totals.counters[lane], count);
      }
      __syncwarp();
      touched_ ? counts_.Clear() : counts_.ClearCounters();
    }
    __syncwarp();
  }

  const ElementBatch<Format>& batch_;
  WarpCounts<Format>& counts_;
  typename PieceSums<Format>::Shared& tiles_;
  ElementTotals& alone_;             // in shared memory
  ElementTotals* totals_ = nullptr;  // the task's, or alone_
  ElementLane<Format> lane_;
  BitStream a_, b_;
  std::uint64_t count_ = 0, readable_ = 0;
  std::uint32_t work_ = kNone;
  bool aligned_ = false, touched_ = false, records_read_ = false;
};

template <typename Format>
__global__ void __launch_bounds__(kElementWarps* kWarp, kElementBlocks<Format>)
    CompareElementsKernel(const __grid_constant__ ElementBatch<Format> batch) {
  __shared__ WarpCounts<Format> counts[kElementWarps];
  __shared__ typename PieceSums<Format>::Shared tiles[kElementWarps];
  __shared__ ElementTotals alone[kElementWarps];
  const std::uint32_t warp = threadIdx.x / kWarp;
  counts[warp].Clear();
  PieceComparer<Format>(batch, counts[warp], tiles[warp], alone[warp]).Run();
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ELEMENTS_KERNEL_CUH_
