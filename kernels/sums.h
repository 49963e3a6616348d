// The order in which sums over elements are added, so that host and device get the same bits.
//
// Elements are cut into tiles of kTileElements, from element 0 of what is compared. Within a tile
// an element belongs to one of kLanes lanes, as if a warp read the tile in 16-byte loads: the first
// 16 bytes' elements go to lane 0, the next to lane 1, and so on around. A lane adds its elements
// in index order, starting from 0, each product rounded to f64 before it is added. (The products of
// floats of up to 32 bits are exact, so there a fused multiply-add gives the same bits.) Pairs that
// are not finite add nothing, or 0, which is the same. The lanes fold as a tree: 16 + 16, 8 + 8,
// 4 + 4, 2 + 2, 1 + 1, the higher lane added to the lower.
//
// Of 16-bit floats a lane first adds, in the same way, what it has of a run of kRunElements
// elements in f32: squares of both sides from kRunBegin, those of differences from 0, each rounded
// to f32 before it is added. (Squares of elements are exact but for those so small that they vanish
// beside kRunBegin, so there a fused multiply-add gives the same bits.) Where the run holds, that
// is where nothing went beneath f32 or beyond it and neither side is far larger than the other, the
// three sums are added in f64, and to the products' half of what the squares of both sides exceed
// those of the differences. Where it does not hold its elements are added in f64 one by one, as
// those of other types; if all of them are 0 nothing is.
//
// Tiles fold as a tree too: a node of level k covers 2^k tiles that start at a multiple of 2^k and
// is left child + right child; where there is no right child it is the left one.
//
// The sums of numbers of up to 8 bits are instead exact, rounded once, so that they may be taken in
// any order, from a histogram say. (e8m0 is all exponent: its sums are ordered ones.)
#ifndef GTEST_PARITY_KERNELS_SUMS_H_
#define GTEST_PARITY_KERNELS_SUMS_H_

#include <cstdint>
#include <type_traits>

#include "kernels/host_device.h"

namespace parity {

inline constexpr std::uint32_t kTileElements = 4096;
inline constexpr std::uint32_t kLanes = 32;

// Elements of `bytes` bytes that one lane takes at a time.
PARITY_HOST_DEVICE constexpr std::uint32_t ElementsPerLoad(std::uint32_t bytes) {
  return 16 / bytes;
}

// Lane of element `index`, counted from the start of its tile.
PARITY_HOST_DEVICE constexpr std::uint32_t LaneOf(std::uint32_t index, std::uint32_t bytes) {
  return (index / ElementsPerLoad(bytes)) % kLanes;
}

// sum + round(x * y), never fused.
PARITY_HOST_DEVICE inline double AddProduct(double sum, double x, double y) {
#ifdef __CUDA_ARCH__
  return __dadd_rn(sum, __dmul_rn(x, y));
#else
  const double product = x * y;
  return sum + product;
#endif
}

// The same in f32.
PARITY_HOST_DEVICE inline float AddProduct(float sum, float x, float y) {
#ifdef __CUDA_ARCH__
  return __fadd_rn(sum, __fmul_rn(x, y));
#else
  const float product = x * y;
  return sum + product;
#endif
}

template <typename Format>
inline constexpr bool kHasRuns = Format::kIsFloat&& Format::kBits == 16;
inline constexpr std::uint32_t kRunElements = 1024;  // four loads of each lane
inline constexpr float kRunBegin = 0x1p-108f;
inline constexpr float kLeastSquares = 0x1p-80f, kMostSquares = 0x1p120f;
inline constexpr float kMostApart = 256;

// Whether a lane's sums of squares say that its run holds. False for NaN.
PARITY_HOST_DEVICE inline bool RunHolds(float aa, float bb) {
  return aa >= kLeastSquares && aa <= kMostSquares && bb >= kLeastSquares && bb <= kMostSquares &&
         aa <= kMostApart * bb && bb <= kMostApart * aa;
}

// What a run that holds adds to the sum of products.
PARITY_HOST_DEVICE inline double RunProducts(float dd, float aa, float bb) {
  const double squares = static_cast<double>(aa) + static_cast<double>(bb);
  return (squares - static_cast<double>(dd)) * 0.5;
}

// Leaves the sum in lanes[0].
PARITY_HOST_DEVICE inline double FoldLanes(double* lanes) {
  for (std::uint32_t half = kLanes / 2; half != 0; half /= 2) {
    for (std::uint32_t i = 0; i < half; ++i) lanes[i] += lanes[i + half];
  }
  return lanes[0];
}

// The tree over tiles, which come in order: what is pending is one node per set bit of `tiles`.
struct TreeFold {
  double pending[64] = {};
  std::uint64_t tiles = 0;

  PARITY_HOST_DEVICE void Add(double tile) {
    int level = 0;
    for (; ((tiles >> level) & 1) != 0; ++level) tile = pending[level] + tile;
    pending[level] = tile;
    ++tiles;
  }
  PARITY_HOST_DEVICE double Total() const {
    double total = 0;
    bool first = true;
    for (int level = 0; level < 64; ++level) {
      if (((tiles >> level) & 1) == 0) continue;
      total = first ? pending[level] : pending[level] + total;
      first = false;
    }
    return total;
  }
};

template <typename Format>
inline constexpr bool kHasExactSums = [] {
  if constexpr (requires { Format::kFractionBits; }) return Format::kBits <= 8;
  return false;
}();

// `value`, a finite element or a difference of two rounded to f32, in units of 2^-kFractionBits.
template <typename Format>
PARITY_HOST_DEVICE constexpr std::int64_t InUnits(double value) {
  return static_cast<std::int64_t>(value *
                                   static_cast<double>(std::int64_t{1} << Format::kFractionBits));
}

// The exact sum of products of numbers InUnits. At its widest, for e5m2, a product is below 2^66
// units: 2^60 of them fit.
template <typename Format>
struct ExactSum {
  __extension__ typedef __int128 Units;
  Units units = 0;

  // `times` products of x and y.
  PARITY_HOST_DEVICE void Add(std::int64_t x, std::int64_t y, std::uint64_t times = 1) {
    units += Units{x} * y * static_cast<Units>(times);
  }
  PARITY_HOST_DEVICE double Total() const {
    constexpr std::int64_t kUnit = std::int64_t{1} << Format::kFractionBits;
    return static_cast<double>(units) / static_cast<double>(kUnit) / static_cast<double>(kUnit);
  }
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_SUMS_H_
