#include "suites/kv/formats/kvc_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "suites/kv/formats/kvc_trailer.h"
#include "tests/kv/formats/hex_record.h"
#include "tests/kv/formats/kvc_samples.h"

namespace parity::kv {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(KvcWriter, ReproducesTheSerialRecord) {
  EXPECT_EQ(HexOf(WriteKvc(SampleParts())), HexOf(ReadHexRecord("serial_abi2").bytes));
}

TEST(KvcWriter, ReproducesTheUpstreamRecord) {
  KvcParts parts;
  parts.header = {4, 2, kKvcThinkingVisible, 0, 2, 0, 4096, 0, 0, 1700000000, 1700000060, 0, 0};
  parts.text = "Once upon";
  parts.payload = WriteKvcPayload({{kKvcPayloadMagic, 1, 4096, 128, 4, 1, 8, 2, 1, 16, 8, 3, 1},
                                   {5, 6},
                                   {0, 0x3f000000, 0xbfa00000},
                                   {2},
                                   {1},
                                   {0xc0, 0xff, 0xee, 0x00, 1, 2, 3, 4}});
  EXPECT_EQ(HexOf(WriteKvc(parts)), HexOf(ReadHexRecord("upstream").bytes));
}

KvcParts ToolMapParts() {
  KvcParts parts;
  parts.header = {2, 8, kKvcBankReplay, 3, 2, 1, 8192, 2, 0, 1764500000, 1764503600, 0, 0};
  parts.text = "user: sum\n<f a=\"1\"/>\n<f b=\"22\"/>\n";
  parts.payload =
      WriteKvcPayload({{kKvcPayloadMagic, 2, 8192, 512, 0, 0x3346544d, 0, 2, 4, 128, 0, 256, 2},
                       {10, 11},
                       {},
                       {},
                       {},
                       {0xaa, 0xbb, 0xcc, 0xdd}});
  parts.tools = {{"call_0123456789abcdef0123456789abcdef", "<f a=\"1\"/>"},
                 {"call_ffeeddccbbaa99887766554433221100", "<f b=\"22\"/>"}};
  return parts;
}

TEST(KvcWriter, ReproducesTheRecordWithTwoTools) {
  EXPECT_EQ(HexOf(WriteKvc(ToolMapParts())), HexOf(ReadHexRecord("tool_map").bytes));
}

TEST(KvcWriter, KeepsOnlyToolsThatOccurInTheText) {
  KvcParts parts = ToolMapParts();
  parts.tools[0].block = "<f a=\"2\"/>";
  const Record record = DecodeKvc(WriteKvc(parts));
  EXPECT_EQ(record.FindField("trailer.count")->value, 1);
  EXPECT_EQ(record.FindField("trailer[0].id")->value, parts.tools[1].id);
}

TEST(KvcWriter, SeveralIdsMayNameOneBlock) {
  KvcParts parts = ToolMapParts();
  parts.tools[1].block = parts.tools[0].block;
  EXPECT_EQ(DecodeKvc(WriteKvc(parts)).FindField("trailer.count")->value, 2);
}

TEST(KvcWriter, WithoutEntriesThereIsNeitherTrailerNorFlag) {
  KvcParts parts = ToolMapParts();
  parts.header.ext = kKvcToolMap | kKvcBankReplay;
  for (KvcToolEntry& entry : parts.tools) entry.block = "elsewhere";
  EXPECT_THAT(WriteKvcTrailer(parts), IsEmpty());
  const Record record = DecodeKvc(WriteKvc(parts));
  EXPECT_EQ(ProblemsOf(record), "");
  EXPECT_EQ(record.FindField("ext")->value, kKvcBankReplay);
  EXPECT_EQ(record.FindSection("trailer"), nullptr);
}

TEST(KvcWriter, ClearsTheFlagOfAFooterThatIsNot) {
  KvcParts parts = SampleParts();
  parts.header.ext = kKvcIdentityFooter | kKvcResponsesVisible;
  EXPECT_EQ(WriteKvc(parts)[6], kKvcResponsesVisible);
}

TEST(KvcWriter, RefusesWhatNoReaderTakes) {
  KvcParts parts = ToolMapParts();
  parts.tools[0].id = "";
  EXPECT_THROW(WriteKvc(parts), std::invalid_argument);
  parts.tools[0].id = std::string(257, 'x');
  EXPECT_THROW(WriteKvc(parts), std::invalid_argument);
  parts.tools[0].id = std::string(256, 'x');
  EXPECT_NO_THROW(WriteKvc(parts));
  parts.tools[0].block = "";
  EXPECT_THROW(WriteKvc(parts), std::invalid_argument);
}

}  // namespace
}  // namespace parity::kv
