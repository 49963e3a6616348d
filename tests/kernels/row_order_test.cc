#include "kernels/row_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "kernels/formats.h"

namespace parity {
namespace {

TEST(RowOrderTest, KeysAscendFromNanToInfinity) {
  const std::uint32_t ascending[] = {0xff800000, 0xff7fffff, 0xbf800000, 0x80000001, 0x80000000,
                                     0x00000001, 0x3f800000, 0x7f7fffff, 0x7f800000};
  for (std::size_t i = 1; i < std::size(ascending); ++i) {
    EXPECT_LT(OrderKey<F32>(ascending[i - 1]), OrderKey<F32>(ascending[i])) << i;
  }
  for (const std::uint32_t nan : {0x7fc00000u, 0xffc00000u, 0x7f800001u}) {
    EXPECT_LT(OrderKey<F32>(nan), OrderKey<F32>(0xff800000u));
  }
  EXPECT_EQ(OrderKey<F32>(0x80000000), OrderKey<F32>(0));
  EXPECT_LT(OrderKey<F64>(0xffffffffffffffff), OrderKey<F64>(0xfff0000000000000));
  EXPECT_LT(OrderKey<E4M3>(0xff), OrderKey<E4M3>(0xfe));
}

TEST(RowOrderTest, LowestColumnComesFirstOnTies) {
  EXPECT_TRUE(Before({2, 9}, {1, 0}));
  EXPECT_TRUE(Before({1, 3}, {1, 4}));
  EXPECT_FALSE(Before({1, 4}, {1, 3}));
  EXPECT_FALSE(Before({1, 4}, {1, 4}));
}

TEST(RowOrderTest, TopColumnsAreTheStartOfTheSortedRow) {
  std::mt19937 random(1);
  for (const std::uint32_t columns : {1u, 2u, 19u, 20u, 21u, 500u}) {
    for (const std::uint32_t values : {1u, 3u, 1000000u}) {
      std::vector<RowPlace> row;
      TopColumns top;
      for (std::uint32_t i = 0; i < columns; ++i) {
        row.push_back({static_cast<std::int64_t>(random() % values), i});
        top.Offer(row.back());
      }
      std::stable_sort(row.begin(), row.end(),
                       [](const RowPlace& p, const RowPlace& q) { return p.key > q.key; });
      ASSERT_EQ(top.size, std::min(columns, kTopColumns));
      for (std::uint32_t i = 0; i < top.size; ++i) ASSERT_EQ(top.places[i].column, row[i].column);
    }
  }
}

TEST(RowOrderTest, OverlapCountsColumnsWhateverTheirPlace) {
  TopColumns a, b;
  for (std::uint32_t i = 0; i < 20; ++i) a.Offer({static_cast<std::int64_t>(i), i});
  for (std::uint32_t i = 0; i < 20; ++i) b.Offer({-static_cast<std::int64_t>(i), i + 15});
  EXPECT_EQ(a.Overlap(b), 5u);
  EXPECT_EQ(a.Overlap(a), 20u);
}

}  // namespace
}  // namespace parity
