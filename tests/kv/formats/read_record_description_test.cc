#include "suites/kv/formats/read_record_description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "suites/kv/formats/record_description_keys.h"
#include "tests/manifest/files.h"

namespace parity::kv {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

RecordDescription Read(const std::string& text) {
  return ReadRecordDescriptionText("f.yaml", text);
}

// The message for `rest` behind a head and one field that are in order.
std::string Error(const std::string& rest) {
  return ErrorOf([&] {
    Read("record_format: 1\nname: f\nfields:\n  - {name: n, at: 0, type: u32}\n" + rest);
  });
}

TEST(ReadRecordDescription, EverythingThatCanBeSaid) {
  const RecordDescription read = Read(R"(
record_format: 1
name: everything
endian: big
fields:
  - {name: magic, at: 0, type: "bytes[2]", equals: "4b56", role: magic}
  - {name: n, at: 2, type: u16, endian: little, min: 1, max: 0x10, role: count}
  - {name: kind, at: 4, type: i8, one_of: [-1, 1], volatile: true}
  - {name: inner, in: body, at: 1, type: f32, min: -0.5}
sections:
  - {name: body, at: 8, length: n, each: 4}
  - {name: pad, length: 3, volatile: true}
  - {name: tail, length: rest}
volatile: [{at: 6, bytes: 2}]
file_name: {sha256: body, suffix: .bin}
trailing: allowed
)");
  EXPECT_EQ(read.name, "everything");
  ASSERT_EQ(read.fields.size(), 4u);
  EXPECT_EQ(read.fields[0].role, FieldRole::kMagic);
  EXPECT_THAT(read.fields[0].accepted, ElementsAre("4b56"));
  EXPECT_TRUE(read.fields[0].big_endian);
  EXPECT_FALSE(read.fields[1].big_endian);
  EXPECT_EQ(*read.fields[1].least, 1);
  EXPECT_EQ(*read.fields[1].most, 16);
  EXPECT_THAT(read.fields[2].accepted, ElementsAre(-1, 1));
  EXPECT_TRUE(read.fields[2].masked);
  EXPECT_EQ(read.fields[3].in, "body");
  EXPECT_EQ(*read.fields[3].least, -0.5);
  ASSERT_EQ(read.sections.size(), 3u);
  EXPECT_EQ(read.sections[0].at, 8u);
  EXPECT_EQ(std::get<std::string>(read.sections[0].length), "n");
  EXPECT_EQ(read.sections[0].each, 4u);
  EXPECT_EQ(std::get<std::uint64_t>(read.sections[1].length), 3u);
  EXPECT_TRUE(read.sections[1].masked);
  EXPECT_TRUE(std::holds_alternative<RestOfFile>(read.sections[2].length));
  EXPECT_THAT(read.masked, ElementsAre(Range{6, 2}));
  EXPECT_FALSE(read.name_rule->sha1);
  EXPECT_EQ(read.name_rule->section, "body");
  EXPECT_TRUE(read.trailing_allowed);
}

TEST(ReadRecordDescription, TellsAllThatIsWrongWithItsPlace) {
  const std::string error = ErrorOf([] {
    Read(
        "record_format: 2\n"
        "fields:\n"
        "  - {name: a, at: 0, type: u24}\n"
        "  - {name: a, ad: 0, type: u8}\n"
        "sections: 7\n");
  });
  EXPECT_EQ(error,
            "f.yaml:1:1: missing key \"name\"\n"
            "f.yaml:1:16: record_format (the description's version): got \"2\", expected 1\n"
            "f.yaml:3:28: fields[0].type: got \"u24\", expected u8, u16, u32, u64, i8, i16, i32, "
            "i64, f32, f64, bytes[N] or text[N] of 1 to 4096 bytes\n"
            "f.yaml:4:5: missing key \"fields[1].at\"\n"
            "f.yaml:4:12: fields[1].name: used before: got \"a\", expected a name of its own\n"
            "f.yaml:4:15: unknown key in fields[1]: got \"ad\", expected \"at\"\n"
            "f.yaml:5:11: sections: got \"7\", expected a list");
}

TEST(ReadRecordDescription, NamesTheNearestOfAnUnknownName) {
  EXPECT_THAT(Error("sectoins: []\n"), HasSubstr("f.yaml:5:1: unknown key: got \"sectoins\""));
  EXPECT_THAT(Error("sectoins: []\n"), HasSubstr("\"sections\""));
  EXPECT_THAT(Error("endian: litle\n"), AllOf(HasSubstr("f.yaml:5:9"), HasSubstr("\"little\"")));
  EXPECT_THAT(Error("sections: [{name: body, length: 3}]\nfile_name: {sha1: bdy, suffix: .kv}\n"),
              AllOf(HasSubstr("no section of that name: got \"bdy\""), HasSubstr("\"body\"")));
}

TEST(ReadRecordDescription, ALengthIsKnownBeforeItsSection) {
  EXPECT_THAT(Error("sections: [{name: s, length: m}]\n"),
              HasSubstr("sections[0].length: no unsigned field of the file or of an earlier "
                        "section: got \"m\""));
  const std::string head =
      "record_format: 1\nname: f\nfields:\n"
      "  - {name: late, in: two, at: 0, type: u8}\n"
      "  - {name: sign, at: 0, type: i8}\n";
  EXPECT_THAT(ErrorOf([&] {
                Read(head + "sections: [{name: one, length: late}, {name: two, length: sign}]\n");
              }),
              AllOf(HasSubstr("sections[0].length"), HasSubstr("sections[1].length")));
  EXPECT_NO_THROW(Read(head + "sections: [{name: two, length: 4}, {name: three, length: late}]\n"));
}

TEST(ReadRecordDescription, ChecksFitTheirFields) {
  const auto field = [](const std::string& checks) {
    return ErrorOf(
        [&] { Read("record_format: 1\nname: f\nfields: [{name: a, at: 0, " + checks + "}]\n"); });
  };
  EXPECT_THAT(field("type: u8, equals: 256"),
              HasSubstr("fields[0].equals: got \"256\", expected a whole number that 8 bits hold"));
  EXPECT_THAT(field("type: u8, one_of: [1, x]"), HasSubstr("fields[0].one_of: got \"x\""));
  EXPECT_THAT(field("type: u8, one_of: 1"),
              HasSubstr("fields[0].one_of: got \"1\", expected a list"));
  EXPECT_THAT(field("type: 'text[2]', min: 3"),
              HasSubstr("fields[0].min: got \"3\", expected no bound: the field is no number"));
  EXPECT_THAT(field("type: u8, volatile: maybe"), HasSubstr("fields[0].volatile"));
  EXPECT_THAT(field("type: u8, role: magik"), HasSubstr("\"magic\""));
}

TEST(ReadRecordDescription, RangesAndNamesAreChecked) {
  EXPECT_THAT(Error("volatile: [{at: 18446744073709551615, bytes: 2}]\n"),
              HasSubstr("volatile[0]: got a range behind 2^64"));
  EXPECT_THAT(Error("volatile: [{at: 1, bytes: 0}]\n"), HasSubstr("volatile[0].bytes"));
  EXPECT_THAT(Error("file_name: {suffix: .kv}\n"), HasSubstr("file_name: got no hash"));
  EXPECT_THAT(Error("file_name: {sha1: a, sha256: a, suffix: .kv}\n"),
              HasSubstr("file_name: got both hashes"));
  EXPECT_THAT(Error("sections: [{name: s, length: 1, each: 0}]\n"), HasSubstr("sections[0].each"));
  EXPECT_THAT(Error("trailing: maybe\n"), HasSubstr("trailing"));
}

TEST(ReadRecordDescription, WhatIsNoDescriptionIsRefused) {
  EXPECT_THAT(ErrorOf([] { Read("[1, 2]"); }), HasSubstr("f.yaml:1:1: the file: got a list"));
  EXPECT_THAT(ErrorOf([] { Read("a: [\n"); }), HasSubstr("f.yaml"));
  EXPECT_THAT(ErrorOf([] { ReadRecordDescription("/nowhere.yaml"); }), HasSubstr("cannot be read"));
  EXPECT_THAT(ErrorOf([] { ReadRecordDescription("/tmp"); }), HasSubstr("cannot be read"));
}

std::string Page() {
  std::ifstream file(PARITY_SOURCE_DIR "/docs/kv_formats.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ReadRecordDescription, ThePagesExampleIsADescription) {
  const std::string page = Page();
  const std::size_t begin = page.find("    record_format: 1\n");
  ASSERT_NE(begin, std::string::npos);
  const RecordDescription read = Read(page.substr(begin, page.find("\n\n", begin) - begin));
  EXPECT_EQ(read.name, "mine");
  EXPECT_EQ(read.fields.size(), 5u);
  EXPECT_EQ(read.sections.size(), 3u);
}

TEST(ReadRecordDescription, ThePageExplainsEveryKey) {
  const std::string page = Page();
  for (const ManifestSection& section : {kDescriptionKeys, kFieldKeys, kSectionKeys}) {
    for (const ManifestKey& key : section.keys) {
      const bool alone = page.find("\n| `" + key.name + "` |") != std::string::npos;
      const bool paired = page.find("\n| `" + key.name + "`, `") != std::string::npos ||
                          page.find("`, `" + key.name + "` |") != std::string::npos;
      EXPECT_TRUE(alone || paired) << section.name << ": " << key.name;
    }
  }
}

}  // namespace
}  // namespace parity::kv
