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
    Node mine = Nothing();
    for (std::uint32_t row = 0; row * kWarp < count; ++row) {
      const std::uint32_t i = row * kWarp + LaneId();
      const Node folded = OverLanes(i < count ? nodes[i] : Nothing());
      if (LaneId() == row) mine = folded;
    }
    return count <= kWarp ? Broadcast(mine) : OverLanes(mine);
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

  // Lane 0's: the others hold nothing, so their sum is its own.
  __device__ static Node Broadcast(const Node& node) { return OverLanes(node); }
};

// The lowest index in a chunk for which `is(x, y)`.
template <typename Format, typename Is>
__device__ std::uint64_t FindInChunk(const ElementWork& work, std::uint32_t chunk, Is is) {
  const std::uint64_t begin = std::uint64_t{chunk} * kChunkElements<Format>;
  std::uint64_t found = ElementStats::kNoIndex;
  for (std::uint32_t i = LaneId(); i < kChunkElements<Format>; i += kWarp) {
    if (begin + i >= work.count || found != ElementStats::kNoIndex) break;
    if (is(ElementAt<Format>(work.a, begin + i), ElementAt<Format>(work.b, begin + i))) {
      found = begin + i;
    }
  }
  return MinOfLanes(found);
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
  for (std::uint32_t bin = 1; bin < 65; ++bin) {
    stats.ulp_histogram[bin] = totals.histogram[bin];
    apart += totals.histogram[bin];
  }
  const auto* counters = totals.counters;
  stats.compared = work.count;
  stats.different = counters[kDifferent];
  stats.nan_payload = counters[kNanPayloads];
  stats.nan_only_reference = counters[kNanOnlyReferences];
  stats.nan_only_candidate = counters[kNanOnlyCandidates];
  stats.infinity_only_reference = counters[kInfinityOnlyReferences];
  stats.infinity_only_candidate = counters[kInfinityOnlyCandidates];
  stats.infinity_opposite = counters[kInfinitiesOpposite];
  stats.ulp_histogram[0] = 0;
  stats.signed_zero = 0;
  if constexpr (!kIsOpaque<Format>) {
    stats.ulp_histogram[0] = work.count - apart - counters[kAnyNans];
    stats.signed_zero = counters[kDifferent] - apart - counters[kNanPayloads] -
                        counters[kNanOnlyReferences] - counters[kNanOnlyCandidates];
  }
}

template <typename Format>
__device__ void WriteResult(const ElementWork& work, const ElementTotals& totals,
                            const ElementNode<Format>& node, ElementStats& stats) {
  if (LaneId() == 0) {
    WriteCounts<Format>(work, totals, stats);
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

template <typename Format>
__global__ void __launch_bounds__(128) FinishElementsKernel(const FinishBatch<Format> batch) {
  using Fold = NodeFold<Format>;
  const std::uint32_t group = (blockIdx.x * blockDim.x + threadIdx.x) / kWarp;
  if (group >= batch.groups) return;
  const std::uint32_t index = batch.work_of_group[group];
  const ElementWork& work = batch.works[index];
  const std::uint32_t first = (group - work.first_group) * kGroupPieces;
  const std::uint32_t count = min(kGroupPieces, work.pieces - first);
  ElementNode<Format> node = Fold::Fold(batch.pieces + work.first_piece + first, count);
  ElementTotals& totals = batch.totals[index];
  if (work.groups > 1) {
    std::uint32_t done = 0;
    if (LaneId() == 0) {
      batch.group_nodes[group] = node;
      __threadfence();
      done = atomicAdd(&totals.groups_done, 1u) + 1;
    }
    if (__shfl_sync(kAllLanes, done, 0) != work.groups) return;
    __threadfence();
    node = Fold::Fold(batch.group_nodes + work.first_group, work.groups);
  }
  WriteResult<Format>(work, totals, node, batch.results[work.result]);
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ELEMENTS_FINISH_CUH_
