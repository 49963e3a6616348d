#include "suites/kv/formats/record_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace parity::kv {
namespace {

using ::testing::ElementsAre;

std::vector<std::uint8_t> Counted(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  return bytes;
}

TEST(RecordBytes, ReadsExactlyTheRangeOrSaysWhyNot) {
  MemoryBytes memory(Counted(10));
  std::vector<std::uint8_t> out(3);
  EXPECT_EQ(memory.Read(7, out), ReadResult::kOk);
  EXPECT_THAT(out, ElementsAre(7, 8, 9));
  EXPECT_EQ(memory.Read(8, out), ReadResult::kPastEnd);
  EXPECT_EQ(memory.Read(10, std::span<std::uint8_t>()), ReadResult::kOk);
  EXPECT_EQ(memory.Read(11, std::span<std::uint8_t>()), ReadResult::kPastEnd);
  EXPECT_EQ(memory.Read(UINT64_MAX - 3, out), ReadResult::kPastEnd);
  EXPECT_EQ(memory.Read(UINT64_MAX - 2, out), ReadResult::kOverflow);
}

TEST(RecordBytes, CountsWhatItReads) {
  MemoryBytes memory(Counted(10));
  std::vector<std::uint8_t> out(4);
  memory.Read(0, out);
  memory.Read(8, out);  // not there: costs nothing
  memory.Read(1, out);
  EXPECT_EQ(memory.bytes_read(), 8u);
}

TEST(RecordBytes, StreamsARangeInPieces) {
  const auto all = Counted(2 * RecordBytes::kPieceBytes + 5);
  MemoryBytes memory(all);
  std::vector<std::uint8_t> seen;
  std::vector<std::size_t> sizes;
  const auto visit = [&](std::span<const std::uint8_t> piece) {
    seen.insert(seen.end(), piece.begin(), piece.end());
    sizes.push_back(piece.size());
  };
  EXPECT_EQ(memory.Stream({1, all.size() - 1}, visit), ReadResult::kOk);
  EXPECT_TRUE(std::equal(seen.begin(), seen.end(), all.begin() + 1, all.end()));
  EXPECT_THAT(sizes, ElementsAre(RecordBytes::kPieceBytes, RecordBytes::kPieceBytes, 4));
}

TEST(RecordBytes, StreamsNothingOfARangeThatIsNotThere) {
  MemoryBytes memory(Counted(10));
  const auto visit = [](std::span<const std::uint8_t>) { ADD_FAILURE(); };
  EXPECT_EQ(memory.Stream({0, std::uint64_t{4} << 30}, visit), ReadResult::kPastEnd);
  EXPECT_EQ(memory.Stream({2, UINT64_MAX}, visit), ReadResult::kOverflow);
  EXPECT_EQ(memory.Stream({10, 0}, visit), ReadResult::kOk);
}

TEST(RecordBytes, ResultsHaveNames) {
  EXPECT_EQ(NameOf(ReadResult::kOk), "ok");
  EXPECT_EQ(NameOf(ReadResult::kOverflow), "overflow");
  EXPECT_EQ(NameOf(ReadResult::kPastEnd), "past_end");
  EXPECT_EQ(NameOf(ReadResult::kFailed), "failed");
}

}  // namespace
}  // namespace parity::kv
