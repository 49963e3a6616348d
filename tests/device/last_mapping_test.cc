#include "gtest_parity/device/last_mapping.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "gtest_parity/device/shared_memory.h"
#include "gtest_parity/device/spill_file.h"

namespace parity {
namespace {

using std::chrono::milliseconds;

constexpr std::uint64_t kBytes = 64 * 1024;
constexpr milliseconds kLong{60 * 1000};

// What somebody who reads a process's memory in /proc does to it, held for as long as `pipe` is
// open. Bare system calls: it runs on the thread state of a process that is gone.
int HoldMemory(void* pipe) {
  char byte;
  syscall(SYS_read, *static_cast<int*>(pipe), &byte, 1);
  syscall(SYS_exit_group, 0);
  return 0;
}

// A process that maps `fd` to write it, ended and was reaped; its memory is held until Release.
class Departed {
 public:
  explicit Departed(int fd) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    const FileDescriptor read_end(ends[0]);
    held_.emplace(ends[1]);
    const pid_t pid = fork();
    if (pid == 0) {
      const Mapping mapping(fd, kBytes, true);
      close(ends[1]);
      alignas(16) static std::array<char, 64 * 1024> stack;
      _exit(clone(HoldMemory, stack.data() + stack.size(), CLONE_VM, &ends[0]) > 0 ? 0 : 1);
    }
    int status = -1;
    if (waitpid(pid, &status, 0) != pid || status != 0) {
      throw std::system_error(errno, std::generic_category(), "a process to depart");
    }
  }
  void Release() { held_->Close(); }

 private:
  std::optional<FileDescriptor> held_;
};

template <typename Call>
int ErrorOf(Call call) {
  try {
    call();
  } catch (const std::system_error& error) {
    return error.code().value();
  }
  return 0;
}

TEST(LastMapping, OfAReapedProcessIsWaitedForBeforeMemoryIsSealed) {
  const FileDescriptor fd = CreateSharedMemory("parity_test", kBytes);
  Departed departed(fd.get());
  ASSERT_EQ(ErrorOf([&] { SealAgainstWrites(fd.get()); }), EBUSY);
  const std::jthread reader([&] {
    std::this_thread::sleep_for(milliseconds(20));
    departed.Release();
  });
  EXPECT_EQ(ErrorOf([&] { SealAgainstWrites(fd.get(), kLong); }), 0);
  EXPECT_EQ(ErrorOf([&] { Mapping(fd.get(), kBytes, true); }), EPERM);
}

TEST(LastMapping, OfAReapedProcessIsWaitedForBeforeAFileIsOnlyRead) {
  FileDescriptor lost = CreateSpillFile(::testing::TempDir(), kBytes);
  const Departed held(lost.get());
  ASSERT_EQ(ErrorOf([&] { OnlyToRead(std::move(lost)); }), EBUSY);
  FileDescriptor fd = CreateSpillFile(::testing::TempDir(), kBytes);
  Departed departed(fd.get());
  const std::jthread reader([&] {
    std::this_thread::sleep_for(milliseconds(20));
    departed.Release();
  });
  EXPECT_EQ(ErrorOf([&] { OnlyToRead(std::move(fd), kLong); }), 0);
}

TEST(AskWhileBusy, EndsWithAnyOtherAnswer) {
  for (const int last : {0, EPERM}) {
    int asked = 0;
    const auto ask = [&] { return ++asked == 1 ? EBUSY : asked == 2 ? EAGAIN : last; };
    EXPECT_EQ(AskWhileBusy(kLong, ask), last);
    EXPECT_EQ(asked, 3);
  }
}

TEST(AskWhileBusy, AsksOnceWithoutPatience) {
  int asked = 0;
  EXPECT_EQ(AskWhileBusy({}, [&] { return ++asked, EBUSY; }), EBUSY);
  EXPECT_EQ(asked, 1);
}

TEST(AskWhileBusy, GivesUp) {
  EXPECT_EQ(AskWhileBusy(milliseconds(5), [] { return EAGAIN; }), EAGAIN);
}

}  // namespace
}  // namespace parity
