#include "kernels/strided_copy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <random>

namespace parity {
namespace {

using testing::ElementsAre;
using Axes = std::vector<StridedLayout::Axis>;

std::vector<std::uint16_t> Iota(std::size_t count) {
  std::vector<std::uint16_t> values(count);
  std::iota(values.begin(), values.end(), std::uint16_t{0});
  return values;
}

std::vector<std::uint16_t> Gathered(const StridedLayout& layout,
                                    const std::vector<std::uint16_t>& strided) {
  std::vector<std::uint16_t> dense(layout.Elements());
  Gather(layout, 2, strided.data(), dense.data());
  return dense;
}

TEST(StridedCopy, Transposes) {
  // [2, 3] seen as [3, 2].
  EXPECT_THAT(Gathered({0, Axes{{3, 1}, {2, 3}}}, Iota(6)), ElementsAre(0, 3, 1, 4, 2, 5));
}

TEST(StridedCopy, TakesASliceOfAMiddleAxis) {
  // [2, 3, 2], [1, 3) of axis 1.
  EXPECT_THAT(Gathered({2, Axes{{2, 6}, {2, 2}, {2, 1}}}, Iota(12)),
              ElementsAre(2, 3, 4, 5, 8, 9, 10, 11));
}

TEST(StridedCopy, ScatterLeavesTheRestAlone) {
  std::vector<std::uint16_t> strided(12, 0xffff);
  const std::vector<std::uint16_t> dense = {1, 2, 3, 4, 5, 6, 7, 8};
  Scatter({2, Axes{{2, 6}, {2, 2}, {2, 1}}}, 2, dense.data(), strided.data());
  EXPECT_THAT(strided, ElementsAre(0xffff, 0xffff, 1, 2, 3, 4, 0xffff, 0xffff, 5, 6, 7, 8));
}

TEST(StridedCopy, ScalarsAndNothing) {
  EXPECT_THAT(Gathered({3, {}}, Iota(6)), ElementsAre(3));
  EXPECT_THAT(Gathered({0, Axes{{0, 4}, {4, 1}}}, Iota(6)), ElementsAre());
  EXPECT_THAT(Gathered({0, Axes{{4, 1}, {0, 4}}}, Iota(6)), ElementsAre());
}

// Against index arithmetic, on random permutations and slices, at every element size, unaligned.
TEST(StridedCopy, IsIndexArithmetic) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const std::size_t rank = 1 + random() % 4;
    const std::uint32_t width = 1u << random() % 4;
    std::vector<std::uint64_t> extents(rank);
    for (std::uint64_t& extent : extents) extent = 1 + random() % 5;
    Axes natural(rank);
    std::uint64_t stride = 1;
    for (std::size_t axis = rank; axis-- > 0; stride *= extents[axis]) {
      natural[axis] = {extents[axis], stride};
    }
    StridedLayout layout{0, natural};
    const std::size_t cut = random() % rank;
    const std::uint64_t start = random() % extents[cut];
    layout.offset = start * natural[cut].stride;
    layout.axes[cut].extent = 1 + random() % (extents[cut] - start);
    std::shuffle(layout.axes.begin(), layout.axes.end(), random);

    std::vector<unsigned char> strided(stride * width + 1), dense(layout.Elements() * width + 1);
    for (unsigned char& byte : strided) byte = static_cast<unsigned char>(random());
    Gather(layout, width, strided.data() + 1, dense.data() + 1);
    for (std::uint64_t index = 0; index < layout.Elements(); ++index) {
      std::uint64_t place = layout.offset, rest = index;
      for (std::size_t axis = rank; axis-- > 0;) {
        place += rest % layout.axes[axis].extent * layout.axes[axis].stride;
        rest /= layout.axes[axis].extent;
      }
      ASSERT_EQ(
          std::memcmp(dense.data() + 1 + index * width, strided.data() + 1 + place * width, width),
          0);
    }
    std::vector<unsigned char> back = strided;
    Scatter(layout, width, dense.data() + 1, back.data() + 1);
    ASSERT_EQ(back, strided);
  }
}

}  // namespace
}  // namespace parity
