#include "suites/kv/formats/compare_sections.h"

#include <gtest/gtest.h>

#include "gtest_parity/manifest/sha256.h"
#include "tests/kv/formats/kvc_samples.h"

namespace parity::kv {
namespace {

struct Side {
  MemoryBytes bytes;
  Record record;
  ComparedRecord compared() { return {&bytes, &record}; }
};

Side SideOf(const std::string& text, std::vector<Range> masked = {}) {
  Side side{MemoryBytes(Bytes(text.begin(), text.end())), {}};
  side.record.size = text.size();
  side.record.masked = std::move(masked);
  return side;
}

TEST(CompareSections, HashesUnderTheMask) {
  Side side = SideOf("abcdef", {{2, 2}});
  EXPECT_EQ(MaskedSha256(side.compared(), {1, 4}), Sha256Of(std::string("b\0\0e", 4)));
  EXPECT_EQ(MaskedSha256(side.compared(), {4, 9}), "(past_end)");
}

TEST(CompareSections, TheMaskHoldsOverPieces) {
  const std::string text(2 * RecordBytes::kPieceBytes + 10, 'x');
  Side side = SideOf(text, {{RecordBytes::kPieceBytes - 3, 6}});
  std::string masked = text;
  for (std::size_t i = 0; i < 6; ++i) masked[RecordBytes::kPieceBytes - 3 + i] = '\0';
  EXPECT_EQ(MaskedSha256(side.compared(), {0, text.size()}), Sha256Of(masked));
}

TEST(CompareSections, CountsDifferencesAndFindsTheFirst) {
  Side left = SideOf("..abcdef"), right = SideOf("abXdXf");
  const auto found = CompareBytes(left.compared(), {2, 6}, right.compared(), {0, 6}, {});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->count, 2u);
  EXPECT_EQ(found->first, 2u);
}

TEST(CompareSections, DifferencesInALaterPieceAreFound) {
  std::string text(RecordBytes::kPieceBytes + 9, 'x');
  Side left = SideOf(text);
  text[RecordBytes::kPieceBytes + 4] = 'y';
  Side right = SideOf(text);
  const auto found =
      CompareBytes(left.compared(), {0, text.size()}, right.compared(), {0, text.size()}, {});
  EXPECT_EQ(found->count, 1u);
  EXPECT_EQ(found->first, RecordBytes::kPieceBytes + 4);
}

TEST(CompareSections, WhatBothMaskOrWasToldIsNotCounted) {
  Side left = SideOf("abcdef", {{0, 1}}), right = SideOf("XbXdXf", {{0, 1}});
  EXPECT_EQ(CompareBytes(left.compared(), {0, 6}, right.compared(), {0, 6}, {})->count, 2u);
  EXPECT_EQ(CompareBytes(left.compared(), {0, 6}, right.compared(), {0, 6}, {{2, 1}})->count, 1u);
  Side unmasked = SideOf("XbXdXf");
  EXPECT_EQ(CompareBytes(left.compared(), {0, 6}, unmasked.compared(), {0, 6}, {})->count, 3u);
}

TEST(CompareSections, ASideThatCannotBeReadIsNoAnswer) {
  Side left = SideOf("abc"), right = SideOf("ab");
  EXPECT_FALSE(CompareBytes(left.compared(), {0, 3}, right.compared(), {0, 3}, {}).has_value());
}

TEST(CompareSections, AWindowEndsWithTheFile) {
  Side side = SideOf("abcdef", {{4, 1}});
  const auto window = WindowOf(side.compared(), {3, 16});
  ASSERT_EQ(window.size(), 3u);
  EXPECT_EQ(window[0].value, 'd');
  EXPECT_TRUE(window[1].masked);
  EXPECT_TRUE(WindowOf(side.compared(), {99, 16}).empty());
}

}  // namespace
}  // namespace parity::kv
