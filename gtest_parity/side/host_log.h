// What an engine host prints: a capped file and the last lines.
#ifndef GTEST_PARITY_SIDE_HOST_LOG_H_
#define GTEST_PARITY_SIDE_HOST_LOG_H_

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "gtest_parity/device/shared_memory.h"

namespace parity {

// Drains a pipe on a thread of its own, so that a host that prints without end never blocks on it.
class HostLog {
 public:
  static constexpr std::size_t kFileBytes = 1 << 20;  // of each host; the rest is counted only
  static constexpr std::size_t kTailBytes = 4096;

  // `path` is appended to; empty: only the tail is kept. Throws std::system_error.
  explicit HostLog(const std::string& path);
  ~HostLog();
  HostLog(const HostLog&) = delete;
  HostLog& operator=(const HostLog&) = delete;

  int write_fd() const { return write_end_.get(); }
  // To be called once the host has the write end.
  void CloseWriteEnd() { write_end_.Close(); }
  std::string Tail() const;
  // Waits until all writers are gone and what they wrote is in the tail, that long at most.
  void WaitForEnd(std::chrono::milliseconds most) const;

 private:
  void Drain();
  void DrainPipe();
  void Take(const char* data, std::size_t bytes);

  FileDescriptor read_end_, write_end_, stop_, file_;
  mutable std::mutex mutex_;
  mutable std::condition_variable drained_;
  bool at_end_ = false;
  std::string tail_;
  std::size_t written_ = 0;
  std::thread thread_;
};

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_HOST_LOG_H_
