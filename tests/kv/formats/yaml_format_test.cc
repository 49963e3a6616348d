#include "suites/kv/formats/yaml_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/kv/formats/hex_record.h"
#include "tests/kv/formats/kvc_samples.h"

namespace parity::kv {
namespace {

YamlFormat Described(const std::string& rest) {
  return YamlFormat(ReadRecordDescriptionText("f.yaml", "record_format: 1\nname: f\n" + rest));
}

YamlFormat KvcEnvelope() {
  return YamlFormat(
      ReadRecordDescription(PARITY_SOURCE_DIR "/suites/kv/formats/kvc_envelope.yaml"));
}

std::string ProblemsWith(const std::string& rest, Bytes bytes) {
  return ProblemsOf(Decode(Described(rest), std::move(bytes)));
}

// A description and a program that read one format must agree.
TEST(YamlFormat, TheDescribedEnvelopeIsTheProgrammedOne) {
  const YamlFormat described = KvcEnvelope();
  for (const char* name : {"serial_abi2", "tool_map"}) {
    const HexRecord hex = ReadHexRecord(name);
    const Record ours = Decode(described, hex.bytes, hex.file_name);
    const Record theirs = DecodeKvc(hex.bytes, hex.file_name);
    EXPECT_EQ(ProblemsOf(ours), "");
    for (const Field& field : ours.fields) {
      const Field* other = theirs.FindField(field.name);
      ASSERT_NE(other, nullptr) << field.name;
      EXPECT_EQ(field.value, other->value) << field.name;
      EXPECT_EQ(field.offset, other->offset) << field.name;
      EXPECT_EQ(field.role, other->role) << field.name;
      EXPECT_EQ(field.section, other->section) << field.name;
    }
    EXPECT_GE(ours.fields.size(), 28u);
    for (const char* section : {"text", "payload"}) {
      EXPECT_EQ(ours.FindSection(section)->offset, theirs.FindSection(section)->offset);
      EXPECT_EQ(ours.FindSection(section)->bytes, theirs.FindSection(section)->bytes);
    }
    for (std::uint64_t at = 0; at < 52; ++at) EXPECT_EQ(ours.IsMasked(at), theirs.IsMasked(at));
  }
}

// Each byte of the header damaged: both refuse, or neither. Only that the payload counts as many
// tokens as the header is beyond a description.
TEST(YamlFormat, TheDescribedEnvelopeRefusesWhatTheProgrammedOneDoes) {
  const YamlFormat described = KvcEnvelope();
  const HexRecord hex = ReadHexRecord("serial_abi2");
  for (std::size_t at = 0; at < 52; ++at) {
    if (at >= 8 && at < 11) continue;
    Bytes bytes = hex.bytes;
    bytes[at] ^= 0x80;
    const Record ours = Decode(described, bytes, hex.file_name);
    const Record theirs = DecodeKvc(bytes, hex.file_name);
    EXPECT_EQ(ours.Refusal() != nullptr, theirs.Refusal() != nullptr)
        << at << ": " << ProblemsOf(ours) << " / " << ProblemsOf(theirs);
  }
}

TEST(YamlFormat, LengthsComeFromFieldsConstantsAndTheRest) {
  const YamlFormat format = Described(R"(
endian: big
fields:
  - {name: n, at: 0, type: u16, role: count}
  - {name: inner, in: b, at: 1, type: u8}
sections:
  - {name: a, length: n, each: 2}
  - {name: b, length: 3}
  - {name: c, length: inner}
  - {name: d, length: rest}
)");
  const Record record = Decode(format, {0, 1, 10, 11, 20, 2, 22, 30, 31, 40});
  EXPECT_EQ(ProblemsOf(record), "");
  EXPECT_EQ(record.FindSection("a")->bytes, 2u);
  EXPECT_EQ(record.FindSection("b")->offset, 4u);
  EXPECT_EQ(record.FindField("inner")->value, 2);
  EXPECT_EQ(record.FindField("inner")->section, "c");
  EXPECT_TRUE(record.FindField("n")->big_endian);
  EXPECT_EQ(record.FindSection("c")->bytes, 2u);
  EXPECT_EQ(record.FindSection("d")->bytes, 1u);
  EXPECT_EQ(TilingErrorOf(record), "");
}

constexpr char kCounted[] =
    "fields: [{name: n, at: 0, type: u64}]\n"
    "sections: [{name: s, length: n, each: 4}]\n";

TEST(YamlFormat, TruncatedOverflowingAndTooLongRecordsAreRefused) {
  EXPECT_EQ(ProblemsWith(kCounted, {0, 0, 0, 0, 0, 0, 0}), "too_short");
  EXPECT_EQ(ProblemsWith(kCounted, {1, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4}), "");
  EXPECT_EQ(ProblemsWith(kCounted, {1, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3}), "truncated");
  EXPECT_EQ(ProblemsWith(kCounted, {1, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5}), "trailing_bytes");
  EXPECT_EQ(ProblemsWith(kCounted, Bytes(8, 0xff)), "size_overflow");
  EXPECT_EQ(ProblemsWith(kCounted, {0, 0, 0, 0, 0, 0, 0, 0x3f}), "truncated");
  EXPECT_EQ(
      ProblemsWith(std::string(kCounted) + "trailing: allowed\n", {0, 0, 0, 0, 0, 0, 0, 0, 1}), "");
}

TEST(YamlFormat, AFieldOutsideItsSectionIsTruncated) {
  EXPECT_EQ(ProblemsWith("fields: [{name: x, in: s, at: 2, type: u32}]\n"
                         "sections: [{name: s, at: 0, length: rest}]\n",
                         {1, 2, 3, 4, 5}),
            "truncated");
}

TEST(YamlFormat, ChecksAreOfTheClassOfTheirRole) {
  const auto one = [](const std::string& rest, std::uint8_t byte) {
    return ProblemsWith("fields: [{name: a, at: 0, type: u8, " + rest + "}]\n", {byte});
  };
  EXPECT_EQ(one("equals: 7, role: magic", 6), "bad_magic");
  EXPECT_EQ(one("equals: 7, role: version", 6), "bad_version");
  EXPECT_EQ(one("equals: 7, role: abi", 6), "bad_abi");
  EXPECT_EQ(one("one_of: [2, 4]", 3), "bad_field");
  EXPECT_EQ(one("one_of: [2, 4]", 4), "");
  EXPECT_EQ(one("min: 3, max: 5", 2), "bad_field");
  EXPECT_EQ(one("min: 3, max: 5", 3), "");
  EXPECT_EQ(one("min: 3, max: 5", 5), "");
  EXPECT_EQ(one("min: 3, max: 5", 6), "bad_field");
}

TEST(YamlFormat, AFailedCheckSaysWhatIsAccepted) {
  const Record record = Decode(Described("fields: [{name: a, at: 0, type: u8, one_of: [2, 4]}, "
                                         "{name: b, at: 1, type: i8, min: -1, max: 1}]\n"),
                               {3, 5});
  ASSERT_EQ(record.problems.size(), 2u);
  EXPECT_EQ(TextOf(record.problems[0]), "bad_field: a: got 3, expected 2 or 4");
  EXPECT_EQ(TextOf(record.problems[1]), "bad_field: b: got 5, expected at least -1, at most 1");
}

TEST(YamlFormat, NotANumberIsWithinNoBounds) {
  const std::string bounded = "fields: [{name: a, at: 0, type: f32, min: -1e9}]\n";
  EXPECT_EQ(ProblemsWith(bounded, {0, 0, 0xc0, 0x7f}), "bad_field");
  EXPECT_EQ(ProblemsWith(bounded, {0, 0, 0, 0}), "");
}

TEST(YamlFormat, MasksFieldsSectionsAndRanges) {
  const Record record = Decode(Described(R"(
fields:
  - {name: a, at: 0, type: u8}
  - {name: b, at: 1, type: u16, volatile: true}
sections: [{name: s, length: 2, volatile: true}, {name: t, length: rest}]
volatile: [{at: 6, bytes: 1}, {at: 2, bytes: 2}]
)"),
                               Bytes(8, 1));
  EXPECT_THAT(record.masked, ::testing::ElementsAre(Range{1, 4}, Range{6, 1}));
}

// A description that leaves bytes out does not hide them from a comparison.
TEST(YamlFormat, WhatItDoesNotDescribeIsAGap) {
  const YamlFormat format = Described(
      "fields: [{name: a, at: 0, type: u8}, {name: b, at: 4, type: u8}]\n"
      "sections: [{name: s, at: 8, length: 1}]\ntrailing: allowed\n");
  const Record record = Decode(format, Bytes(12, 1));
  EXPECT_EQ(record.FindSection("gap[0]")->offset, 1u);
  EXPECT_EQ(record.FindSection("gap[1]")->bytes, 3u);
  EXPECT_EQ(record.FindSection("gap[2]")->offset, 9u);
  EXPECT_EQ(TilingErrorOf(record), "");
}

TEST(YamlFormat, NamesAreHashesOfASection) {
  for (const auto& [rule, name] : std::vector<std::pair<std::string, std::string>>{
           {"sha1", "a9993e364706816aba3e25717850c26c9cd0d89d.kv"},
           {"sha256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad.kv"}}) {
    const YamlFormat format = Described(
        "fields: [{name: n, at: 0, type: u8}]\nsections: [{name: s, length: n}]\n"
        "file_name: {" +
        rule + ": s, suffix: .kv}\n");
    EXPECT_EQ(ProblemsOf(Decode(format, {3, 'a', 'b', 'c'}, name)), "");
    EXPECT_EQ(ProblemsOf(Decode(format, {3, 'a', 'b', 'd'}, name)), "name_mismatch");
    EXPECT_EQ(ProblemsOf(Decode(format, {3, 'a', 'b', 'c'}, "x" + name)), "name_mismatch");
  }
}

TEST(YamlFormat, RecognisesByMagicsAndElseBySuffix) {
  const YamlFormat magic =
      Described("fields: [{name: m, at: 1, type: u16, equals: 0x0201, role: magic}]\n");
  EXPECT_TRUE(magic.Recognises(Bytes{9, 1, 2}, "any"));
  EXPECT_FALSE(magic.Recognises(Bytes{9, 1, 3}, "any"));
  EXPECT_FALSE(magic.Recognises(Bytes{9, 1}, "any"));
  const YamlFormat named = Described(
      "fields: [{name: m, at: 0, type: u8}]\nsections: [{name: s, length: rest}]\n"
      "file_name: {sha1: s, suffix: .kv}\n");
  EXPECT_TRUE(named.Recognises(Bytes{}, "a.kv"));
  EXPECT_FALSE(named.Recognises(Bytes{}, "a.bin"));
  EXPECT_FALSE(Described("fields: [{name: m, at: 0, type: u8}]\n").Recognises(Bytes{1}, "a.kv"));
}

}  // namespace
}  // namespace parity::kv
