// From a batch's pieces to its results: the tree over tiles, and where the worst element is.
#ifndef GTEST_PARITY_KERNELS_CUDA_ELEMENTS_FINISH_CUH_
#define GTEST_PARITY_KERNELS_CUDA_ELEMENTS_FINISH_CUH_

#include <cstdint>

#include "kernels/cuda/element_result.cuh"
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
    const std::uint32_t warp = kWarps == 1 ? 0 : threadIdx.x / kWarp, first = warp * kPart;
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
