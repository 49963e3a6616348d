#include "suites/kv/formats/record_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parity::kv {
namespace {

// A disk that fails behind its first bytes.
class FailingBytes : public RecordBytes {
 public:
  std::uint64_t size() const override { return 100; }

 private:
  ReadResult ReadInside(std::uint64_t, std::span<std::uint8_t>) override {
    return ReadResult::kFailed;
  }
};

TEST(RecordReader, AddsIntegersAsFields) {
  MemoryBytes bytes({1, 2, 0, 0, 0});
  Record record;
  RecordReader reader(&bytes, &record);
  EXPECT_EQ(reader.Unsigned("n", 1, 4, ProblemKind::kTruncated, FieldRole::kCount), 2u);
  ASSERT_EQ(record.fields.size(), 1u);
  EXPECT_EQ(record.fields[0].name, "n");
  EXPECT_EQ(record.fields[0].offset, 1u);
  EXPECT_EQ(record.fields[0].value, 2);
  EXPECT_EQ(record.fields[0].role, FieldRole::kCount);
  EXPECT_EQ(reader.Peek(0, 1, "p", ProblemKind::kTruncated), 1u);
  EXPECT_EQ(record.fields.size(), 1u);
}

TEST(RecordReader, WhatIsNotThereIsTheCallersProblem) {
  MemoryBytes bytes({1, 2, 0});
  Record record;
  RecordReader reader(&bytes, &record);
  EXPECT_EQ(reader.Unsigned("n", 1, 4, ProblemKind::kTooShort), std::nullopt);
  ASSERT_EQ(record.problems.size(), 1u);
  EXPECT_EQ(TextOf(record.problems[0]),
            "too_short: n: got a file of 3 bytes, expected 4 bytes at 1");
  EXPECT_TRUE(record.fields.empty());
}

// Memory for the range would be 2^63 bytes.
TEST(RecordReader, ALengthIsBelievedOnlyWhereTheFileIsThatLong) {
  MemoryBytes bytes({1, 2, 3});
  Record record;
  RecordReader reader(&bytes, &record);
  EXPECT_EQ(reader.Take({1, UINT64_MAX / 2}, "huge", ProblemKind::kTruncated), std::nullopt);
  EXPECT_EQ(reader.Take({UINT64_MAX, 1}, "far", ProblemKind::kTruncated), std::nullopt);
  EXPECT_EQ(record.problems.size(), 2u);
}

TEST(RecordReader, ADiskThatFailsIsUnreadable) {
  FailingBytes bytes;
  Record record;
  RecordReader reader(&bytes, &record);
  EXPECT_EQ(reader.Peek(0, 4, "n", ProblemKind::kTruncated), std::nullopt);
  EXPECT_TRUE(record.Has(ProblemKind::kUnreadable));
}

TEST(RecordReader, HexIsLowerCase) {
  EXPECT_EQ(HexOf(std::vector<std::uint8_t>{0x00, 0xaF, 0x10}), "00af10");
}

}  // namespace
}  // namespace parity::kv
