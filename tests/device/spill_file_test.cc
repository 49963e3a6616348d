#include "gtest_parity/device/spill_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <system_error>

#include "gtest_parity/device/shared_memory.h"

namespace parity {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr std::uint64_t kBytes = 1 << 20;

class SpillFileTest : public ::testing::Test {
 protected:
  SpillFileTest() { std::filesystem::create_directory(folder_); }
  ~SpillFileTest() override { std::filesystem::remove_all(folder_); }
  std::string folder_ = ::testing::TempDir() + "parity_spill_" + std::to_string(getpid());
};

TEST_F(SpillFileTest, HasItsRoomAndNoName) {
  const FileDescriptor file = CreateSpillFile(folder_, kBytes);
  struct stat status {};
  ASSERT_EQ(fstat(file.get(), &status), 0);
  EXPECT_EQ(status.st_size, static_cast<off_t>(kBytes));
  EXPECT_GE(status.st_blocks * 512, static_cast<off_t>(kBytes));
  EXPECT_EQ(status.st_nlink, 0u);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(SpillFileTest, WhatWasWrittenCanOnlyBeRead) {
  FileDescriptor file = CreateSpillFile(folder_, kBytes);
  std::memcpy(Mapping(file.get(), kBytes, true).data(), "evidence", 8);
  const FileDescriptor sealed = OnlyToRead(std::move(file));
  EXPECT_EQ(std::memcmp(Mapping(sealed.get(), kBytes, false).data(), "evidence", 8), 0);
  EXPECT_THROW(Mapping(sealed.get(), kBytes, true), std::system_error);
  EXPECT_EQ(write(sealed.get(), "x", 1), -1);
}

TEST_F(SpillFileTest, NobodyElseMayBeAbleToWrite) {
  FileDescriptor file = CreateSpillFile(folder_, kBytes);
  FileDescriptor kept(dup(file.get()));
  const auto busy = [](const std::system_error& error) { return error.code().value() == EBUSY; };
  try {
    OnlyToRead(std::move(file));
    FAIL() << "a descriptor could still write";
  } catch (const std::system_error& error) {
    EXPECT_TRUE(busy(error)) << error.what();
  }
  const Mapping mapping(kept.get(), kBytes, true);
  try {
    OnlyToRead(std::move(kept));
    FAIL() << "a mapping could still write";
  } catch (const std::system_error& error) {
    EXPECT_TRUE(busy(error)) << error.what();
  }
}

TEST_F(SpillFileTest, FolderThatCannotTakeItIsNamed) {
  EXPECT_THAT([&] { CreateSpillFile(folder_ + "/none", kBytes); },
              ThrowsMessage<std::system_error>(HasSubstr("to spill to in " + folder_ + "/none")));
  EXPECT_THAT([&] { CreateSpillFile(folder_, std::uint64_t{1} << 60); },
              ThrowsMessage<std::system_error>(HasSubstr("reserving 1152921504606846976 bytes")));
}

}  // namespace
}  // namespace parity
