#include "kernels/digest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace parity {
namespace {

std::vector<unsigned char> Sequence(std::size_t bytes) {
  std::vector<unsigned char> data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<unsigned char>(i * 37 + 11);
  return data;
}

// By the formula in the header, one byte at a time.
Digest ByFormula(const std::vector<unsigned char>& data) {
  std::uint64_t first = 0, second = 0;
  for (std::size_t i = 0; i * 8 < data.size(); ++i) {
    std::uint64_t word = 0;
    for (std::size_t k = i * 8; k < std::min(i * 8 + 8, data.size()); ++k) {
      word |= std::uint64_t{data[k]} << (8 * (k - i * 8));
    }
    const std::uint64_t x = Mix(word ^ Mix(i + 1));
    first += x;
    second += Mix(x + 0x9e3779b97f4a7c15);
  }
  return {Mix(first + data.size()), Mix(second + data.size())};
}

TEST(DigestTest, MixIsTheFinaliserOfSplitMix64) {
  // The first outputs of SplitMix64 seeded with 0.
  EXPECT_EQ(Mix(0x9e3779b97f4a7c15), 0xe220a8397b1dcdafu);
  EXPECT_EQ(Mix(2 * std::uint64_t{0x9e3779b97f4a7c15}), 0x6e789e6aa1b965f4u);
}

TEST(DigestTest, FollowsTheFormulaAtAnySizeAndAddress) {
  for (const std::size_t bytes : {0, 1, 7, 8, 9, 63, 64, 1001}) {
    std::vector<unsigned char> data = Sequence(bytes);
    const Digest expected = ByFormula(data);
    EXPECT_EQ(DigestOf(data.data(), bytes), expected) << bytes;
    data.insert(data.begin(), 0xee);
    EXPECT_EQ(DigestOf(data.data() + 1, bytes), expected) << bytes;
  }
}

TEST(DigestTest, EveryBitOfEveryByteChangesBothHalves) {
  std::vector<unsigned char> data = Sequence(67);
  const Digest before = DigestOf(data.data(), data.size());
  for (std::size_t bit = 0; bit < data.size() * 8; ++bit) {
    data[bit / 8] ^= static_cast<unsigned char>(1 << (bit % 8));
    const Digest after = DigestOf(data.data(), data.size());
    EXPECT_NE(after.first, before.first) << bit;
    EXPECT_NE(after.second, before.second) << bit;
    data[bit / 8] ^= static_cast<unsigned char>(1 << (bit % 8));
  }
}

TEST(DigestTest, LengthCountsAlsoAmongZeros) {
  const std::vector<unsigned char> zeros(100);
  std::set<std::string> texts;
  for (std::size_t bytes = 0; bytes <= zeros.size(); ++bytes) {
    texts.insert(HexText(DigestOf(zeros.data(), bytes)));
  }
  EXPECT_EQ(texts.size(), zeros.size() + 1);
}

TEST(DigestTest, PlaceCounts) {
  std::vector<unsigned char> data = Sequence(64);
  const Digest before = DigestOf(data.data(), data.size());
  std::swap_ranges(data.begin(), data.begin() + 8, data.begin() + 8);
  EXPECT_NE(DigestOf(data.data(), data.size()), before);
}

TEST(DigestTest, WordsMayComeInAnyOrder) {
  Digest forward, backward;
  for (std::uint64_t i = 0; i < 10; ++i) forward.Add(i, i * i);
  for (std::uint64_t i = 10; i-- > 0;) backward.Add(i, i * i);
  EXPECT_EQ(forward.Finished(80), backward.Finished(80));
}

TEST(DigestTest, TextHasThirtyTwoDigits) {
  EXPECT_EQ(HexText({0x1, 0xabcdef}), "00000000000000010000000000abcdef");
}

}  // namespace
}  // namespace parity
