#include "gtest_parity/side/host_log.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace parity {
namespace {

[[noreturn]] void Fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

HostLog::HostLog(const std::string& path) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) Fail("pipe for the engine host's output");
  read_end_ = FileDescriptor(ends[0]);
  write_end_ = FileDescriptor(ends[1]);
  stop_ = FileDescriptor(eventfd(0, EFD_CLOEXEC));
  if (!stop_.valid()) Fail("eventfd");
  if (!path.empty()) {
    file_ = FileDescriptor(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    if (!file_.valid()) Fail("cannot write the engine host's log " + path);
  }
  thread_ = std::thread([this] { Drain(); });
}

HostLog::~HostLog() {
  const std::uint64_t one = 1;
  if (write(stop_.get(), &one, sizeof(one)) != sizeof(one)) std::terminate();
  thread_.join();
}

std::string HostLog::Tail() const {
  std::lock_guard lock(mutex_);
  return tail_;
}

void HostLog::WaitForEnd(std::chrono::milliseconds most) const {
  std::unique_lock lock(mutex_);
  drained_.wait_for(lock, most, [this] { return at_end_; });
}

void HostLog::Drain() {
  DrainPipe();
  const std::lock_guard lock(mutex_);
  at_end_ = true;
  drained_.notify_all();
}

void HostLog::DrainPipe() {
  char buffer[64 * 1024];
  bool stopping = false;
  // Once asked to stop, only what can be there already is read: a grandchild may hold the pipe open
  // and go on printing.
  const int capacity = fcntl(read_end_.get(), F_GETPIPE_SZ);
  std::size_t left = capacity > 0 ? static_cast<std::size_t>(capacity) : sizeof(buffer);
  for (;;) {
    pollfd waiting[2] = {{read_end_.get(), POLLIN, 0}, {stop_.get(), POLLIN, 0}};
    const int ready = poll(waiting, 2, stopping ? 0 : -1);
    if (ready < 0 && errno == EINTR) continue;
    if (waiting[1].revents != 0) stopping = true;
    if (waiting[0].revents == 0) {
      if (stopping) return;
      continue;
    }
    const ssize_t n = read(read_end_.get(), buffer, sizeof(buffer));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    Take(buffer, static_cast<std::size_t>(n));
    if (!stopping) continue;
    if (static_cast<std::size_t>(n) >= left) return;
    left -= static_cast<std::size_t>(n);
  }
}

void HostLog::Take(const char* data, std::size_t bytes) {
  std::lock_guard lock(mutex_);
  tail_.append(data, bytes);
  if (tail_.size() > kTailBytes) tail_.erase(0, tail_.size() - kTailBytes);
  const std::size_t room = file_.valid() ? kFileBytes - std::min(kFileBytes, written_) : 0;
  written_ += bytes;
  if (room == 0) return;
  // A full disk costs the log, not the verdict.
  if (write(file_.get(), data, std::min(room, bytes)) < 0) file_.Close();
}

}  // namespace parity
