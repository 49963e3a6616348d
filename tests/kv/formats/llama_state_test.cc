#include "suites/kv/formats/llama_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suites/kv/formats/overlay_bytes.h"
#include "tests/kv/formats/llama_samples.h"

namespace parity::kv {
namespace {

using ::testing::IsEmpty;

Bytes Written(const LlamaShape& shape) { return LlamaWriter(shape).Write(); }

Bytes WrittenWith(const LlamaShape& shape, std::size_t offset, std::size_t width,
                  std::uint64_t value) {
  Bytes bytes = Written(shape);
  Put(value, width, offset, &bytes);
  return bytes;
}

// Of 27 tokens, as measured.
TEST(LlamaState, PublishedSizes) {
  EXPECT_EQ(Written({}).size(), 28092u);
  EXPECT_EQ(Written({.newer = true}).size(), 28204u);
  EXPECT_EQ(Written({.type = 8, .row_bytes = 68}).size(), 15132u);
  EXPECT_EQ(Written({.type = 0, .row_bytes = 256}).size(), 55740u);
}

TEST(LlamaState, EveryShapeIsReadToItsEnd) {
  for (const bool whole : {false, true}) {
    for (const bool newer : {false, true}) {
      for (const bool transposed : {false, true}) {
        const LlamaShape shape{
            .whole = whole, .newer = newer, .transposed = transposed, .tokens = 5, .layers = 2};
        const Record record = DecodeLlama(Written(shape));
        EXPECT_THAT(record.problems, IsEmpty()) << whole << newer << transposed;
        EXPECT_EQ(TilingErrorOf(record), "") << whole << newer << transposed;
        EXPECT_EQ(record.FindField("version")->value, (whole ? 9 : 2) + (newer ? 1 : 0));
        EXPECT_EQ(record.FindField("magic")->meaning, whole ? "whole context" : "one sequence");
        EXPECT_EQ(record.FindSection("token_ids")->bytes, 20u);
        EXPECT_EQ(record.FindSection("stream[0].k[1].rows")->bytes, 5u * 128);
        EXPECT_EQ(record.FindSection("stream[0].v[1].rows")->bytes, 5u * 128);
        EXPECT_EQ(record.FindField("stream[0].v[0].type")->meaning, "f16");
        EXPECT_EQ(record.FindField("stream[0].v[0].row_elements") != nullptr, transposed);
        EXPECT_EQ(record.FindSection("architecture") != nullptr, whole);
        EXPECT_EQ(record.FindSection("logits") != nullptr, whole && !newer);
      }
    }
  }
}

TEST(LlamaState, StreamsMayBeSeveralAndEmpty) {
  const Record record = DecodeLlama(
      Written({.newer = true, .tokens = 3, .layers = 1, .streams = 2, .empty_streams = 1}));
  EXPECT_THAT(record.problems, IsEmpty());
  EXPECT_EQ(record.FindField("streams")->value, 3);
  EXPECT_EQ(record.FindField("stream[0].cells")->value, 0);
  EXPECT_EQ(record.FindSection("stream[0].k[0].rows"), nullptr);
  EXPECT_EQ(record.FindSection("stream[2].v[0].rows")->bytes, 3u * 128);
}

TEST(LlamaState, OtherMagicAndVersionsAreRefused) {
  EXPECT_EQ(ProblemsOf(DecodeLlama(WrittenWith({}, 0, 4, 0x67676d6c))), "bad_magic");
  for (std::uint64_t version = 0; version <= 11; ++version) {
    const bool sequence = version == 2 || version == 3, whole = version == 9 || version == 10;
    const LlamaShape empty{.tokens = 0, .layers = 0};
    const LlamaShape context{.whole = true, .tokens = 0, .layers = 0};
    EXPECT_EQ(DecodeLlama(WrittenWith(empty, 4, 4, version)).Has(ProblemKind::kBadVersion),
              !sequence);
    EXPECT_EQ(DecodeLlama(WrittenWith(context, 4, 4, version)).Has(ProblemKind::kBadVersion),
              !whole);
  }
}

TEST(LlamaState, TruncatedAtEveryByteIsClassified) {
  for (const bool whole : {false, true}) {
    const Bytes bytes =
        Written({.whole = whole, .newer = !whole, .tokens = 2, .layers = 1, .row_bytes = 4});
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const Record record =
          DecodeLlama(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)));
      ASSERT_EQ(ProblemsOf(record), size < 12 ? "too_short" : "truncated") << size;
      ASSERT_EQ(TilingErrorOf(record), "") << size;
    }
  }
}

// Where each count of this file lies: tokens 8, streams 20, cells 24, v_transposed 52, layers 56,
// k row 64.
TEST(LlamaState, CountsOfAllOnesAreNoAllocation) {
  const LlamaShape shape{.newer = true, .tokens = 2, .layers = 1, .row_bytes = 4};
  EXPECT_EQ(ProblemsOf(DecodeLlama(WrittenWith(shape, 8, 4, UINT32_MAX))), "truncated");
  EXPECT_EQ(ProblemsOf(DecodeLlama(WrittenWith(shape, 20, 4, UINT32_MAX))), "too_many_streams");
  EXPECT_EQ(ProblemsOf(DecodeLlama(WrittenWith(shape, 24, 4, UINT32_MAX))), "truncated");
  EXPECT_EQ(ProblemsOf(DecodeLlama(WrittenWith(shape, 32, 4, UINT32_MAX))), "truncated");
  EXPECT_EQ(ProblemsOf(DecodeLlama(WrittenWith(shape, 52, 4, UINT32_MAX))), "bad_field");
  EXPECT_EQ(ProblemsOf(DecodeLlama(WrittenWith(shape, 56, 4, UINT32_MAX))), "too_many_layers");
  EXPECT_EQ(ProblemsOf(DecodeLlama(WrittenWith(shape, 64, 8, UINT64_MAX))), "size_overflow");
  EXPECT_EQ(ProblemsOf(DecodeLlama(WrittenWith(shape, 64, 8, UINT64_MAX / 2))), "truncated");
}

TEST(LlamaState, BytesBehindTheEndAreAccepted) {
  Bytes bytes = Written({.tokens = 2, .layers = 1});
  bytes.push_back(7);
  const Record record = DecodeLlama(bytes);
  EXPECT_EQ(ProblemsOf(record), "trailing_ignored");
  EXPECT_EQ(record.Refusal(), nullptr);
}

// The cells of a file that is a hole are not read to the end of the hole.
TEST(LlamaState, ASparseTableOfCellsIsNotRead) {
  MemoryBytes base(WrittenWith({.tokens = 0, .layers = 0}, 12, 4, std::uint64_t{1} << 28));
  const std::vector<Overwrite> none;
  OverlayBytes sparse(&base, none, std::uint64_t{8} << 30);
  const Record record = LlamaStateFormat().Decode(&sparse, "a.bin");
  EXPECT_EQ(ProblemsOf(record), "not_checked");
  EXPECT_LT(sparse.bytes_read(), 100u);
}

TEST(LlamaState, TypesHaveNames) {
  EXPECT_EQ(LlamaTypeName(0), "f32");
  EXPECT_EQ(LlamaTypeName(8), "q8_0");
  EXPECT_EQ(LlamaTypeName(30), "bf16");
  EXPECT_EQ(LlamaTypeName(4), "");
}

}  // namespace
}  // namespace parity::kv
