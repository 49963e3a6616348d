#include "suites/kv/formats/compare_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/manifest/sha256.h"
#include "tests/golden_file.h"
#include "tests/kv/formats/hex_record.h"
#include "tests/kv/formats/kvc_samples.h"

namespace parity::kv {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

RecordComparison Compare(const Bytes& reference, const Bytes& candidate,
                         const std::string& reference_name = "",
                         const std::string& candidate_name = "") {
  MemoryBytes left(reference), right(candidate);
  const Record one = KvcFormat().Decode(&left, reference_name);
  const Record other = KvcFormat().Decode(&right, candidate_name);
  return CompareRecords({&left, &one}, {&right, &other});
}

std::vector<std::string> PlacesOf(const RecordComparison& comparison) {
  std::vector<std::string> places;
  for (const RecordDifference& difference : comparison.differences) {
    places.push_back(difference.where);
  }
  return places;
}

const HexRecord& Tools() {
  static const HexRecord record = ReadHexRecord("tool_map");
  return record;
}

// The tools record with something written over it.
Bytes With(std::size_t offset, const std::string& text) {
  Bytes bytes = Tools().bytes;
  std::copy(text.begin(), text.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset));
  return bytes;
}

TEST(CompareRecords, ARecordIsTheSameAsItself) {
  const RecordComparison same = Compare(Tools().bytes, Tools().bytes);
  EXPECT_TRUE(same.same()) << TextOf(same);
  ASSERT_EQ(same.sections.size(), 4u);
  EXPECT_EQ(same.sections[2].name, "payload");
  EXPECT_EQ(same.sections[2].reference_sha256,
            Sha256Of({reinterpret_cast<const char*>(Tools().bytes.data()) + 85, 64}));
}

TEST(CompareRecords, HitsTimesAndToolIdsAreMasked) {
  Bytes bytes = Tools().bytes;
  Put(99, 4, 12, &bytes);
  Put(1, 8, 24, &bytes);
  Put(2, 8, 32, &bytes);
  bytes[170] = 'a';  // a digit of the first id
  const RecordComparison same = Compare(Tools().bytes, bytes);
  EXPECT_TRUE(same.same()) << TextOf(same);
}

// Each byte outside the mask, one after the other: none may go unseen.
TEST(CompareRecords, EveryOtherByteIsSeen) {
  const Record record = DecodeKvc(Tools().bytes);
  for (std::size_t at = 0; at < Tools().bytes.size(); ++at) {
    Bytes bytes = Tools().bytes;
    bytes[at] ^= 1;
    if (record.IsMasked(at) && DecodeKvc(bytes).IsMasked(at)) continue;
    EXPECT_FALSE(Compare(Tools().bytes, bytes).same()) << at;
  }
}

TEST(CompareRecords, AnIdOfBadFormUnmasksItsTrailer) {
  EXPECT_THAT(PlacesOf(Compare(Tools().bytes, With(165, "tool_"))),
              ElementsAre("problems", "trailer[0].id"));
}

TEST(CompareRecords, AFieldIsToldOnceWithBothValues) {
  const RecordComparison comparison = Compare(Tools().bytes, With(5, "\x07"));
  ASSERT_THAT(PlacesOf(comparison), ElementsAre("reason"));
  EXPECT_EQ(comparison.differences[0].reference, "8 (bank-shutdown)");
  EXPECT_EQ(comparison.differences[0].candidate, "7 (bank-evict)");
}

TEST(CompareRecords, BytesOfAPartAreToldByIt) {
  const RecordComparison comparison = Compare(Tools().bytes, With(145, "zz"));
  ASSERT_THAT(PlacesOf(comparison), ElementsAre("payload.layer_data"));
  EXPECT_EQ(comparison.differences[0].candidate, "4 bytes, 2 of them different");
  EXPECT_NE(comparison.sections[2].reference_sha256, comparison.sections[2].candidate_sha256);
  EXPECT_EQ(comparison.sections[1].reference_sha256, comparison.sections[1].candidate_sha256);
}

TEST(CompareRecords, NamesAreCompared) {
  EXPECT_THAT(PlacesOf(Compare(Tools().bytes, Tools().bytes, Tools().file_name, "other.kv")),
              ElementsAre("file name", "problems"));
}

// Ids are process-unique, so that only the blocks tell which entry is which.
TEST(CompareRecords, EntriesInAnotherOrderAreToldAsAnOrder) {
  KvcParts parts = SampleParts();
  parts.text = "<a/><b/><c/>";
  const auto with = [&](const char* first, const char* second, const char* third) {
    parts.tools = {{"call_00000000000000000000000000000001", first},
                   {"call_00000000000000000000000000000002", second},
                   {"call_00000000000000000000000000000003", third}};
    return WriteKvc(parts);
  };
  const RecordComparison comparison =
      Compare(with("<a/>", "<b/>", "<c/>"), with("<c/>", "<a/>", "<b/>"));
  ASSERT_THAT(PlacesOf(comparison), ElementsAre("trailer.blocks"));
  EXPECT_EQ(comparison.differences[0].reference, "order 0 1 2");
  EXPECT_EQ(comparison.differences[0].candidate, "order 2 0 1");
  EXPECT_THAT(PlacesOf(Compare(with("<a/>", "<b/>", "<c/>"), with("<a/>", "<b/>", "<b/>"))),
              ElementsAre("trailer[2].block"));
}

TEST(CompareRecords, WhatOneSideLacksIsAbsent) {
  KvcParts parts = SampleParts();
  const Bytes without = WriteKvc(parts);
  parts.tools = {{"call_00000000000000000000000000000001", "Hello"}};
  const RecordComparison comparison = Compare(without, WriteKvc(parts));
  EXPECT_THAT(PlacesOf(comparison),
              ElementsAre("size", "ext", "trailer.magic", "trailer.version", "trailer.count",
                          "trailer[0].id_bytes", "trailer[0].block_bytes", "trailer[0].id",
                          "trailer[0].block"));
  EXPECT_EQ(comparison.differences[2].reference, "absent");
  EXPECT_THAT(comparison.sections.back().reference_sha256, IsEmpty());
}

TEST(CompareRecords, ALongerPartIsToldWithBothLengths) {
  KvcParts parts = SampleParts();
  const Bytes shorter = WriteKvc(parts);
  parts.payload.push_back(0x99);
  const RecordComparison comparison = Compare(shorter, WriteKvc(parts));
  EXPECT_THAT(PlacesOf(comparison), ElementsAre("size", "payload_bytes", "payload.layer_data"));
  EXPECT_EQ(comparison.differences[2].reference, "12 bytes");
  EXPECT_EQ(comparison.differences[2].candidate, "13 bytes, 0 of them different");
}

TEST(CompareRecords, ReadsForAPerson) {
  Bytes bytes = With(8, "\x03");              // tokens
  bytes[97] ^= 0xff;                          // a word of the payload
  std::copy_n("Xyz", 3, bytes.begin() + 56);  // text
  Put(1234, 4, 12, &bytes);                   // masked
  bytes[206] = 'z';                           // a block
  const RecordComparison comparison =
      Compare(Tools().bytes, bytes, Tools().file_name, Tools().file_name);
  EXPECT_TRUE(parity::testing::MatchesGoldenFile(
      PARITY_SOURCE_DIR "/tests/kv/formats/golden/comparison.txt", TextOf(comparison)));
}

}  // namespace
}  // namespace parity::kv
