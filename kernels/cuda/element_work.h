// How a batch of element comparisons is cut and what its kernels hand to one another.
//
// A task's tiles (kernels/sums.h) are taken in pieces of 2^k tiles, one warp a piece; up to
// kGroupPieces pieces fold into a group, and a task's groups into its result. Both cuts are
// aligned, so that all folds are those of the tree over tiles.
#ifndef GTEST_PARITY_KERNELS_CUDA_ELEMENT_WORK_H_
#define GTEST_PARITY_KERNELS_CUDA_ELEMENT_WORK_H_

#include <cstdint>
#include <type_traits>

#include "kernels/cuda/bit_stream.h"
#include "kernels/elements.h"
#include "kernels/formats.h"
#include "kernels/sums.h"

namespace parity {

// Bytes without a meaning, as a format.
struct Opaque {
  using Bits = std::uint8_t;
  static constexpr bool kIsFloat = false;
  static constexpr int kBits = 8;
};

template <typename Format>
inline constexpr bool kIsOpaque = std::is_same_v<Format, Opaque>;

inline constexpr std::uint32_t kMaxPieceTiles = 32;
inline constexpr std::uint32_t kGroupPieces = 1024;
inline constexpr std::uint32_t kNoChunk = ~std::uint32_t{0};

struct ElementWork {
  BitStream a, b;
  std::uint64_t count = 0;
  std::uint32_t first_piece = 0, pieces = 0;
  std::uint32_t first_group = 0, groups = 0;
  std::uint32_t piece_tiles = 1;  // a power of two
  std::uint32_t result = 0;       // index of the task
};

// What is counted besides the histogram.
enum PairCounter : std::uint32_t {
  kSignedZeros,
  kNanPayloads,
  kNanOnlyReferences,
  kNanOnlyCandidates,
  kInfinityOnlyReferences,
  kInfinityOnlyCandidates,
  kInfinitiesOpposite,
  kAnyNans,  // NaN on either side, equal bits included
  kDifferent,
  kPairCounters
};

// Of a task. Zero at the start.
struct ElementTotals {
  unsigned long long counters[kPairCounters];
  unsigned long long histogram[65];  // but for bin 0, which is what is left
  unsigned long long max_abs;        // bits of a double; ordered as the numbers are
  std::uint32_t max_rel;             // bits of a float
  std::uint32_t groups_done;
};

// Bits of a chunk: what a warp has in registers at a time, 32 lanes of so many vectors.
template <typename Format>
inline constexpr std::uint32_t kChunkLoads = [] {
  if constexpr (kIsOpaque<Format>)
    return 4;
  else
    return Format::kBits < 16 || (Format::kBits == 16 && !kHasRuns<Format>) ? 2 : 4;
}();
template <typename Format>
inline constexpr std::uint32_t kVectorElements = 128 / Format::kBits;
template <typename Format>
inline constexpr std::uint32_t kChunkVectors = 32 * kChunkLoads<Format>;
template <typename Format>
inline constexpr std::uint32_t kChunkElements = kChunkVectors<Format>* kVectorElements<Format>;
template <typename Format>
inline constexpr std::uint32_t kTileChunks =
    (kTileElements + kChunkElements<Format> - 1) / kChunkElements<Format>;

template <typename Format>
inline constexpr bool kSumsAreExact = [] {
  if constexpr (kIsOpaque<Format>)
    return false;
  else
    return kHasExactSums<Format>;
}();

template <typename Format, bool = kSumsAreExact<Format>>
struct NodeSum {
  using Type = double;
};
template <typename Format>
struct NodeSum<Format, true> {
  using Type = typename ExactSum<Format>::Units;
};

// Of a piece, a group of pieces or a whole task. Chunks are counted from the task's start.
template <typename Format>
struct ElementNode {
  using Sum = typename NodeSum<Format>::Type;
  Sum dd, aa, bb, ab;
  std::uint64_t max_ulp;
  std::uint32_t ulp_chunk;    // the first that holds it
  std::uint32_t first_chunk;  // the first that differs
  std::uint32_t nan_chunk;    // the first with a NaN on one side
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_ELEMENT_WORK_H_
