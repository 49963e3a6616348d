#include "gtest_parity/side/host_process.h"

#include <sys/random.h>
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
  WardenStart start;
  start.program = options.program;
  start.flag = kWardenFlag;
  start.command = options.wrapper;
  start.command.push_back(options.program);
  if (!std::filesystem::exists(start.command.front())) {
    throw SetupError("no engine host at " + start.command.front() +
                     ": --parity_host=FILE names it");
  }
  start.environment = EnvironmentOf(side);
  auto [mine, theirs] = Socket::Pair();
  start.passed = theirs.fd();
  start.log = log_.write_fd();
  warden_ = std::make_unique<WardenProcess>(start);
  log_.CloseWriteEnd();
  socket_ = std::make_unique<Socket>(std::move(mine));
}

std::optional<HostProcess::Ending> HostProcess::WaitForEnd() {
  if (!warden_->Reap(kGraceMilliseconds)) return std::nullopt;
  const int status = *warden_->status();
  std::string text = EndingText(status);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kBrokenHost) {
    text += " (the host's own, its output says why)";
  }
  return Ending{WIFSIGNALED(status), text};
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

void HostProcess::End() {
  Dismiss();
  if (!warden_->Reap(kGraceMilliseconds)) warden_->End();
}

}  // namespace parity
