#include "suites/kv/formats/kvc_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "suites/kv/formats/kvc_trailer.h"
#include "suites/kv/formats/sha1.h"
#include "tests/kv/formats/hex_record.h"
#include "tests/kv/formats/kvc_samples.h"
#include "tests/manifest/files.h"

namespace parity::kv {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Values = std::map<std::string, nlohmann::json>;

// Every field of the record but those of the trailer.
Values ValuesOf(const Record& record) {
  Values values;
  for (const Field& field : record.fields) {
    if (!field.name.starts_with("trailer")) values[field.name] = field.value;
  }
  return values;
}

TEST(KvcFormat, ReadsEveryFieldOfTheSerialRecord) {
  const HexRecord hex = ReadHexRecord("serial_abi2");
  const Record record = DecodeKvc(hex.bytes, hex.file_name);
  EXPECT_THAT(record.problems, IsEmpty());
  EXPECT_EQ(ValuesOf(record), (Values{{"magic", "4b5643"},
                                      {"version", 1},
                                      {"quant_bits", 2},
                                      {"reason", 3},
                                      {"ext", 0},
                                      {"model", 3},
                                      {"tokens", 3},
                                      {"hits", 7},
                                      {"ctx", 8192},
                                      {"abi", 2},
                                      {"reserved", "000000"},
                                      {"created", 1764500000},
                                      {"last_used", 1764503600},
                                      {"payload_bytes", 112},
                                      {"text_bytes", 11},
                                      {"payload.magic", kKvcPayloadMagic},
                                      {"payload.version", 3},
                                      {"payload.ctx", 8192},
                                      {"payload.prefill_chunk", 256},
                                      {"payload.raw_capacity", 8},
                                      {"payload.layout", 4},
                                      {"payload.capacity", 16},
                                      {"payload.tokens", 3},
                                      {"payload.layers", 2},
                                      {"payload.head_dim", 64},
                                      {"payload.indexer_dim", 32},
                                      {"payload.vocab", 5},
                                      {"payload.live_rows", 3}}));
  EXPECT_EQ(record.FindSection("payload.layer_data")->offset, 163u);
  EXPECT_EQ(TilingErrorOf(record), "");
}

TEST(KvcFormat, ReadsTheUpstreamRecordAsItsOwnGenerationDoes) {
  const HexRecord hex = ReadHexRecord("upstream");
  const Record record = DecodeKvc(hex.bytes, hex.file_name);
  EXPECT_THAT(record.problems, IsEmpty());
  const Values values = ValuesOf(record);
  EXPECT_EQ(values.at("abi"), 0);
  EXPECT_EQ(values.at("quant_bits"), 4);
  EXPECT_EQ(values.at("reason"), 2);
  EXPECT_EQ(values.at("ext"), 4);
  EXPECT_EQ(values.at("created"), 1700000000);
  EXPECT_EQ(values.at("last_used"), 1700000060);
  EXPECT_EQ(values.at("payload.version"), 1);
  EXPECT_EQ(values.at("payload.live_rows"), 1);
  EXPECT_EQ(record.FindSection("payload.layer_data")->bytes, 8u);
}

TEST(KvcFormat, ReadsTheRecordWithTwoTools) {
  const HexRecord hex = ReadHexRecord("tool_map");
  const Record record = DecodeKvc(hex.bytes, hex.file_name);
  EXPECT_THAT(record.problems, IsEmpty());
  EXPECT_EQ(record.FindField("payload.layout")->meaning, "MTF3");
  EXPECT_EQ(record.FindField("reason")->meaning, "bank-shutdown");
  EXPECT_EQ(record.FindSection("trailer")->offset, 149u);
  EXPECT_EQ(record.FindSection("trailer[0].block")->offset, 202u);
  EXPECT_EQ(record.FindSection("trailer[1].block")->offset, 257u);
  EXPECT_EQ(record.size, 268u);
  EXPECT_THAT(record.masked, ElementsAre(Range{12, 4}, Range{24, 8}, Range{32, 8}, Range{165, 37},
                                         Range{220, 37}));
  EXPECT_EQ(TilingErrorOf(record), "");
}

// One way only: the newer reader refuses what the older wrote, the older one never looks.
TEST(KvcFormat, GenerationsReadOneAnotherOneWayOnly) {
  const HexRecord older = ReadHexRecord("upstream"), newer = ReadHexRecord("serial_abi2");
  EXPECT_EQ(ProblemsOf(Decode(KvcFormat(kKvcAbi2), older.bytes)), "bad_abi");
  EXPECT_EQ(ProblemsOf(Decode(KvcFormat(kKvcUpstream), older.bytes)), "");
  EXPECT_EQ(ProblemsOf(Decode(KvcFormat(kKvcAbi2), newer.bytes)), "");
  // Its envelope is accepted; only the payload's version of 3 is beyond the older engine.
  EXPECT_EQ(ProblemsOf(Decode(KvcFormat(kKvcUpstream), newer.bytes)), "payload_version");
  Bytes skewed = newer.bytes;
  skewed[63 + 4] = 1;
  EXPECT_EQ(ProblemsOf(Decode(KvcFormat(kKvcUpstream), skewed)), "");
}

TEST(KvcFormat, TruncatedAtEveryByteIsClassified) {
  const Bytes whole = ReadHexRecord("serial_abi2").bytes;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Record record =
        DecodeKvc(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
    EXPECT_EQ(ProblemsOf(record), size < 52 ? "too_short" : "truncated") << size;
    EXPECT_EQ(TilingErrorOf(record), "") << size;
  }
}

// The least that is a record at all: no text, and a payload that its engine refuses.
TEST(KvcFormat, AFileOf52Bytes) {
  KvcParts parts = SampleParts();
  parts.text.clear();
  parts.payload.clear();
  const Bytes bytes = WriteKvc(parts);
  ASSERT_EQ(bytes.size(), 52u);
  const Record record = DecodeKvc(bytes, KvcFileName(""));
  EXPECT_EQ(ProblemsOf(record), "payload_truncated");
  EXPECT_EQ(InfoOf(record.Refusal()->kind).refused_by, RefusedBy::kEngine);
}

TEST(KvcFormat, SizesAreAddedWithoutWrapping) {
  Bytes bytes = ReadHexRecord("serial_abi2").bytes;
  for (const std::uint64_t payload : {UINT64_MAX, UINT64_MAX - 62}) {
    Put(payload, 8, 40, &bytes);
    EXPECT_EQ(ProblemsOf(DecodeKvc(bytes)), "size_overflow") << payload;
  }
  for (const std::uint64_t payload : {UINT64_MAX - 63, std::uint64_t{113}}) {
    Put(payload, 8, 40, &bytes);
    EXPECT_EQ(ProblemsOf(DecodeKvc(bytes)), "truncated") << payload;
  }
  Put(112, 8, 40, &bytes);
  Put(UINT32_MAX, 4, 48, &bytes);
  EXPECT_EQ(ProblemsOf(DecodeKvc(bytes)), "truncated");
}

TEST(KvcFormat, BytesBehindThePayloadAreATrailer) {
  Bytes bytes = ReadHexRecord("serial_abi2").bytes;
  bytes.push_back(0);
  EXPECT_EQ(ProblemsOf(DecodeKvc(bytes)), "trailer_truncated trailer_unflagged");
  bytes.pop_back();
  bytes[6] = 1;
  EXPECT_EQ(ProblemsOf(DecodeKvc(bytes)), "trailer_absent");
}

TEST(KvcFormat, TheNameIsTheTexts) {
  const HexRecord hex = ReadHexRecord("serial_abi2");
  EXPECT_EQ(hex.file_name, KvcFileName("Hello, KV.\n"));
  std::string name = hex.file_name;
  name[0] = 'a';
  EXPECT_EQ(ProblemsOf(DecodeKvc(hex.bytes, name)), "name_mismatch");
  EXPECT_EQ(ProblemsOf(DecodeKvc(hex.bytes, "BC1F6F229C0637FB962B35490024B6D48925E7C2.kv")),
            "name_upper_case");
  EXPECT_EQ(ProblemsOf(DecodeKvc(hex.bytes, hex.file_name + ".tmp.77")), "name_malformed");
  Bytes bytes = hex.bytes;
  bytes[52] = 'h';
  EXPECT_EQ(ProblemsOf(DecodeKvc(bytes, hex.file_name)), "name_mismatch");
}

TEST(KvcFormat, AReasonOutOfRangeIsKeptAndMeansUnknown) {
  Bytes bytes = ReadHexRecord("serial_abi2").bytes;
  bytes[5] = 200;
  const Record record = DecodeKvc(bytes);
  EXPECT_EQ(record.FindField("reason")->value, 200);
  EXPECT_EQ(record.FindField("reason")->meaning, "unknown");
}

// Header, words and trailer of a published record, between them the holes of its size.
class PublishedSize : public ::testing::Test {
 protected:
  RecordFile Read(std::uint64_t text, std::uint64_t payload, const Bytes& trailer) {
    KvcHeader header = SampleParts().header;
    header.text_bytes = static_cast<std::uint32_t>(text);
    header.payload_bytes = payload;
    header.ext = trailer.empty() ? 0 : kKvcToolMap;
    const std::string name = Sha1Of(std::string(text, '\0')) + ".kv";
    const KvcPrefix prefix = EncodeKvcHeader(header);
    const std::string path = folder_.Write(name, {prefix.begin(), prefix.end()});
    std::filesystem::resize_file(path, 52 + text + payload);
    std::ofstream(path, std::ios::app)
        .write(reinterpret_cast<const char*>(trailer.data()),
               static_cast<std::streamsize>(trailer.size()));
    const Bytes words = WriteKvcPayload({SamplePayload().words, {}, {}, {}, {}, {}});
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(52 + text));
    file.write(reinterpret_cast<const char*>(words.data()),
               static_cast<std::streamsize>(words.size()));
    file.close();
    return ReadRecordFile(KvcFormat(), path);
  }

