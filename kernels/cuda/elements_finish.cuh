// From a batch's pieces to its results: the tree over tiles, and where the worst element is.
#ifndef GTEST_PARITY_KERNELS_CUDA_ELEMENTS_FINISH_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ELEMENTS_FINISH_CUH_

#include <cstdint>

#include "kernels/cuda/element_work.h"
#include "kernels/cuda/piece_sums.cuh"
#include "kernels/cuda/vector_elements.cuh"
#include "kernels/cuda/warp.cuh"
#include "kernels/elements.h"
#include "kernels/pairs.h"

namespace parity {

template <typename Format>
struct FinishBatch {
  const ElementWork* works;
  const std::uint32_t* work_of_group;
  std::uint32_t groups;
  ElementTotals* totals;              // by work
  const ElementNode<Format>* pieces;  // by piece
  ElementNode<Format>* group_nodes;   // by group
  ElementStats* results;              // by task
};

template <typename Format>
class NodeFold {
 public:
  using Node = ElementNode<Format>;

  __device__ static Node Nothing() {
    Node node = {};
    node.ulp_chunk = node.first_chunk = node.nan_chunk = kNoChunk;
    return node;
  }

  // Of up to kWarp * kWarp neighbours, in every lane.
  __device__ static Node Fold(const Node* nodes, std::uint32_t count) {
    if (count == 1) return nodes[0];
    if (count <= kWarp) return OverLanes(LaneId() < count ? nodes[LaneId()] : Nothing());
    constexpr std::uint32_t kAtOnce = 4;  // rows whose loads are under way together
    Node mine = Nothing();
    for (std::uint32_t begin = 0; begin * kWarp < count; begin += kAtOnce) {
      Node rows[kAtOnce];
#pragma unroll
      for (std::uint32_t k = 0; k < kAtOnce; ++k) {
        const std::uint32_t i = (begin + k) * kWarp + LaneId();
        rows[k] = i < count ? nodes[i] : Nothing();
      }
#pragma unroll
      for (std::uint32_t k = 0; k < kAtOnce; ++k) {
        const Node folded = OverLanes(rows[k]);
        if (LaneId() == begin + k) mine = folded;
      }
    }
    return OverLanes(mine);
  }

  // By all warps of a block, each a part of at most kWarp * kWarp; in every lane of the first.
  template <std::uint32_t kWarps>
  __device__ static Node FoldInBlock(const Node* nodes, std::uint32_t count, Node* shared) {
    constexpr std::uint32_t kPart = kGroupPieces / kWarps;
    const std::uint32_t warp = threadIdx.x / kWarp, first = warp * kPart;
    const std::uint32_t here = first >= count ? 0 : count - first < kPart ? count - first : kPart;
    const Node node = Fold(nodes + first, here);
    if constexpr (kWarps == 1) return node;
    if (LaneId() == 0) shared[warp] = node;
    __syncthreads();
    const Node all = OverLanes(LaneId() < kWarps ? shared[LaneId()] : Nothing());
    __syncthreads();
    return all;
  }

 private:
  template <typename T>
  __device__ static T Sum(T value) {
    if constexpr (kSumsAreExact<Format>) {
      return SumWide(value);
    } else {
      return FoldNeighbours(value);
    }
  }

