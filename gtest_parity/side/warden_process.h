// A warden as the judge holds it: started, told to end, reaped.
#ifndef GTEST_PARITY_SIDE_WARDEN_PROCESS_H_
#define GTEST_PARITY_SIDE_WARDEN_PROCESS_H_

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/device/file_descriptor.h"

namespace parity {

struct WardenStart {
  std::string program;                   // path of parity_host
  std::string flag;                      // kWardenFlag or kServerWardenFlag
  std::vector<std::string> command;      // what the warden runs
  std::vector<std::string> environment;  // NAME=VALUE, of the warden and of what it runs
  std::string folder;                    // where both run; empty: where the judge does
  int passed = -1;                       // becomes the warden's kHostSocket
  int log = -1;                          // becomes standard output and error
};

// "signal SIGSEGV", "exit status 3": of a status of wait.
std::string EndingText(int status);

// Must have ended before it goes.
class WardenProcess {
 public:
  // Throws SetupError where `program` is not there or no process can be made.
  explicit WardenProcess(const WardenStart& start);
  WardenProcess(const WardenProcess&) = delete;
  WardenProcess& operator=(const WardenProcess&) = delete;

  pid_t pid() const { return pid_; }
  // For poll: readable once the process ended; -1 where the kernel cannot tell.
  int exited_fd() const { return exited_.get(); }
  bool Exited() const;
  // Waits that long at most; whether it has ended.
  bool Reap(int milliseconds);
  // Of wait, once reaped.
  const std::optional<int>& status() const { return status_; }
  // It, and all that it started, have no more time.
  void Kill();
  // Kills it, and waits until it is gone.
  void End();

 private:
  pid_t pid_ = -1;
  FileDescriptor exited_;
  std::optional<int> status_;
};

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_WARDEN_PROCESS_H_
