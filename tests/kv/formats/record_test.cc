#include "suites/kv/formats/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parity::kv {
namespace {

using ::testing::ElementsAre;

TEST(Record, RefusalIsTheFirstProblemThatRefuses) {
  Record record;
  EXPECT_EQ(record.Refusal(), nullptr);
  record.Add(ProblemKind::kTrailerMagic, "trailer", "lenient");
  EXPECT_EQ(record.Refusal(), nullptr);
  record.Add(ProblemKind::kPayloadMagic, "payload", "no");
  record.Add(ProblemKind::kBadQuant, "quant", "no");
  ASSERT_NE(record.Refusal(), nullptr);
  EXPECT_EQ(record.Refusal()->kind, ProblemKind::kPayloadMagic);
  EXPECT_TRUE(record.Has(ProblemKind::kBadQuant));
  EXPECT_FALSE(record.Has(ProblemKind::kBadMagic));
}

TEST(Record, FindsByName) {
  Record record;
  record.fields = {{"a", 0, 1, 5}, {"b", 1, 1, 6}};
  record.sections = {{"s", 2, 3}};
  EXPECT_EQ(record.FindField("b")->value, 6);
  EXPECT_EQ(record.FindField("c"), nullptr);
  EXPECT_EQ(record.FindSection("s")->bytes, 3u);
  EXPECT_EQ(record.FindSection("a"), nullptr);
}

TEST(Record, MaskCoversItsRangesAndNothingElse) {
  Record record;
  record.masked = {{3, 2}, {8, 4}};
  for (std::uint64_t at = 0; at < 16; ++at) {
    EXPECT_EQ(record.IsMasked(at), at == 3 || at == 4 || (at >= 8 && at < 12)) << at;
  }
  EXPECT_TRUE(record.IsMasked(Field{"inside", 8, 4}));
  EXPECT_FALSE(record.IsMasked(Field{"half", 4, 2}));
  EXPECT_FALSE(record.IsMasked(Field{"none", 8, 0}));
  std::vector<std::uint8_t> bytes(6, 1);
  ApplyMask(record, 4, bytes);
  EXPECT_THAT(bytes, ElementsAre(0, 1, 1, 1, 0, 0));
}

TEST(Record, SortsAMaskThatCameInAnyOrder) {
  Record record;
  record.masked = {{8, 4}, {0, 2}, {10, 6}, {2, 1}, {9, 1}};
  record.SortMask();
  EXPECT_THAT(record.masked, ElementsAre(Range{0, 3}, Range{8, 8}));
}

TEST(Record, LeavesAreWhatNoSectionLiesIn) {
  Record record;
  record.sections = {{"payload", 0, 4},
                     {"payload.words", 0, 2, "payload"},
                     {"payload.rest", 2, 2, "payload"},
                     {"text", 4, 1}};
  std::vector<std::string> names;
  for (const Section* leaf : LeafSections(record)) names.push_back(leaf->name);
  EXPECT_THAT(names, ElementsAre("payload.words", "payload.rest", "text"));
}

TEST(Record, WhatNothingCoversBecomesAGap) {
  Record record;
  record.size = 20;
  record.fields = {{"a", 2, 2, 0}, {"b", 3, 4, 0}};
  record.sections = {{"s", 10, 3}, {"empty", 15, 0}};
  AddGaps(&record);
  std::vector<Range> gaps;
  for (const Section& section : record.sections) {
    if (section.name.starts_with("gap[")) gaps.push_back({section.offset, section.bytes});
  }
  EXPECT_THAT(gaps, ElementsAre(Range{0, 2}, Range{7, 3}, Range{13, 2}, Range{15, 5}));
  const std::size_t before = record.sections.size();
  AddGaps(&record);
  EXPECT_EQ(record.sections.size(), before);
}

}  // namespace
}  // namespace parity::kv
