#include "suites/kv/formats/record_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/manifest/diagnostics.h"
#include "tests/kv/formats/hex_record.h"
#include "tests/manifest/files.h"

namespace parity::kv {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(RecordFormat, EveryNamedFormatIsMade) {
  EXPECT_THAT(RecordFormatNames(), ElementsAre("kvc", "kvc_upstream", "kvc_abi2", "llama_state"));
  for (const std::string& name : RecordFormatNames()) {
    EXPECT_EQ(MakeRecordFormat(name)->name(), name);
  }
}

TEST(RecordFormat, APathIsADescription) {
  const TempFolder folder;
  const std::string path = folder.Write("mine.yaml",
                                        "record_format: 1\nname: mine\n"
                                        "fields: [{name: a, at: 0, type: u8}]\n");
  EXPECT_EQ(MakeRecordFormat(path)->name(), "mine");
  EXPECT_THAT(ErrorOf([&] { MakeRecordFormat(folder.Path("none.yaml")); }),
              HasSubstr("none.yaml: cannot be read"));
}

TEST(RecordFormat, AnUnknownNameIsToldTheNearest) {
  EXPECT_THAT(ErrorOf([] { MakeRecordFormat("llama_stat"); }),
              HasSubstr("record format: unknown name: got \"llama_stat\", expected"));
  EXPECT_THAT(ErrorOf([] { MakeRecordFormat("llama_stat"); }), HasSubstr("llama_state"));
}

TEST(RecordFormat, RecordsOfOneFormatAreNotTakenForAnothers) {
  const HexRecord record = ReadHexRecord("serial_abi2");
  const auto first = std::span(record.bytes).first(kFirstBytes);
  const std::vector<std::uint8_t> sequence = {0x71, 0x73, 0x67, 0x67, 2, 0, 0, 0};
  EXPECT_TRUE(MakeRecordFormat("kvc")->Recognises(first, record.file_name));
  EXPECT_FALSE(MakeRecordFormat("llama_state")->Recognises(first, record.file_name));
  EXPECT_TRUE(MakeRecordFormat("llama_state")->Recognises(sequence, "a.bin"));
  EXPECT_FALSE(MakeRecordFormat("kvc")->Recognises(sequence, "a.bin"));
  EXPECT_FALSE(MakeRecordFormat("kvc")->Recognises(std::span(sequence).first(2), "a.bin"));
  EXPECT_FALSE(MakeRecordFormat("llama_state")->Recognises(std::span(sequence).first(3), "a.bin"));
}

TEST(RecordFormat, ReadsAFileByItsName) {
  const TempFolder folder;
  const HexRecord record = ReadHexRecord("serial_abi2");
  const std::string path =
      folder.Write(record.file_name, std::string(record.bytes.begin(), record.bytes.end()));
  const RecordFile file = ReadRecordFile(*MakeRecordFormat("kvc"), path);
  ASSERT_NE(file.bytes, nullptr);
  EXPECT_EQ(file.record.file_name, record.file_name);
  EXPECT_TRUE(file.record.problems.empty());
}

TEST(RecordFormat, AFileThatCannotBeOpenedIsARecordWithAProblem) {
  const RecordFile file = ReadRecordFile(*MakeRecordFormat("kvc"), "/nowhere/at/all.kv");
  EXPECT_EQ(file.bytes, nullptr);
  EXPECT_EQ(file.record.file_name, "all.kv");
  ASSERT_NE(file.record.Refusal(), nullptr);
  EXPECT_EQ(file.record.Refusal()->kind, ProblemKind::kUnreadable);
}

}  // namespace
}  // namespace parity::kv
