#include "suites/kv/formats/kvc_trailer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suites/kv/formats/overlay_bytes.h"
#include "tests/kv/formats/hex_record.h"
#include "tests/kv/formats/kvc_samples.h"

namespace parity::kv {
namespace {

using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

constexpr char kFirstId[] = "call_0123456789abcdef0123456789abcdef";
constexpr char kSecondId[] = "call_ffeeddccbbaa99887766554433221100";

// A record with `trailer` behind its payload, flagged.
Record DecodeWith(const Bytes& trailer) {
  Bytes bytes = WriteKvc(SampleParts());
  bytes[6] = kKvcToolMap;
  bytes.insert(bytes.end(), trailer.begin(), trailer.end());
  return DecodeKvc(std::move(bytes));
}

Bytes Trailer(const std::vector<KvcToolEntry>& entries) {
  Bytes trailer = {'K', 'T', 'M', 1};
  AppendUnsigned(entries.size(), 4, &trailer);
  for (const KvcToolEntry& entry : entries) {
    AppendUnsigned(entry.id.size(), 4, &trailer);
    AppendUnsigned(entry.block.size(), 4, &trailer);
    trailer.insert(trailer.end(), entry.id.begin(), entry.id.end());
    trailer.insert(trailer.end(), entry.block.begin(), entry.block.end());
  }
  return trailer;
}

std::size_t EntriesOf(const Record& record) { return KvcToolMapOf(record).size(); }

TEST(KvcTrailer, ReadsEntriesInOrder) {
  const Record record = DecodeWith(Trailer({{kFirstId, "one"}, {kSecondId, "three"}}));
  EXPECT_THAT(record.problems, IsEmpty());
  EXPECT_EQ(record.FindField("trailer.count")->value, 2);
  EXPECT_EQ(record.FindField("trailer[0].id")->value, kFirstId);
  EXPECT_EQ(record.FindField("trailer[1].id")->value, kSecondId);
  EXPECT_EQ(record.FindField("trailer[1].block_bytes")->value, 5);
  EXPECT_EQ(record.FindSection("trailer[0].block")->bytes, 3u);
  EXPECT_EQ(record.FindSection("trailer[1].block")->list, "trailer.blocks");
  EXPECT_EQ(TilingErrorOf(record), "");
}

TEST(KvcTrailer, MasksIdsThatAreUniqueAndWellFormed) {
  const Record record = DecodeWith(Trailer({{kFirstId, "one"}, {kSecondId, "three"}}));
  EXPECT_TRUE(record.IsMasked(*record.FindField("trailer[0].id")));
  EXPECT_TRUE(record.IsMasked(*record.FindField("trailer[1].id")));
  EXPECT_FALSE(record.IsMasked(record.FindSection("trailer[0].block")->offset));
}

TEST(KvcTrailer, OneBadIdUnmasksThemAll) {
  for (const std::string bad : {"call_0123", "tool_0123456789abcdef0123456789abcdef",
                                "call_0123456789ABCDEF0123456789abcdef", kFirstId}) {
    const Record record = DecodeWith(Trailer({{kFirstId, "one"}, {bad, "two"}}));
    EXPECT_EQ(ProblemsOf(record), bad == kFirstId ? "trailer_duplicate" : "tool_id_form");
    EXPECT_FALSE(record.IsMasked(*record.FindField("trailer[0].id"))) << bad;
    EXPECT_EQ(record.Refusal(), nullptr);
  }
}

TEST(KvcTrailer, AnIdIsCallAnd32Digits) {
  EXPECT_TRUE(IsKvcToolId(kFirstId));
  EXPECT_FALSE(IsKvcToolId(std::string(kFirstId) + "0"));
  EXPECT_FALSE(IsKvcToolId("call_g123456789abcdef0123456789abcdef"));
  EXPECT_FALSE(IsKvcToolId(""));
}

TEST(KvcTrailer, WrongMagicVersionOrCountIsNoEntries) {
  for (const auto& [offset, value, problem] :
       std::vector<std::tuple<std::size_t, std::uint64_t, std::string>>{
           {0, 'X', "trailer_magic"},
           {2, 'm', "trailer_magic"},
           {3, 2, "trailer_version"},
           {3, 0, "trailer_version"}}) {
    Bytes trailer = Trailer({{kFirstId, "one"}});
    Put(value, 1, offset, &trailer);
    const Record record = DecodeWith(trailer);
    EXPECT_EQ(ProblemsOf(record), problem);
    EXPECT_EQ(EntriesOf(record), 0u);
    EXPECT_EQ(record.Refusal(), nullptr);
    EXPECT_EQ(TilingErrorOf(record), "");
  }
}

TEST(KvcTrailer, CountsUpToTheLimit) {
  Bytes trailer = Trailer({{kFirstId, "one"}});
  Put(400000, 4, 4, &trailer);
  EXPECT_EQ(ProblemsOf(DecodeWith(trailer)), "trailer_truncated");
  EXPECT_EQ(EntriesOf(DecodeWith(trailer)), 1u);
  for (const std::uint32_t count : {400001u, UINT32_MAX}) {
    Put(count, 4, 4, &trailer);
    EXPECT_EQ(ProblemsOf(DecodeWith(trailer)), "trailer_count");
    EXPECT_EQ(EntriesOf(DecodeWith(trailer)), 0u);
  }
}

TEST(KvcTrailer, LengthsOutsideTheirLimitsKeepWhatIsBefore) {
  const auto with = [](std::uint64_t id_bytes, std::uint64_t block_bytes) {
    Bytes trailer = Trailer({{kFirstId, "one"}, {kSecondId, "three"}});
    Put(id_bytes, 4, 56, &trailer);
    Put(block_bytes, 4, 60, &trailer);
    return DecodeWith(trailer);
  };
  EXPECT_EQ(ProblemsOf(with(37, 5)), "");
  for (const std::uint64_t id_bytes :
       {std::uint64_t{0}, std::uint64_t{257}, std::uint64_t{UINT32_MAX}}) {
    EXPECT_EQ(ProblemsOf(with(id_bytes, 5)), "trailer_id_length") << id_bytes;
    EXPECT_EQ(EntriesOf(with(id_bytes, 5)), 1u);
  }
  for (const std::uint64_t block : {std::uint64_t{0}, (std::uint64_t{512} << 20) + 1}) {
    EXPECT_EQ(ProblemsOf(with(37, block)), "trailer_block_length") << block;
    EXPECT_EQ(EntriesOf(with(37, block)), 1u);
  }
  // Allowed, but the file does not have it: no allocation, and the entry before counts.
  EXPECT_EQ(ProblemsOf(with(37, std::uint64_t{512} << 20)), "trailer_truncated");
  EXPECT_EQ(ProblemsOf(with(256, 5)), "trailer_truncated");
}

TEST(KvcTrailer, TheLongestIdIsRead) {
  const Record record = DecodeWith(Trailer({{std::string(256, 'x'), "one"}}));
  EXPECT_EQ(ProblemsOf(record), "tool_id_form");
  EXPECT_EQ(EntriesOf(record), 1u);
}

TEST(KvcTrailer, TruncatedAtEveryByteOfTheLastEntryKeepsTheFirst) {
  const Bytes whole = ReadHexRecord("tool_map").bytes;
  constexpr std::size_t kSecondEntry = 212;
  for (std::size_t size = kSecondEntry; size < whole.size(); ++size) {
    const Record record =
        DecodeKvc(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
    EXPECT_EQ(ProblemsOf(record), "trailer_truncated") << size;
    EXPECT_THAT(KvcToolMapOf(record), UnorderedElementsAre(Pair(kFirstId, Range{202, 10})));
    EXPECT_EQ(record.Refusal(), nullptr);
    EXPECT_EQ(TilingErrorOf(record), "") << size;
  }
}

TEST(KvcTrailer, TruncatedInItsHeaderIsNoEntries) {
  for (std::size_t size = 1; size < 8; ++size) {
    const Record record = DecodeWith(Bytes(size, 'K'));
    EXPECT_EQ(ProblemsOf(record), "trailer_truncated") << size;
    EXPECT_EQ(record.Refusal(), nullptr);
  }
}

TEST(KvcTrailer, TheLastOfEqualIdsCounts) {
  const Record record =
      DecodeWith(Trailer({{kFirstId, "one"}, {kSecondId, "two"}, {kFirstId, "3"}}));
  const auto blocks = KvcToolMapOf(record);
  EXPECT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks.at(kFirstId).bytes, 1u);
}

TEST(KvcTrailer, AZeroByteEndsAnIdAndIsToldOfABlock) {
  using namespace std::string_literals;
  const Record record = DecodeWith(Trailer({{"call_1\0tail"s, "on\0e"s}, {"call_1"s, "two"}}));
  EXPECT_EQ(ProblemsOf(record),
            "tool_id_form trailer_nul trailer_nul tool_id_form trailer_duplicate");
  EXPECT_THAT(KvcToolMapOf(record), UnorderedElementsAre(Pair("call_1", ::testing::_)));
  EXPECT_EQ(record.problems[2].words, "a zero byte at 2 of 4");
}

TEST(KvcTrailer, BytesBehindTheLastEntryAreIgnored) {
  Bytes trailer = Trailer({{kFirstId, "one"}});
  trailer.push_back(7);
  const Record record = DecodeWith(trailer);
  EXPECT_EQ(ProblemsOf(record), "trailer_excess");
  EXPECT_EQ(record.FindSection("trailer.rest")->bytes, 1u);
  EXPECT_EQ(EntriesOf(record), 1u);
}

TEST(KvcTrailer, LongBlocksAreNotLookedThrough) {
  const Record record = DecodeWith(
      Trailer({{kFirstId, std::string(kKvcMostBytesScanned - 1, 'x')}, {kSecondId, "ab"}}));
  EXPECT_EQ(ProblemsOf(record), "not_checked");
  EXPECT_EQ(record.problems[0].where, "trailer[1].block");
}

// A trailer that is a hole: the largest block that is allowed, and not a byte of it read.
TEST(KvcTrailer, AnOverLargeTrailerIsNoAllocation) {
  Bytes head = WriteKvc(SampleParts());
  head[6] = kKvcToolMap;
  const std::uint64_t begin = head.size();
  Bytes trailer = Trailer({{kFirstId, "b"}});
  Put(kKvcMostBlockBytes, 4, 12, &trailer);
  head.insert(head.end(), trailer.begin(), trailer.end() - 1);
  MemoryBytes base(head);
  const std::vector<Overwrite> none;
  OverlayBytes sparse(&base, none, head.size() + kKvcMostBlockBytes);
  const Record record = KvcFormat().Decode(&sparse, "");
  EXPECT_EQ(ProblemsOf(record), "not_checked");
  EXPECT_EQ(KvcToolMapOf(record).at(kFirstId), (Range{begin + 53, kKvcMostBlockBytes}));
  EXPECT_LT(sparse.bytes_read(), 1000u);
}

}  // namespace
}  // namespace parity::kv
