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

TEST(SumsTest, RunsHoldWithinBoundsAndNearEachOther) {
  EXPECT_TRUE(RunHolds(1, 1));
  EXPECT_TRUE(RunHolds(kLeastSquares, kLeastSquares));
  EXPECT_TRUE(RunHolds(kMostSquares, kMostSquares));
  EXPECT_TRUE(RunHolds(1, kMostApart));
  EXPECT_TRUE(RunHolds(kMostApart, 1));
  EXPECT_FALSE(RunHolds(1, kMostApart + 1));
  EXPECT_FALSE(RunHolds(kMostApart + 1, 1));
  EXPECT_FALSE(RunHolds(0x1p-81f, 0x1p-80f));
  EXPECT_FALSE(RunHolds(0x1p120f, 0x1p121f));
  EXPECT_FALSE(RunHolds(kRunBegin, kRunBegin)) << "zeros";
  EXPECT_FALSE(RunHolds(NAN, 1));
  EXPECT_FALSE(RunHolds(1, INFINITY));
}

TEST(SumsTest, RunsBeginWithWhatOnlyVanishingSquaresVanishBeside) {
  // The square of a bf16 is exact down to 2^-133; all smaller ones leave the sum as it is.
  const float largest = 0x1.fep-67f;
  EXPECT_EQ(std::fma(largest, largest, kRunBegin), kRunBegin);
  EXPECT_EQ(AddProduct(kRunBegin, largest, largest), kRunBegin);
  EXPECT_EQ(kLeastSquares + kRunBegin, kLeastSquares) << "what holds does not show it";
}

TEST(SumsTest, ProductsOfARunAreHalfOfWhatSquaresLeave) {
  EXPECT_EQ(RunProducts(0, 3, 3), 3);
  EXPECT_EQ(RunProducts(4, 1, 9), 3);    // 1 and 3
  EXPECT_EQ(RunProducts(16, 1, 9), -3);  // 1 and -3
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
