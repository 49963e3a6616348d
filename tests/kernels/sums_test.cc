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

TEST(SumsTest, ExactFoldRoundsOnce) {
  ExactFold fold;
  fold.Add(0x1p40);
  for (int i = 0; i < 1 << 6; ++i) fold.Add(0x1p-18);
  for (int i = 0; i < 10; ++i) fold.Add(-0x1p-18);
  fold.Add(-0x1p40);
  EXPECT_EQ(fold.Total(), 54 * 0x1p-18);
  fold.Add(-1);
  EXPECT_EQ(fold.Total(), 54 * 0x1p-18 - 1);
  EXPECT_EQ(ExactFold{}.Total(), 0);
}

TEST(SumsTest, OnlyEightBitTypesFoldExactly) {
  EXPECT_TRUE((std::is_same_v<TileFold<E4M3>, ExactFold>));
  EXPECT_TRUE((std::is_same_v<TileFold<IntegerFormat<std::int8_t>>, ExactFold>));
  EXPECT_TRUE((std::is_same_v<TileFold<BF16>, TreeFold>));
}

}  // namespace
}  // namespace parity
