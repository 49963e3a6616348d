#include "gtest_parity/side/warden_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "gtest_parity/side/side.h"
#include "gtest_parity/side/socket.h"

namespace parity {
namespace {

// Longer than that a warden waits for what cannot be killed.
constexpr int kEndMilliseconds = 15 * 1000;

std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

struct Images {
  char* const* arguments;
  char* const* environment;
  const char* folder;
};

// In the child, between fork and exec: only async-signal-safe calls.
[[noreturn]] void BecomeWarden(int passed, int log, const Images& images) {
  setpgid(0, 0);
  // Out of the way first: where the judge has no standard streams, they may have their numbers.
  passed = fcntl(passed, F_DUPFD_CLOEXEC, 10);
  log = fcntl(log, F_DUPFD_CLOEXEC, 10);
  const int null = fcntl(open("/dev/null", O_RDONLY), F_DUPFD_CLOEXEC, 10);
  dup2(null, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  dup2(passed, kHostSocket);
  if (*images.folder != '\0' && chdir(images.folder) != 0) _exit(127);
  execve(images.arguments[0], images.arguments, images.environment);
  _exit(127);
}

}  // namespace

std::string EndingText(int status) {
  if (!WIFSIGNALED(status)) return "exit status " + std::to_string(WEXITSTATUS(status));
  const char* name = sigabbrev_np(WTERMSIG(status));
  return "signal SIG" + (name != nullptr ? std::string(name) : std::to_string(WTERMSIG(status)));
}

WardenProcess::WardenProcess(const WardenStart& start) {
  if (!std::filesystem::exists(start.program)) {
    throw SetupError("no engine host at " + start.program + ": --parity_host=FILE names it");
  }
  std::vector<std::string> arguments = {std::filesystem::absolute(start.program).string(),
                                        start.flag, std::to_string(getpid())};
  arguments.insert(arguments.end(), start.command.begin(), start.command.end());
  std::vector<std::string> environment = start.environment;
  const std::vector<char*> argument_pointers = Pointers(arguments);
  const std::vector<char*> variables = Pointers(environment);
  const Images images = {argument_pointers.data(), variables.data(), start.folder.c_str()};
  pid_ = fork();
  if (pid_ < 0) throw SetupError("cannot start the engine host: fork failed");
  if (pid_ == 0) BecomeWarden(start.passed, start.log, images);
  setpgid(pid_, pid_);
  exited_ = FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
}

bool WardenProcess::Exited() const {
  if (status_) return true;
  pollfd waiting{exited_.get(), POLLIN, 0};
  return poll(&waiting, 1, 0) == 1;
}

bool WardenProcess::Reap(int milliseconds) {
  for (int waited = 0; !status_; waited += 2) {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
    if (status_ || waited >= milliseconds) break;
    usleep(2000);
  }
  return status_.has_value();
}

void WardenProcess::Kill() {
  if (!status_) kill(pid_, SIGTERM);
}

void WardenProcess::End() {
  Kill();
  if (Reap(kEndMilliseconds)) return;
  kill(pid_, SIGKILL);
  int status = 0;
  waitpid(pid_, &status, 0);
  status_ = status;
}

}  // namespace parity