  TempFolder folder_;
};

TEST_F(PublishedSize, OfABankRecord) {
  const RecordFile file = Read(24591, 301947764, {});
  EXPECT_EQ(ProblemsOf(file.record), "");
  EXPECT_EQ(file.record.size, 301972407u);
  EXPECT_LT(file.bytes->bytes_read(), 1u << 20);
}

TEST_F(PublishedSize, OfAnIntermediateRecord) {
  const RecordFile file = Read(14617, 41941920, {});
  EXPECT_EQ(ProblemsOf(file.record), "");
  EXPECT_EQ(file.record.size, 41956589u);
}

TEST_F(PublishedSize, OfARecordWithAToolMap) {
  KvcParts parts;
  parts.text = std::string(244, 'b');
  parts.tools = {{"call_0123456789abcdef0123456789abcdef", parts.text}};
  const Bytes trailer = WriteKvcTrailer(parts);
  ASSERT_EQ(trailer.size(), 297u);
  const RecordFile file = Read(1913, 25848936, trailer);
  EXPECT_EQ(ProblemsOf(file.record), "");
  EXPECT_EQ(file.record.size, 25851198u);
  EXPECT_EQ(file.record.FindSection("trailer")->bytes, 297u);
  EXPECT_EQ(KvcToolMapOf(file.record).size(), 1u);
}

TEST_F(PublishedSize, APayloadOf4GiBIsIndexedWithItsTrailer) {
  KvcParts parts;
  parts.text = "block";
  parts.tools = {{"call_0123456789abcdef0123456789abcdef", "block"}};
  const RecordFile file = Read(100, std::uint64_t{4} << 30, WriteKvcTrailer(parts));
  EXPECT_EQ(ProblemsOf(file.record), "");
  EXPECT_EQ(KvcToolMapOf(file.record).size(), 1u);
  EXPECT_LT(file.bytes->bytes_read(), 4096u);
}

TEST(KvcFormat, IsNamedForItsReader) {
  EXPECT_EQ(KvcFormat().name(), "kvc");
  EXPECT_EQ(KvcFormat(kKvcUpstream).name(), "kvc_upstream");
}

}  // namespace
}  // namespace parity::kv
