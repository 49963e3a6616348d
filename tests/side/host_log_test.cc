#include "gtest_parity/side/host_log.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <thread>

namespace parity {
namespace {

using testing::EndsWith;
using testing::StartsWith;

class HostLogs : public testing::Test {
 protected:
  HostLogs() {
    std::string pattern = testing::TempDir() + "parity_host_log_XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  ~HostLogs() override { std::filesystem::remove_all(folder_); }
  std::string path() const { return folder_ + "/host.log"; }
  std::string FileText() const {
    std::ostringstream text;
    text << std::ifstream(path()).rdbuf();
    return text.str();
  }

 private:
  std::string folder_;
};

void Write(int fd, const std::string& text) {
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t n = write(fd, text.data() + written, text.size() - written);
    ASSERT_GT(n, 0);
    written += static_cast<std::size_t>(n);
  }
}

// Waits until what was written has been read.
void WaitForTail(const HostLog& log, const std::string& end) {
  for (int i = 0; i < 2000 && !log.Tail().ends_with(end); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_THAT(log.Tail(), EndsWith(end));
}

TEST_F(HostLogs, FileAndTail) {
  {
    HostLog log(path());
    Write(log.write_fd(), "loading weights\n");
    Write(log.write_fd(), "ready\n");
    WaitForTail(log, "loading weights\nready\n");
  }
  EXPECT_EQ(FileText(), "loading weights\nready\n");
}

TEST_F(HostLogs, WhatIsInThePipeAtTheEndIsKept) {
  {
    HostLog log(path());
    Write(log.write_fd(), std::string(50000, 'x') + "last words");
  }
  EXPECT_THAT(FileText(), EndsWith("xlast words"));
}

TEST_F(HostLogs, SecondHostAppends) {
  for (const char* words : {"first\n", "second\n"}) {
    HostLog log(path());
    Write(log.write_fd(), words);
  }
  EXPECT_EQ(FileText(), "first\nsecond\n");
}

TEST_F(HostLogs, NoFileKeepsTheTail) {
  HostLog log("");
  Write(log.write_fd(), "words");
  WaitForTail(log, "words");
}

TEST_F(HostLogs, CannotBeWritten) {
  EXPECT_THROW(HostLog("/nowhere/at/all/host.log"), std::system_error);
}

// A writer of 50 MB is never held up for good, the file stays small, and the end is known.
TEST_F(HostLogs, EndlessWriter) {
  HostLog log(path());
  const std::string line = std::string(1023, '.') + "\n";
  Write(log.write_fd(), "the first line\n");
  for (int i = 0; i < 50 * 1024; ++i) Write(log.write_fd(), line);
  Write(log.write_fd(), "the last line\n");
  log.CloseWriteEnd();
  WaitForTail(log, "the last line\n");
  EXPECT_EQ(log.Tail().size(), HostLog::kTailBytes);
  EXPECT_EQ(std::filesystem::file_size(path()), HostLog::kFileBytes);
  EXPECT_THAT(FileText(), StartsWith("the first line\n"));
}

TEST_F(HostLogs, CapIsOfEachHost) {
  for (int host = 1; host <= 2; ++host) {
    {
      HostLog log(path());
      Write(log.write_fd(), std::string(HostLog::kFileBytes + 5000, 'a'));
    }
    EXPECT_EQ(std::filesystem::file_size(path()), host * HostLog::kFileBytes);
  }
}

// A process that keeps the pipe open after the host is gone. It sleeps, or it prints without end.
class Survivor {
 public:
  Survivor(const HostLog& log, bool prints) {
    pid_ = fork();
    if (pid_ != 0) return;
    const int fd = dup(log.write_fd());
    const char words[] = "still here\n";
    for (;;) {
      if (!prints) {
        pause();
      } else if (write(fd, words, sizeof(words) - 1) < 0) {
        _exit(0);
      }
    }
  }
  ~Survivor() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }

 private:
  pid_t pid_;
};

class HostLogSurvivor : public HostLogs, public testing::WithParamInterface<bool> {};

INSTANTIATE_TEST_SUITE_P(Prints, HostLogSurvivor, testing::Bool());

TEST_P(HostLogSurvivor, DoesNotHoldUpTheEnd) {
  auto log = std::make_unique<HostLog>(path());
  const Survivor survivor(*log, GetParam());
  log->CloseWriteEnd();
  if (GetParam()) WaitForTail(*log, "here\n");
  log.reset();
}

}  // namespace
}  // namespace parity
