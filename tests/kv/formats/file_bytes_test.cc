#include "suites/kv/formats/file_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "tests/manifest/files.h"

namespace parity::kv {
namespace {

using ::testing::HasSubstr;

std::string WhyNot(const std::string& path) {
  std::string why;
  EXPECT_EQ(FileBytes::Open(path, &why), nullptr);
  return why;
}

TEST(FileBytes, ReadsAtAnyOffset) {
  const TempFolder folder;
  std::string why;
  const auto file = FileBytes::Open(folder.Write("a", "0123456789"), &why);
  ASSERT_NE(file, nullptr) << why;
  EXPECT_EQ(file->size(), 10u);
  std::vector<std::uint8_t> out(4);
  EXPECT_EQ(file->Read(6, out), ReadResult::kOk);
  EXPECT_EQ(std::string(out.begin(), out.end()), "6789");
  EXPECT_EQ(file->Read(7, out), ReadResult::kPastEnd);
}

TEST(FileBytes, AHoleOf4GiBIsOnlyASize) {
  const TempFolder folder;
  const std::string path = folder.Write("a", "begin");
  std::filesystem::resize_file(path, (std::uint64_t{4} << 30) + 7);
  std::string why;
  const auto file = FileBytes::Open(path, &why);
  ASSERT_NE(file, nullptr) << why;
  std::vector<std::uint8_t> out(2, 1);
  EXPECT_EQ(file->Read((std::uint64_t{4} << 30) + 5, out), ReadResult::kOk);
  EXPECT_EQ(out[1], 0);
  EXPECT_EQ(file->bytes_read(), 2u);
}

TEST(FileBytes, AFileThatIsCutWhileItIsReadEndsEarly) {
  const TempFolder folder;
  const std::string path = folder.Write("a", "0123456789");
  std::string why;
  const auto file = FileBytes::Open(path, &why);
  ASSERT_NE(file, nullptr) << why;
  std::filesystem::resize_file(path, 5);
  std::vector<std::uint8_t> out(8);
  EXPECT_EQ(file->Read(0, out), ReadResult::kPastEnd);
}

TEST(FileBytes, SaysWhyAFileIsNone) {
  const TempFolder folder;
  EXPECT_THAT(WhyNot(folder.Path("none")), HasSubstr("none: No such file"));
  std::filesystem::create_directory(folder.Path("folder"));
  EXPECT_THAT(WhyNot(folder.Path("folder")), HasSubstr("folder: not a regular file"));
  ASSERT_EQ(mkfifo(folder.Path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(WhyNot(folder.Path("pipe")), HasSubstr("pipe: not a regular file"));
}

TEST(FileBytes, AFileWithoutPermissionIsUnreadable) {
  const TempFolder folder;
  const std::string path = folder.Write("a", "secret");
  std::filesystem::permissions(folder.Path("."), std::filesystem::perms(0755));
  std::filesystem::permissions(path, std::filesystem::perms::none);
  // Root may read anything: the question is asked as somebody else.
  const uid_t self = geteuid();
  if (self == 0) {
    ASSERT_EQ(seteuid(65534), 0);
  }
  const std::string why = WhyNot(path);
  ASSERT_EQ(seteuid(self), 0);
  EXPECT_THAT(why, HasSubstr("Permission denied"));
}

}  // namespace
}  // namespace parity::kv
