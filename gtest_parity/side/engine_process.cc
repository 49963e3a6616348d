#include "gtest_parity/side/engine_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <utility>

#include "gtest_parity/engine/engine.h"
#include "gtest_parity/side/watch.h"
#include "gtest_parity/side/wire.h"

extern char** environ;

namespace parity {
namespace {

using nlohmann::json;

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
  const int null = open("/dev/null", O_RDONLY);
  dup2(null, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  // The socket's own descriptor closes on exec; its copy does not.
  if (socket == 3) {
    fcntl(socket, F_SETFD, 0);
  } else {
    dup2(socket, 3);
  }
  execve(arguments[0], arguments, environment);
  _exit(127);
}

std::string ExitText(int status) {
  if (WIFSIGNALED(status)) {
    const char* name = sigabbrev_np(WTERMSIG(status));
    return "signal SIG" + (name != nullptr ? std::string(name) : std::to_string(WTERMSIG(status)));
  }
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

std::string Seconds(double seconds) {
  std::ostringstream text;
  text << seconds;
  return text.str() + " s";
}

}  // namespace

EngineProcess::EngineProcess(SideOptions side, HostOptions host)
    : side_(std::move(side)), host_(std::move(host)), log_(host_.log_path) {
  if (side_.ranks == 0 || side_.ranks > kMaxRanks) {
    throw SetupError(std::to_string(side_.ranks) + " ranks in threads, expected 1 to " +
                     std::to_string(kMaxRanks));
  }
  progress_memory_ = CreateSharedMemory("parity_progress", kProgressBytes);
  progress_mapping_ = Mapping(progress_memory_.get(), kProgressBytes, true);
  Start();
  try {
    Load();
  } catch (...) {
    Reap();
    throw;
  }
}

EngineProcess::~EngineProcess() { Reap(); }

void EngineProcess::Start() {
  std::vector<std::string> command = host_.wrapper;
  command.push_back(host_.program);
  if (!std::filesystem::exists(command.front())) {
    throw SetupError("no engine host at " + command.front());
  }
  std::vector<std::string> environment = EnvironmentOf(side_);
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
  // -1 where the kernel has none: then the socket alone tells.
  exited_ = FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  log_.CloseWriteEnd();
  socket_.emplace(std::move(mine));
  alive_ = true;
}

void EngineProcess::Load() {
  std::vector<std::size_t> counts;
  for (const auto& chunks : side_.chunks) counts.push_back(chunks.size());
  counts.resize(side_.ranks);
  const json opened = Ask({{"do", "open"},
                           {"library", side_.library},
                           {"engine", side_.engine},
                           {"config", side_.config.dump()},
                           {"chunks", counts},
                           {"records", side_.records}},
                          {});
  std::string description;
  try {
    opened.at("description").get_to(description);
  } catch (const json::exception& error) {
    OnNonsense({}, std::string("its answer is not understood: ") + error.what());
  }
  CheckDescription(side_, description);
  try {
    socket_->SendDescriptors({progress_memory_.get()});
    for (const auto& chunks : side_.chunks) {
      for (std::size_t i = 0; i < chunks.size(); i += Socket::kMaxDescriptors) {
        const auto begin = chunks.begin() + static_cast<std::ptrdiff_t>(i);
        const std::size_t count = std::min(Socket::kMaxDescriptors, chunks.size() - i);
        socket_->SendDescriptors({begin, begin + static_cast<std::ptrdiff_t>(count)});
      }
    }
  } catch (const SocketError& error) {
    OnGone({}, error.what());
  }
  json watched = json::array();
  for (const WatchedTensor& tensor : WatchedTensors(side_.description)) {
    watched.push_back({static_cast<int>(tensor.tensor.kind), tensor.tensor.name,
                       static_cast<int>(tensor.tensor.dtype), tensor.input});
  }
  Ask({{"do", "create"}, {"watched", std::move(watched)}}, {});
}

std::vector<Results> EngineProcess::Run(const std::vector<Script>& scripts) {
  json wire = json::array();
  for (const Script& script : scripts) wire.push_back(ToWire(script.instructions()));
  const json reply = Ask({{"do", "run"}, {"scripts", std::move(wire)}}, scripts);
  std::vector<Results> results;
  try {
    for (const json& rank : reply.at("results")) results.push_back(ResultsFromWire(rank));
    if (results.size() != scripts.size()) throw std::invalid_argument("results of other ranks");
    for (std::size_t rank = 0; rank < scripts.size(); ++rank) {
      if (results[rank].size() != scripts[rank].instructions().size()) {
        throw std::invalid_argument("results for other instructions");
      }
    }
  } catch (const std::exception& error) {
    OnNonsense(scripts, std::string("its answer is not understood: ") + error.what());
  }
  return results;
}

json EngineProcess::Ask(const json& request, const std::vector<Script>& scripts) {
  if (!alive_) throw std::logic_error("the engine host is gone");
  std::optional<Socket::Clock::time_point> deadline;
  if (host_.wrapper.empty()) {
    deadline = Socket::Clock::now() + std::chrono::duration_cast<Socket::Clock::duration>(
                                          std::chrono::duration<double>(side_.deadline_seconds));
  }
  std::optional<json> reply;
  try {
    socket_->Send(request);
    if (!ExitedWithoutAnswer(deadline)) reply = socket_->Receive(deadline);
  } catch (const SocketClosed& error) {
    OnGone(scripts, error.what());
  } catch (const SocketError& error) {
    OnNonsense(scripts, error.what());
  }
  if (!reply && Exited()) OnGone(scripts, "its process ended");
  if (!reply) OnNoAnswer(scripts);
  if (!reply->is_object()) OnNonsense(scripts, "its answer is not an object");
  if (const auto setup = reply->find("setup"); setup != reply->end()) {
    throw SetupError("the " + side_.name + " cannot be loaded: " +
                     (setup->is_string() ? setup->get<std::string>() : setup->dump()));
  }
  if (reply->contains("errors")) OnEngineError((*reply)["errors"], scripts);
  return std::move(*reply);
}

// Whether the host's process ended before it answered anything. A child that it left behind may
// hold its end of the socket open.
bool EngineProcess::ExitedWithoutAnswer(
    const std::optional<Socket::Clock::time_point>& deadline) const {
  pollfd waiting[2] = {{socket_->fd(), POLLIN, 0}, {exited_.get(), POLLIN, 0}};
  while (poll(waiting, 2, Socket::MillisecondsTo(deadline)) < 0 && errno == EINTR) continue;
  return waiting[0].revents == 0 && waiting[1].revents != 0;
}

bool EngineProcess::Exited() const {
  pollfd waiting{exited_.get(), POLLIN, 0};
  return poll(&waiting, 1, 0) == 1;
}

// The ranks that were busy with something else than waiting for others.
std::vector<int> EngineProcess::Suspects() const {
  const auto* progress = reinterpret_cast<const RankProgress*>(progress_mapping_.data());
  std::vector<int> died, busy, waiting;
  for (std::uint32_t rank = 0; rank < side_.ranks; ++rank) {
    const int id = static_cast<int>(rank);
    if (progress[rank].died != 0) died.push_back(id);
    if (progress[rank].instruction == 0) continue;
    (progress[rank].waiting != 0 ? waiting : busy).push_back(id);
  }
  if (!died.empty()) return died;
  return busy.empty() ? waiting : busy;
}

Death EngineProcess::DeathOf(Death::Cause cause, std::string what,
                             const std::vector<Script>& scripts) const {
  const auto* progress = reinterpret_cast<const RankProgress*>(progress_mapping_.data());
  std::vector<std::uint32_t> instructions;
  std::vector<std::uint64_t> ops;
  for (std::uint32_t rank = 0; rank < side_.ranks; ++rank) {
    instructions.push_back(progress[rank].instruction);
    ops.push_back(std::uint64_t{progress[rank].op});
  }
  Death death = DescribeDeath(cause, std::move(what), side_.description, scripts, Suspects(),
                              instructions, ops);
  death.during_setup = scripts.empty();
  return death;
}

void EngineProcess::OnNoAnswer(const std::vector<Script>& scripts) {
  const Death death =
      DeathOf(Death::Cause::kHang, "no answer within " + Seconds(side_.deadline_seconds), scripts);
  Reap();
  throw SideFailure(death);
}

void EngineProcess::OnGone(const std::vector<Script>& scripts, const std::string& words) {
  int status = 0;
  bool ended = false;
  for (int waited = 0; waited < kGraceMilliseconds && !ended; waited += 10) {
    ended = waitpid(pid_, &status, WNOHANG) == pid_;
    if (!ended) usleep(10 * 1000);
  }
  if (ended) {
    const bool signalled = WIFSIGNALED(status);
    const Death death =
        DeathOf(signalled ? Death::Cause::kSignal : Death::Cause::kExit, ExitText(status), scripts);
    kill(-pid_, SIGKILL);
    alive_ = false;
    throw SideFailure(death);
  }
  OnNonsense(scripts, words);
}

void EngineProcess::OnNonsense(const std::vector<Script>& scripts, const std::string& words) {
  const Death death = DeathOf(Death::Cause::kFailed, words, scripts);
  Reap();
  throw SideFailure(death);
}

void EngineProcess::OnEngineError(const json& errors, const std::vector<Script>& scripts) {
  std::vector<int> ranks;
  std::vector<std::uint32_t> instructions(side_.ranks);
  std::vector<std::uint64_t> ops(side_.ranks);
  Death::Cause cause = Death::Cause::kFailed;
  std::string words = "the engine host reported no reason";
  try {
    for (const json& error : errors) {
      const int rank = error.at(0).get<int>();
      if (ranks.empty()) {
        words = error.at(2).get<std::string>();
        if (error.at(1).get<int>() == PARITY_REFUSED) cause = Death::Cause::kRefused;
      }
      instructions.at(static_cast<std::size_t>(rank)) = error.at(3).get<std::uint32_t>();
      ops.at(static_cast<std::size_t>(rank)) = error.at(4).get<std::uint64_t>();
      ranks.push_back(rank);
    }
  } catch (const std::exception& error) {
    OnNonsense(scripts, std::string("its error is not understood: ") + error.what());
  }
  Death death = DescribeDeath(cause, words, side_.description, scripts, ranks, instructions, ops);
  death.during_setup = scripts.empty();
  throw SideFailure(death);
}

std::string EngineProcess::provenance() const {
  return side_.name + ": " + side_.engine + " of " + side_.library + " in process " +
         std::to_string(pid_);
}

// Ends the host and everything it started. Returns its wait status.
int EngineProcess::Reap() {
  int status = 0;
  if (!alive_) return status;
  alive_ = false;
  socket_->Close();
  // A host that still listens leaves by itself; one that hangs, or its children, do not.
  for (int waited = 0; waited < kGraceMilliseconds; waited += 2) {
    if (waitpid(pid_, &status, WNOHANG) == pid_) {
      kill(-pid_, SIGKILL);
      return status;
    }
    const auto* progress = reinterpret_cast<const RankProgress*>(progress_mapping_.data());
    bool busy = false;
    for (std::uint32_t rank = 0; rank < side_.ranks; ++rank)
      busy |= progress[rank].instruction != 0;
    if (busy) break;
    usleep(2000);
  }
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);
  waitpid(pid_, &status, 0);
  return status;
}

}  // namespace parity
