#include "gtest_parity/report/files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "gtest_parity/report/error.h"
#include "tests/report/results.h"

namespace parity {
namespace {

using namespace parity::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::size_t FilesIn(const std::string& folder) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++count;
  return count;
}

// No file may grow beyond this, as on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit{bytes, old_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_;
  void (*old_handler_)(int);
};

TEST(Files, AreReplacedAsAWhole) {
  const TemporaryFolder folder;
  WriteFileAtomically(folder / "junit.xml", "old");
  WriteFileAtomically(folder / "junit.xml", "new");
  EXPECT_EQ(ReadFileIfThere(folder / "junit.xml"), "new");
  EXPECT_EQ(FilesIn(folder.path()), 1u) << "the temporary file stayed";
}

TEST(Files, KeepTheOldTextWhenTheNewCannotBeWritten) {
  const TemporaryFolder folder;
  WriteFileAtomically(folder / "junit.xml", "old");
  {
    const FileSizeLimit limit(4);
    EXPECT_THROW(WriteFileAtomically(folder / "junit.xml", "far too long"), ReportError);
  }
  EXPECT_EQ(ReadFileIfThere(folder / "junit.xml"), "old");
  EXPECT_EQ(FilesIn(folder.path()), 1u) << "the temporary file stayed";
}

TEST(Files, AnUnwritableFolderIsNamed) {
  EXPECT_THAT([] { WriteFileAtomically("/proc/self/junit.xml", "text"); },
              ThrowsMessage<ReportError>(HasSubstr("cannot create '/proc/self/junit.xml")));
  const TemporaryFolder folder;
  EXPECT_THAT([&] { WriteFileAtomically(folder / "none/junit.xml", "text"); },
              ThrowsMessage<ReportError>(HasSubstr("No such file or directory")));
}

TEST(Files, AFullDiskIsNamed) {
  const FileDescriptor full(::open("/dev/full", O_WRONLY));
  ASSERT_GE(full.get(), 0);
  EXPECT_THAT([&] { WriteAll(full, "text", "cases.jsonl"); },
              ThrowsMessage<ReportError>(
                  AllOf(HasSubstr("'cases.jsonl'"), HasSubstr("No space left on device"))));
}

TEST(Files, AMissingFileIsNoErrorAndAFolderIs) {
  const TemporaryFolder folder;
  EXPECT_EQ(ReadFileIfThere(folder / "none"), std::nullopt);
  EXPECT_THROW(ReadFileIfThere(folder.path()), ReportError);
}

}  // namespace
}  // namespace parity
