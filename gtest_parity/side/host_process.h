// One engine host as the judge holds it: the process, the socket to it, and what it prints.
#ifndef GTEST_PARITY_SIDE_HOST_PROCESS_H_
#define GTEST_PARITY_SIDE_HOST_PROCESS_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/side/host_log.h"
#include "gtest_parity/side/side.h"
#include "gtest_parity/side/socket.h"
#include "gtest_parity/side/warden_process.h"

namespace parity {

struct HostOptions {
  std::string program;               // path of parity_host
  std::vector<std::string> wrapper;  // put before it: {"gdb", "--args"}; suspends deadlines
  std::string log_path;              // empty: only the tail is kept
};

// Owns the process, its warden, and whatever they start: all are ended when this object goes.
class HostProcess {
 public:
  // For ranks [first, first + ranks) of the side. Throws SetupError.
  HostProcess(const SideOptions& side, const HostOptions& options, std::uint32_t first,
              std::uint32_t ranks);
  ~HostProcess() { End(); }
  HostProcess(const HostProcess&) = delete;
  HostProcess& operator=(const HostProcess&) = delete;

  std::uint32_t first_rank() const { return first_; }
  std::uint32_t ranks() const { return ranks_; }
  // The host's own, below its warden and wrapper; 0 before Greet.
  pid_t pid() const { return pid_; }
  pid_t warden() const { return warden_->pid(); }
  std::string OutputTail() const { return log_.Tail(); }
  Socket& socket() { return *socket_; }
  // The first exchange, before any of the engine's code is there: seals the socket and limits the
  // host's memory. False where it did not answer before the deadline. Throws SocketError.
  bool Greet(std::uint64_t memory_limit_bytes, std::optional<Socket::Clock::time_point> deadline);
  // For poll: readable once the process ended; -1 where the kernel cannot tell.
  int exited_fd() const { return warden_->exited_fd(); }
  bool Exited() const { return warden_->Exited(); }

  // How it ended: "signal SIGSEGV", "exit status 3".
  struct Ending {
    bool signalled = false;
    std::string text;
  };
  // Of a process whose socket closed: nothing if it lives on all the same, for a grace period.
  std::optional<Ending> WaitForEnd();

  // Whether a signal has stopped it.
  bool IsStopped() const;

  // An idle host leaves by itself once its socket is closed; to be called on all of a side before
  // End, so that they do so side by side.
  void Dismiss() { socket_->Close(); }
  // It has no more time.
  void Kill() { warden_->Kill(); }
  void End();

 private:
  void Start(const SideOptions& side, const HostOptions& options);

  std::uint32_t first_, ranks_;
  HostLog log_;
  std::unique_ptr<Socket> socket_;
  std::unique_ptr<WardenProcess> warden_;
  pid_t pid_ = 0;
};

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_HOST_PROCESS_H_
