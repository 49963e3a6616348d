#include "gtest_parity/side/host_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <utility>

extern char** environ;

namespace parity {
namespace {

// How long a host may take to disappear once it was told to, or closed its socket.
constexpr int kGraceMilliseconds = 2000;

std::vector<std::string> EnvironmentOf(const SideOptions& side) {
  std::map<std::string, std::string> values;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos) values[text.substr(0, equals)] = text.substr(equals + 1);
  }
  std::string paths;
  for (const std::string& path : side.library_path) paths += path + ":";
  if (!paths.empty()) {
    std::string& value = values["LD_LIBRARY_PATH"];
    value = value.empty() ? paths.substr(0, paths.size() - 1) : paths + value;
  }
  for (const auto& [name, value] : side.env) values[name] = value;
  std::vector<std::string> entries;
  for (const auto& [name, value] : values) entries.push_back(name + "=" + value);
  return entries;
}

std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

// In the child, between fork and exec: only async-signal-safe calls.
[[noreturn]] void BecomeHost(int socket, int log, pid_t judge, char* const* arguments,
                             char* const* environment) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != judge) _exit(127);
  // Out of the way first: where the judge has no standard streams, they may have their numbers.
  socket = fcntl(socket, F_DUPFD_CLOEXEC, 10);
  log = fcntl(log, F_DUPFD_CLOEXEC, 10);
  const int null = fcntl(open("/dev/null", O_RDONLY), F_DUPFD_CLOEXEC, 10);
  dup2(null, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  dup2(socket, kHostSocket);
  execve(arguments[0], arguments, environment);
  _exit(127);
}

std::string LogPathOf(const std::string& path, const SideOptions& side, std::uint32_t first) {
  if (path.empty() || side.in_threads) return path;
  std::filesystem::path of_rank = path;
  of_rank.replace_extension("rank" + std::to_string(first) + of_rank.extension().string());
  return of_rank;
}

}  // namespace

HostProcess::HostProcess(const SideOptions& side, const HostOptions& options, std::uint32_t first,
                         std::uint32_t ranks)
    : first_(first), ranks_(ranks), log_(LogPathOf(options.log_path, side, first)) {
  Start(side, options);
}

void HostProcess::Start(const SideOptions& side, const HostOptions& options) {
  std::vector<std::string> command = options.wrapper;
  command.push_back(options.program);
  if (!std::filesystem::exists(command.front())) {
    throw SetupError("no engine host at " + command.front() + ": --parity_host=FILE names it");
  }
  std::vector<std::string> environment = EnvironmentOf(side);
  const std::vector<char*> arguments = Pointers(command);
  const std::vector<char*> variables = Pointers(environment);
  auto [mine, theirs] = Socket::Pair();
  const pid_t judge = getpid();
  pid_ = fork();
  if (pid_ < 0) throw SetupError("cannot start the engine host: fork failed");
  if (pid_ == 0) {
    BecomeHost(theirs.fd(), log_.write_fd(), judge, arguments.data(), variables.data());
  }
  setpgid(pid_, pid_);
  exited_ = FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  log_.CloseWriteEnd();
  socket_.emplace(std::move(mine));
}

bool HostProcess::Exited() const {
  if (status_) return true;
  pollfd waiting{exited_.get(), POLLIN, 0};
  return poll(&waiting, 1, 0) == 1;
}

bool HostProcess::Reap(int milliseconds) {
  for (int waited = 0; !status_; waited += 2) {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
    if (status_ || waited >= milliseconds) break;
    usleep(2000);
  }
  if (!status_) return false;
  kill(-pid_, SIGKILL);  // what it left behind in its group
  return true;
}

std::optional<HostProcess::Ending> HostProcess::WaitForEnd() {
  if (!Reap(kGraceMilliseconds)) return std::nullopt;
  if (WIFSIGNALED(*status_)) {
    const char* name = sigabbrev_np(WTERMSIG(*status_));
    return Ending{true, "signal SIG" + (name != nullptr ? std::string(name)
                                                        : std::to_string(WTERMSIG(*status_)))};
  }
  return Ending{false, "exit status " + std::to_string(WEXITSTATUS(*status_))};
}

void HostProcess::Kill() {
  if (status_) return;
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);
}

void HostProcess::End() {
  Dismiss();
  if (Reap(kGraceMilliseconds)) return;
  Kill();
  int status = 0;
  waitpid(pid_, &status, 0);
  status_ = status;
}

}  // namespace parity
