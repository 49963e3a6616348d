#include <gtest/gtest.h>

#include <random>

#include "gtest_parity/side/ranges.h"
#include "kernels/changed.h"

namespace parity {
namespace {

struct ComplementCase {
  ElementRanges ranges;
  std::uint64_t count;
  ElementRanges rest;
};

TEST(Complement, OfRanges) {
  const ComplementCase cases[] = {
      {{}, 0, {}},
      {{}, 5, {{0, 5}}},
      {{{0, 5}}, 5, {}},
      {{{1, 2}}, 5, {{0, 1}, {3, 2}}},
      {{{0, 1}, {4, 1}}, 5, {{1, 3}}},
      {{{0, 2}, {2, 3}}, 5, {}},
      // What lies beyond the count is not there.
      {{{3, 9}}, 5, {{0, 3}}},
      {{{0, 1}, {8, 2}}, 5, {{1, 4}}},
      {{{5, 1}}, 5, {{0, 5}}},
      {{{7, 1}}, 0, {}},
  };
  for (const ComplementCase& at : cases) EXPECT_EQ(Complement(at.ranges, at.count), at.rest);
}

struct BlocksCase {
  std::vector<std::uint64_t> bitmap;
  std::uint64_t bytes;
  DType dtype;
  ElementRanges ranges;
};

TEST(BlocksToElements, OfBitmaps) {
  const BlocksCase cases[] = {
      {{}, 0, DType::kF32, {}},
      {{0}, 256, DType::kF32, {}},
      {{1}, 256, DType::kF32, {{0, 16}}},
      {{0b1011}, 256, DType::kF32, {{0, 32}, {48, 16}}},
      {{0b100}, 136, DType::kF64, {{16, 1}}},  // a short last block
      {{0b1}, 3, DType::kU8, {{0, 3}}},
      {{0b10}, 67, DType::kE2M1, {{128, 6}}},
      {{std::uint64_t{1} << 63, 1}, 65 * 64, DType::kBF16, {{63 * 32, 64}}},  // across two words
  };
  for (const BlocksCase& at : cases) {
    EXPECT_EQ(BlocksToElements(at.bitmap, at.bytes, at.dtype), at.ranges);
  }
}

TEST(BlocksToElements, CoverEveryChangedByteAndNothingElse) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    const std::uint64_t elements = random() % 700;
    std::vector<std::uint32_t> a(elements), b(elements);
    for (int i = 0; elements != 0 && i < 5; ++i) b[random() % elements] = random();
    const std::uint64_t bytes = elements * sizeof(std::uint32_t);
    std::vector<bool> covered(elements);
    for (const ElementRun& run :
         BlocksToElements(ChangedBlocks(a.data(), b.data(), bytes), bytes, DType::kU32)) {
      for (std::uint64_t i = run.first; i < run.first + run.count; ++i) covered.at(i) = true;
    }
    for (std::uint64_t i = 0; i < elements; ++i) {
      bool block_differs = false;
      for (std::uint64_t k = i / 16 * 16; k < std::min(elements, i / 16 * 16 + 16); ++k) {
        block_differs |= a[k] != b[k];
      }
      EXPECT_EQ(covered[i], block_differs) << i;
    }
  }
}

}  // namespace
}  // namespace parity
