#include "suites/kv/formats/llama_cursor.h"

#include <gtest/gtest.h>

#include "suites/kv/formats/llama_state.h"
#include "tests/kv/formats/kvc_samples.h"

namespace parity::kv {
namespace {

class LlamaCursorTest : public ::testing::Test {
 protected:
  explicit LlamaCursorTest(Bytes bytes = {2, 0, 0, 0, 9, 9, 9, 9, 9, 9})
      : bytes_(std::move(bytes)), reader_(&bytes_, &record_), cursor_(&reader_) {}

  MemoryBytes bytes_;
  Record record_;
  RecordReader reader_;
  LlamaCursor cursor_;
};

TEST_F(LlamaCursorTest, EachPartBeginsWhereTheLastOneEnds) {
  EXPECT_EQ(cursor_.Next("n", 4), 2u);
  EXPECT_TRUE(cursor_.Section("pairs", 2, 2));
  EXPECT_EQ(cursor_.at(), 8u);
  cursor_.Rest();
  EXPECT_EQ(record_.FindSection("rest")->bytes, 2u);
  EXPECT_EQ(cursor_.left(), 0u);
}

TEST_F(LlamaCursorTest, AProductThatOverflowsIsNotASmallOne) {
  EXPECT_FALSE(cursor_.Section("s", std::uint64_t{1} << 62, 8));  // 2^65: 0 in 64 bits
  EXPECT_EQ(ProblemsOf(record_), "size_overflow");
  EXPECT_FALSE(cursor_.Section("s", 11));
  EXPECT_EQ(ProblemsOf(record_), "size_overflow truncated");
  EXPECT_EQ(cursor_.at(), 0u);
}

TEST_F(LlamaCursorTest, AnIntegerBehindTheEndIsTruncated) {
  cursor_.Section("s", 8);
  EXPECT_EQ(cursor_.Next("n", 4), std::nullopt);
  EXPECT_EQ(ProblemsOf(record_), "truncated");
}

class LlamaCellsTest : public LlamaCursorTest {
 protected:
  LlamaCellsTest()
      : LlamaCursorTest({0, 0, 0, 0, 0, 0, 0, 0,                          // a cell of no id
                         1, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 6, 0, 0, 0,  // of two
                         2, 0, 0, 0, 1, 0, 0, 0}) {}                      // of one, cut off
};

TEST_F(LlamaCellsTest, TellTheirOwnLength) {
  EXPECT_TRUE(cursor_.Cells("cells", 2));
  EXPECT_EQ(record_.FindSection("cells")->bytes, 24u);
}

TEST_F(LlamaCellsTest, MayBeCutOff) {
  EXPECT_FALSE(cursor_.Cells("cells", 3));
  EXPECT_EQ(ProblemsOf(record_), "truncated");
}

TEST_F(LlamaCellsTest, ACountOfAllOnesIsRefusedBeforeAnyIsRead) {
  EXPECT_FALSE(cursor_.Cells("cells", UINT32_MAX));
  EXPECT_EQ(ProblemsOf(record_), "truncated");
  EXPECT_EQ(bytes_.bytes_read(), 0u);
}

}  // namespace
}  // namespace parity::kv
