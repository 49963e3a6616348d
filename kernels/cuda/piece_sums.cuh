// A lane's sums on their way to those of its piece.
#ifndef GTEST_PARITY_KERNELS_CUDA_PIECE_SUMS_CUH_
#define GTEST_PARITY_KERNELS_CUDA_PIECE_SUMS_CUH_

#include <cstdint>
#include <type_traits>

#include "kernels/cuda/element_lane.cuh"
#include "kernels/cuda/element_work.h"
#include "kernels/cuda/warp.cuh"

namespace parity {

// Ordered: the lanes of a tile fold, and what a piece's tiles come to waits in shared memory.
template <typename Format, bool = kSumsAreExact<Format>>
class PieceSums {
 public:
  struct Shared {
    double dd[kMaxPieceTiles], aa[kMaxPieceTiles], bb[kMaxPieceTiles], ab[kMaxPieceTiles];
  };

  __device__ explicit PieceSums(Shared& tiles) : tiles_(tiles) {
    const std::uint32_t lane = LaneId();
    tiles_.dd[lane] = tiles_.aa[lane] = tiles_.bb[lane] = tiles_.ab[lane] = 0;
    __syncwarp();
  }
  // `split` is false where bb and ab are aa and dd is 0.
  __device__ void FinishTile(LaneSums<Format>& lane, std::uint32_t tile, bool split) {
    const double aa = FoldOverLanes(lane.aa.value);
    double bb = aa, ab = aa, dd = 0;
    if (split) {
      dd = FoldOverLanes(lane.dd.value);
      bb = FoldOverLanes(lane.bb.value);
      ab = FoldOverLanes(lane.ab.value);
    }
    if (LaneId() == 0) {
      tiles_.dd[tile] = dd;
      tiles_.aa[tile] = aa;
      tiles_.bb[tile] = bb;
      tiles_.ab[tile] = ab;
    }
    lane = {};
  }
  __device__ void FinishChunk(LaneSums<Format>&) {}
  __device__ void Write(ElementNode<Format>& node, std::uint32_t tiles) const {
    __syncwarp();
    if (tiles == 1) {
      node.dd = tiles_.dd[0];
      node.aa = tiles_.aa[0];
      node.bb = tiles_.bb[0];
      node.ab = tiles_.ab[0];
      __syncwarp();
      return;
    }
    node.dd = FoldNeighbours(tiles_.dd[LaneId()]);
    node.aa = FoldNeighbours(tiles_.aa[LaneId()]);
    node.bb = FoldNeighbours(tiles_.bb[LaneId()]);
    node.ab = FoldNeighbours(tiles_.ab[LaneId()]);
    __syncwarp();
  }

 private:
  Shared& tiles_;
};

template <typename T>
__device__ inline T SumWide(T value) {
  for (int other = 1; other < static_cast<int>(kWarp); other *= 2) {
    const auto low = static_cast<unsigned long long>(value);
    const auto high = static_cast<unsigned long long>(static_cast<unsigned __int128>(value) >> 64);
    const unsigned long long other_low = __shfl_xor_sync(kAllLanes, low, other);
    const unsigned long long other_high = __shfl_xor_sync(kAllLanes, high, other);
    value += static_cast<T>(static_cast<unsigned __int128>(other_high) << 64 | other_low);
  }
  return value;
}

// Exact: in units of 2^-2kFractionBits. A chunk's partial sums are exact in f64.
template <typename Format>
class PieceSums<Format, true> {
 public:
  using Units = typename ExactSum<Format>::Units;
  struct Shared {};

  __device__ explicit PieceSums(Shared&) {}
  __device__ void FinishTile(LaneSums<Format>&, std::uint32_t, bool) {}
  __device__ void FinishChunk(LaneSums<Format>& lane) {
    dd_ += Wide(lane.dd);
    aa_ += Wide(lane.aa);
    bb_ += Wide(lane.bb);
    ab_ += Wide(lane.ab);
    lane = {};
  }
  __device__ void Write(ElementNode<Format>& node, std::uint32_t) const {
    node.dd = SumWide(static_cast<Units>(dd_));
    node.aa = SumWide(static_cast<Units>(aa_));
    node.bb = SumWide(static_cast<Units>(bb_));
    node.ab = SumWide(static_cast<Units>(ab_));
  }

 private:
  using Lane = std::conditional_t<kSplitsProducts<Format>, Units, long long>;
  static constexpr double kUnits =
      static_cast<double>(std::uint64_t{1} << (2 * Format::kFractionBits));

  __device__ static Lane Wide(const LaneSum<Format>& sum) {
    if constexpr (kSplitsProducts<Format>) {
      return static_cast<Lane>(static_cast<long long>(sum.whole)) *
                 static_cast<Lane>(std::uint64_t{1} << (2 * Format::kFractionBits)) +
             static_cast<long long>(sum.rest * kUnits);
    } else {
      return static_cast<long long>(sum.value * kUnits);
    }
  }
  Lane dd_ = 0, aa_ = 0, bb_ = 0, ab_ = 0;
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_PIECE_SUMS_CUH_
