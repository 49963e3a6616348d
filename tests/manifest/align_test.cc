#include "gtest_parity/manifest/align.h"

#include <gtest/gtest.h>

#include <random>

namespace parity {
namespace {

using List = std::vector<std::uint32_t>;

std::size_t LongestByTable(const List& a, const List& b) {
  std::vector<std::vector<std::size_t>> best(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      best[i][j] =
          a[i - 1] == b[j - 1] ? best[i - 1][j - 1] + 1 : std::max(best[i - 1][j], best[i][j - 1]);
    }
  }
  return best[a.size()][b.size()];
}

void ExpectLongest(const List& a, const List& b) {
  const auto pairs = Align(a, b);
  EXPECT_EQ(pairs.size(), LongestByTable(a, b));
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    EXPECT_EQ(a.at(pairs[k].first), b.at(pairs[k].second));
    if (k == 0) continue;
    EXPECT_LT(pairs[k - 1].first, pairs[k].first);
    EXPECT_LT(pairs[k - 1].second, pairs[k].second);
  }
}

TEST(Align, EmptyAndEqualAndDisjoint) {
  EXPECT_TRUE(Align({}, {}).empty());
  EXPECT_TRUE(Align({1, 2}, {}).empty());
  EXPECT_TRUE(Align({1, 2}, {3, 4}).empty());
  EXPECT_EQ(Align({1, 2, 3}, {1, 2, 3}).size(), 3u);
}

TEST(Align, TrimsEndsThatOverlap) {
  ExpectLongest({1, 1, 1}, {1, 1});
  ExpectLongest({1, 2, 1}, {1, 2, 1, 2, 1});
}

TEST(Align, IsAsLongAsTheTableSays) {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    const std::uint32_t letters = 1 + random() % 6;
    List a(random() % 12), b(random() % 12);
    for (auto* list : {&a, &b}) {
      for (auto& one : *list) one = random() % letters;
    }
    ExpectLongest(a, b);
  }
}

// Rows of more than one word, where carries run from one into the next.
TEST(Align, LongListsToo) {
  std::mt19937 random(11);
  for (const std::size_t size : {63u, 64u, 65u, 127u, 128u, 129u, 400u}) {
    for (const std::uint32_t letters : {1u, 2u, 5u, 50u, 100000u}) {
      List a(size), b(size + random() % 40);
      for (auto* list : {&a, &b}) {
        for (auto& one : *list) one = random() % letters;
      }
      ExpectLongest(a, b);
    }
  }
}

}  // namespace
}  // namespace parity
