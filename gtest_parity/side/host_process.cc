#include "gtest_parity/side/host_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include "gtest_parity/side/process_tree.h"
#include "gtest_parity/side/warden.h"

namespace parity {
namespace {

// How long a host may take to disappear once it was told to, or closed its socket.
constexpr int kGraceMilliseconds = 2000;
// And its warden, to see to it: longer than that waits for what cannot be killed.
constexpr int kWardenMilliseconds = 15 * 1000;

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
[[noreturn]] void BecomeWarden(int socket, int log, char* const* arguments,
                               char* const* environment) {
  setpgid(0, 0);
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
  std::vector<std::string> command = {options.program, kWardenFlag, std::to_string(getpid())};
  command.insert(command.end(), options.wrapper.begin(), options.wrapper.end());
  command.push_back(options.program);
  for (const std::string& program : {options.program, command[3]}) {
    if (!std::filesystem::exists(program)) {
      throw SetupError("no engine host at " + program + ": --parity_host=FILE names it");
    }
  }
  std::vector<std::string> environment = EnvironmentOf(side);
  const std::vector<char*> arguments = Pointers(command);
  const std::vector<char*> variables = Pointers(environment);
  auto [mine, theirs] = Socket::Pair();
  warden_ = fork();
  if (warden_ < 0) throw SetupError("cannot start the engine host: fork failed");
  if (warden_ == 0) {
    BecomeWarden(theirs.fd(), log_.write_fd(), arguments.data(), variables.data());
  }
  setpgid(warden_, warden_);
  exited_ = FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, warden_, 0)));
  log_.CloseWriteEnd();
  socket_ = std::make_unique<Socket>(std::move(mine));
}

bool HostProcess::Exited() const {
  if (status_) return true;
  pollfd waiting{exited_.get(), POLLIN, 0};
  return poll(&waiting, 1, 0) == 1;
}

bool HostProcess::Reap(int milliseconds) {
  for (int waited = 0; !status_; waited += 2) {
    int status = 0;
    if (waitpid(warden_, &status, WNOHANG) == warden_) status_ = status;
    if (status_ || waited >= milliseconds) break;
    usleep(2000);
  }
  return status_.has_value();
}

std::optional<HostProcess::Ending> HostProcess::WaitForEnd() {
  if (!Reap(kGraceMilliseconds)) return std::nullopt;
  if (WIFSIGNALED(*status_)) {
    const char* name = sigabbrev_np(WTERMSIG(*status_));
    return Ending{true, "signal SIG" + (name != nullptr ? std::string(name)
                                                        : std::to_string(WTERMSIG(*status_)))};
  }
  std::string text = "exit status " + std::to_string(WEXITSTATUS(*status_));
  if (WEXITSTATUS(*status_) == kBrokenHost) text += " (the host's own, its output says why)";
  return Ending{false, text};
}

bool HostProcess::Greet(std::uint64_t memory_limit_bytes,
                        std::optional<Socket::Clock::time_point> deadline) {
  SipKey key;
  if (getrandom(&key, sizeof(key), 0) != sizeof(key)) {
    throw SetupError("no random numbers are to be had for the socket's seal");
  }
  socket_->Send({{"key", {key.first, key.second}}, {"memory_limit", memory_limit_bytes}});
  socket_->Seal(key, Socket::End::kJudge);
  const std::optional<nlohmann::json> reply = socket_->Receive(deadline);
  if (reply) pid_ = reply->at("pid").get<pid_t>();
  return reply.has_value();
}

bool HostProcess::IsStopped() const { return pid_ > 0 && parity::IsStopped(pid_); }

void HostProcess::Kill() {
  if (!status_) kill(warden_, SIGTERM);
}

void HostProcess::End() {
  Dismiss();
  if (Reap(kGraceMilliseconds)) return;
  Kill();
  if (Reap(kWardenMilliseconds)) return;
  kill(warden_, SIGKILL);
  int status = 0;
  waitpid(warden_, &status, 0);
  status_ = status;
}

}  // namespace parity