  __device__ static Node OverLanes(const Node& node) {
    Node folded;
    folded.dd = Sum(node.dd);
    folded.aa = Sum(node.aa);
    folded.bb = Sum(node.bb);
    folded.ab = Sum(node.ab);
    folded.max_ulp = MaxOfLanes(node.max_ulp);
    folded.ulp_chunk =
        MinOfLanes(node.max_ulp == folded.max_ulp ? node.ulp_chunk : std::uint32_t{kNoChunk});
    folded.first_chunk = MinOfLanes(node.first_chunk);
    folded.nan_chunk = MinOfLanes(node.nan_chunk);
    return folded;
  }
};

// The lowest index in a chunk for which `is(x, y)`.
template <typename Format, typename Is>
__device__ std::uint64_t FindInChunk(const ElementWork& work, std::uint32_t chunk, Is is) {
  const VectorReader a(work.a, work.count * Format::kBits), b(work.b, work.count * Format::kBits);
  const std::uint64_t begin = std::uint64_t{chunk} * kChunkVectors<Format>;
  for (std::uint32_t k = 0; k < kChunkLoads<Format>; ++k) {
    const std::uint64_t vector = begin + k * kWarp + LaneId();
    const uint4 x = a.Load(vector), y = b.Load(vector);
    std::uint64_t found = ElementStats::kNoIndex;
#pragma unroll
    for (std::uint32_t i = kVectorElements<Format>; i-- > 0;) {
      const std::uint64_t index = vector * kVectorElements<Format> + i;
      if (index < work.count && is(ElementOf<Format>(x, i), ElementOf<Format>(y, i))) found = index;
    }
    found = MinOfLanes(found);
    if (found != ElementStats::kNoIndex) return found;
  }
  return ElementStats::kNoIndex;
}

template <typename Format>
__device__ void WritePlaces(const ElementWork& work, const ElementNode<Format>& node,
                            ElementStats& stats) {
  using Bits = typename Format::Bits;
  const auto differ = [](Bits x, Bits y) { return x != y; };
  const std::uint64_t first = FindInChunk<Format>(work, node.first_chunk, differ);
  std::uint64_t worst = first;
  if constexpr (!kIsOpaque<Format>) {
    if (node.nan_chunk != kNoChunk) {
      worst = FindInChunk<Format>(work, node.nan_chunk, [](Bits x, Bits y) {
        return Format::IsNan(x) != Format::IsNan(y);
      });
    } else if (node.max_ulp != 0) {
      worst = FindInChunk<Format>(work, node.ulp_chunk, [&](Bits x, Bits y) {
        return !Format::IsNan(x) && !Format::IsNan(y) && UlpDistance<Format>(x, y) == node.max_ulp;
      });
    }
  }
  if (LaneId() != 0) return;
  stats.first_index = first;
  stats.worst_index = worst;
}

template <typename Format>
__device__ double Rounded(typename NodeSum<Format>::Type sum) {
  if constexpr (kSumsAreExact<Format>) {
    return ExactSum<Format>{sum}.Total();
  } else {
    return sum;
  }
}

// Bin 0 and the zeros that differ in sign are what no counter has counted.
template <typename Format>
__device__ void WriteCounts(const ElementWork& work, const ElementTotals& totals,
                            ElementStats& stats) {
  std::uint64_t apart = 0;
  std::uint64_t* histogram = &stats.ulp_histogram[0];
  for (std::uint32_t bin = LaneId(); bin < 65; bin += kWarp) {
    const std::uint64_t count = bin == 0 ? 0 : totals.histogram[bin];
    if (bin != 0) histogram[bin] = count;
    apart += count;
  }
  apart = SumOfLanes(apart);
  if (LaneId() != 0) return;
  const auto* counters = totals.counters;
  stats.compared = work.count;
  stats.different = counters[kDifferent];
  stats.nan_payload = counters[kNanPayloads];
  stats.nan_only_reference = counters[kNanOnlyReferences];
  stats.nan_only_candidate = counters[kNanOnlyCandidates];
  stats.infinity_only_reference = counters[kInfinityOnlyReferences];
  stats.infinity_only_candidate = counters[kInfinityOnlyCandidates];
  stats.infinity_opposite = counters[kInfinitiesOpposite];
  histogram[0] = kIsOpaque<Format> ? 0 : work.count - apart - counters[kAnyNans];
  stats.signed_zero = kIsOpaque<Format>
                          ? 0
                          : counters[kDifferent] - apart - counters[kNanPayloads] -
                                counters[kNanOnlyReferences] - counters[kNanOnlyCandidates];
}

template <typename Format>
__device__ void WriteResult(const ElementWork& work, const ElementTotals& totals,
                            const ElementNode<Format>& node, ElementStats& stats) {
  WriteCounts<Format>(work, totals, stats);
  if (LaneId() == 0) {
    stats.max_abs = __longlong_as_double(static_cast<long long>(totals.max_abs));
    stats.max_rel = __uint_as_float(totals.max_rel);
    stats.max_ulp = node.max_ulp;
    stats.first_index = stats.worst_index = ElementStats::kNoIndex;
    stats.sum_dd = Rounded<Format>(node.dd);
    stats.sum_aa = Rounded<Format>(node.aa);
    stats.sum_bb = Rounded<Format>(node.bb);
    stats.sum_ab = Rounded<Format>(node.ab);
  }
  if (node.first_chunk != kNoChunk) WritePlaces<Format>(work, node, stats);
}

inline constexpr std::uint32_t kFinishWarps = 8;  // for a group; one where tasks are small

template <typename Format, std::uint32_t kWarps>
__global__ void __launch_bounds__(kFinishWarps* kWarp)
    FinishElementsKernel(const FinishBatch<Format> batch) {
  using Fold = NodeFold<Format>;
  __shared__ ElementNode<Format> shared[kWarps];
  __shared__ std::uint32_t done;
  const std::uint32_t group = (blockIdx.x * blockDim.x + threadIdx.x) / (kWarps * kWarp);
  if (group >= batch.groups) return;
  const std::uint32_t index = batch.work_of_group[group];
  const ElementWork& work = batch.works[index];
  const std::uint32_t first = (group - work.first_group) * kGroupPieces;
  const std::uint32_t count = min(kGroupPieces, work.pieces - first);
  ElementNode<Format> node =
      Fold::template FoldInBlock<kWarps>(batch.pieces + work.first_piece + first, count, shared);
  ElementTotals& totals = batch.totals[index];
  if constexpr (kWarps > 1) {
    if (work.groups > 1) {
      if (threadIdx.x == 0) {
        batch.group_nodes[group] = node;
        __threadfence();
        done = atomicAdd(&totals.groups_done, 1u) + 1;
        __threadfence();
      }
      __syncthreads();
      if (done != work.groups) return;
      node = Fold::template FoldInBlock<kWarps>(batch.group_nodes + work.first_group, work.groups,
                                                shared);
    }
    if (threadIdx.x >= kWarp) return;
  }
  WriteResult<Format>(work, totals, node, batch.results[work.result]);
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ELEMENTS_FINISH_CUH_
