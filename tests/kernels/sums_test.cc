#include "kernels/sums.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "kernels/formats.h"

namespace parity {
namespace {

TEST(SumsTest, LanesTakeSixteenBytesInTurn) {
  EXPECT_EQ(LaneOf(0, 4), 0u);
  EXPECT_EQ(LaneOf(3, 4), 0u);
  EXPECT_EQ(LaneOf(4, 4), 1u);
  EXPECT_EQ(LaneOf(127, 4), 31u);
  EXPECT_EQ(LaneOf(128, 4), 0u);
  EXPECT_EQ(LaneOf(15, 1), 0u);
  EXPECT_EQ(LaneOf(16, 1), 1u);
  EXPECT_EQ(LaneOf(2, 8), 1u);
}

TEST(SumsTest, LanesFoldAsATree) {
  double lanes[kLanes] = {};
  lanes[0] = 1;
  lanes[16] = 0x1p60;
  lanes[15] = -0x1p60;
  lanes[31] = 1;
  // 1 + 2^60 and -2^60 + 1 both lose the 1 before they meet.
  EXPECT_EQ(FoldLanes(lanes), 0);
}

TEST(SumsTest, ProductsAreRoundedBeforeTheyAreAdded) {
  const double x = 1 + 0x1p-30;
  EXPECT_EQ(AddProduct(-(x * x), x, x), 0);
  EXPECT_NE(std::fma(x, x, -(x * x)), 0);
}

// The tree of kernels/sums.h by recursion: tiles [begin, begin + 2^level).
double Node(const std::vector<double>& tiles, std::size_t begin, int level) {
  if (level == 0) return tiles[begin];
  const std::size_t middle = begin + (std::size_t{1} << (level - 1));
  const double left = Node(tiles, begin, level - 1);
  return middle < tiles.size() ? left + Node(tiles, middle, level - 1) : left;
}

TEST(SumsTest, TilesFoldAsATree) {
  std::mt19937_64 random(3);
  std::lognormal_distribution<double> spread(0, 20);
  for (std::size_t count = 1; count < 70; ++count) {
    std::vector<double> tiles(count);
    TreeFold fold;
    for (double& tile : tiles) fold.Add(tile = spread(random));
    EXPECT_EQ(fold.Total(), Node(tiles, 0, 7)) << count << " tiles";
  }
  EXPECT_EQ(TreeFold{}.Total(), 0);
}

TEST(SumsTest, UnitsAreTheSmallestElement) {
  EXPECT_EQ(InUnits<E4M3>(0x1p-9), 1);
  EXPECT_EQ(InUnits<E5M2>(0x1p-16), 1);
  EXPECT_EQ(InUnits<E5M2>(-57344), -57344 * 65536ll);
  EXPECT_EQ(InUnits<E2M1>(-6), -12);
  EXPECT_EQ(InUnits<IntegerFormat<std::uint8_t>>(255), 255);
}

TEST(SumsTest, ExactSumRoundsOnce) {
  const std::int64_t large = InUnits<E5M2>(2 * 57344), one = InUnits<E5M2>(1);
  ExactSum<E5M2> sum;
  EXPECT_EQ(sum.Total(), 0);
  for (int i = 0; i < 1 << 16; ++i) sum.Add(large, large);
  for (int i = 0; i < 1 << 6; ++i) sum.Add(1, 1);
  for (int i = 0; i < 10; ++i) sum.Add(1, -1);
  EXPECT_EQ(sum.Total(), 65536.0 * 4 * 57344 * 57344) << "54 * 2^-32 is less than half an ulp";
  for (int i = 0; i < 1 << 16; ++i) sum.Add(-large, large);
  EXPECT_EQ(sum.Total(), 54 * 0x1p-32);
  sum.Add(-one, one);
  EXPECT_EQ(sum.Total(), 54 * 0x1p-32 - 1);
}

TEST(SumsTest, NumbersOfUpToEightBitsHaveExactSums) {
  EXPECT_TRUE(kHasExactSums<E4M3>);
  EXPECT_TRUE(kHasExactSums<E5M2>);
  EXPECT_TRUE(kHasExactSums<E2M1>);
  EXPECT_TRUE(kHasExactSums<IntegerFormat<std::int8_t>>);
  EXPECT_FALSE(kHasExactSums<E8M0>);
  EXPECT_FALSE(kHasExactSums<BF16>);
}

}  // namespace
}  // namespace parity
