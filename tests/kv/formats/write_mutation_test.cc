#include "suites/kv/formats/write_mutation.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <system_error>

#include "suites/kv/formats/record_format.h"
#include "tests/kv/formats/hex_record.h"
#include "tests/kv/formats/kvc_samples.h"
#include "tests/manifest/files.h"

namespace parity::kv {
namespace {

TEST(WriteMutation, EveryFileIsWhatTheListSays) {
  const HexRecord hex = ReadHexRecord("tool_map");
  const KvcFormat format;
  MemoryBytes memory(hex.bytes);
  const Record record = format.Decode(&memory, hex.file_name);
  for (const Mutation& mutation : MutationsOf(format, &memory, record)) {
    const TempFolder folder;
    const RecordFile file =
        ReadRecordFile(format, WriteMutation(mutation, &memory, folder.Path("")));
    ASSERT_NE(file.bytes, nullptr) << mutation.slug;
    EXPECT_EQ(file.record.size, mutation.size) << mutation.slug;
    EXPECT_EQ(file.record.problems, mutation.problems) << mutation.slug;
  }
}

TEST(WriteMutation, AHoleTakesNoDisk) {
  const HexRecord hex = ReadHexRecord("tool_map");
  const TempFolder folder;
  MemoryBytes memory(hex.bytes);
  const Mutation mutation{"sparse", "", "a.kv", kSparseBytes, {{kSparseBytes - 1, {7}}}};
  const std::string path = WriteMutation(mutation, &memory, folder.Path(""));
  struct stat status = {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(static_cast<std::uint64_t>(status.st_size), kSparseBytes);
  EXPECT_LT(status.st_blocks * 512, 1 << 20);
}

TEST(WriteMutation, NeverWritesOverAFile) {
  const TempFolder folder;
  folder.Write("a.kv", "precious");
  MemoryBytes memory({1, 2, 3});
  EXPECT_THROW(WriteMutation({"m", "", "a.kv", 3, {}}, &memory, folder.Path("")),
               std::system_error);
  EXPECT_THROW(WriteMutation({"m", "", "b.kv", 3, {}}, &memory, folder.Path("none")),
               std::system_error);
}

}  // namespace
}  // namespace parity::kv
