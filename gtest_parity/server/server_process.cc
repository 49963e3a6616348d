#include "gtest_parity/server/server_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>

#include "gtest_parity/judge/number_text.h"
#include "gtest_parity/manifest/placeholders.h"
#include "gtest_parity/manifest/sha256.h"
#include "gtest_parity/server/port.h"
#include "gtest_parity/server/stop_signal.h"
#include "gtest_parity/side/process_tree.h"
#include "gtest_parity/side/warden.h"

namespace parity {
namespace {

using Clock = std::chrono::steady_clock;

// How long what is done at once may take: to be started, to be told of, to be reaped.
constexpr int kGraceMilliseconds = 15 * 1000;
// How long a server whose connection broke may take to end.
constexpr double kDeathSeconds = 2;
// Between two questions whether it is ready, at most; and how long such a question may take.
constexpr int kMostPauseMilliseconds = 50;
constexpr double kProbeSeconds = 5;
// The last question too is given time to be answered: what is cut off tells nothing of the server.
constexpr double kLeastProbeSeconds = 1;

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::string LastLines(const std::string& text) {
  constexpr std::size_t kLines = 10;
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::string last;
  for (std::size_t i = lines.size() - std::min(lines.size(), kLines); i < lines.size(); ++i) {
    last += (last.empty() ? "  " : "\n  ") + lines[i];
  }
  return last;
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string LogPathOf(const ServerSpec& spec, const ServerOptions& options) {
  return spec.server.log.empty() ? options.log_path : spec.server.log;
}

}  // namespace

ServerProcess::ServerProcess(ServerSpec spec, ServerOptions options)
    : spec_(std::move(spec)), options_(std::move(options)), log_(LogPathOf(spec_, options_)) {
  port_ = static_cast<int>(spec_.server.port);
  Check();
  if (port_ == 0) port_ = FreePort();
  if (Uses(spec_.server, "config_file")) {
    config_file_ = std::make_unique<ConfigFile>(spec_.config);
  }
  try {
    Start();
  } catch (...) {
    if (warden_ != nullptr) warden_->End();
    throw;
  }
}

ServerProcess::~ServerProcess() { Kill(); }

std::string ServerProcess::Where() const { return "the " + spec_.side + "'s server"; }

// What can be said before anything is started.
void ServerProcess::Check() const {
  Client();  // throws where this build has none
  const ServerDeclaration& server = spec_.server;
  const std::string program = server.command.empty() ? "" : server.command.front();
  if (access(program.c_str(), X_OK) != 0 || !std::filesystem::is_regular_file(program)) {
    throw SetupError(Where() + ": command: no program at '" + program + "'");
  }
  const std::string& folder = server.working_directory;
  if (!folder.empty() && !std::filesystem::is_directory(folder)) {
    throw SetupError(Where() + ": working_directory: no folder at '" + folder + "'");
  }
  if (port_ != 0 && !IsFree(port_)) {
    throw SetupError(Where() + ": port " + std::to_string(port_) +
                     " of 127.0.0.1 is taken, expected one that is free");
  }
}

void ServerProcess::Start() {
  const StartValues values = {port_, config_file_ == nullptr ? "" : config_file_->path()};
  command_ = CommandOf(spec_, values);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
    throw SetupError(Where() + ": no pipe: " + std::generic_category().message(errno));
  }
  report_ = FileDescriptor(ends[0]);
  const FileDescriptor wardens(ends[1]);
  WardenStart start;
  start.program = options_.host_program;
  start.flag = kServerWardenFlag;
  start.command = options_.wrapper;
  start.command.insert(start.command.end(), command_.begin(), command_.end());
  start.environment = EnvironmentOf(spec_, values);
  start.folder = spec_.server.working_directory;
  start.passed = wardens.get();
  start.log = log_.write_fd();
  warden_ = std::make_unique<WardenProcess>(start);
  log_.CloseWriteEnd();
}

void ServerProcess::TakeLine(const std::string& line) {
  std::istringstream words(line);
  std::string what, rest;
  long number = 0;
  words >> what >> number;
  std::getline(words >> std::ws, rest);
  if (what == "started") {
    pid_ = static_cast<pid_t>(number);
    process_ = FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  } else if (what == "failed") {
    not_run_ = static_cast<int>(number);
  } else if (what == "ended") {
    so_far_.status = static_cast<int>(number);
  } else if (what == "left") {
    so_far_.left.push_back(std::to_string(number) + " " + rest);
  }
}

void ServerProcess::Listen(int milliseconds) {
  pollfd waiting{report_.get(), POLLIN, 0};
  if (end_ || poll(&waiting, 1, milliseconds) <= 0) return;
  char text[4096];
  const ssize_t length = read(report_.get(), text, sizeof(text));
  if (length < 0) return;
  told_.append(text, static_cast<std::size_t>(length));
  for (std::size_t end = 0; (end = told_.find('\n')) != std::string::npos;) {
    TakeLine(told_.substr(0, end));
    told_.erase(0, end + 1);
  }
  if (length == 0) Finish();
}

// The warden is gone, and with it everything else.
void ServerProcess::Finish() {
  if (!warden_->Reap(kGraceMilliseconds)) warden_->End();
  so_far_.by_itself = so_far_.status.has_value();
  so_far_.text = EndingText(so_far_.status.value_or(*warden_->status()));
  log_.WaitForEnd(std::chrono::milliseconds(kGraceMilliseconds));
  end_ = so_far_;
}

bool ServerProcess::alive() {
  Listen(0);
  return !end_ && !so_far_.status;
}

const ServerEnd* ServerProcess::WaitForEnd(double seconds) {
  const Clock::time_point begin = Clock::now();
  while (!end_) {
    // Once it has ended, what it left is told before long.
    const double left = so_far_.status ? 1 : seconds - SecondsSince(begin);
    if (left <= 0) break;
    Listen(static_cast<int>(std::min(left, 1.0) * 1000) + 1);
  }
  return end_ ? &*end_ : nullptr;
}

void ServerProcess::Signal(int signal) {
  // Not by its number, which another process may have by now.
  syscall(SYS_pidfd_send_signal, process_.get(), signal, nullptr, 0);
}

const ServerEnd& ServerProcess::Stop() {
  const Clock::time_point begin = Clock::now();
  while (pid_ == 0 && !end_ && SecondsSince(begin) * 1000 < kGraceMilliseconds) Listen(100);
  Signal(SignalOf(spec_.server.stop_signal));
  constexpr double kPatience = 1e9;  // of whoever looks on with a debugger
  WaitForEnd(options_.wrapper.empty() ? spec_.server.stop_seconds : kPatience);
  return Kill();
}

const ServerEnd& ServerProcess::Kill() {
  if (!end_) warden_->Kill();
  const Clock::time_point begin = Clock::now();
  while (!end_ && SecondsSince(begin) * 1000 < kGraceMilliseconds) Listen(100);
  if (!end_) Finish();
  return *end_;
}

HttpClient ServerProcess::Client() const {
  return {port_, options_.wrapper.empty() ? options_.deadline_seconds : 0};
}

Death ServerProcess::DeathBecause(Death::Cause cause, const std::string& what,
                                  const std::string& during) const {
  Death death;
  death.cause = cause;
  death.what = what;
  death.run = during;
  death.of_server = true;
  death.output = LastLines(OutputTail());
  return death;
}

void ServerProcess::FailUnready(const std::string& words) {
  constexpr char kDuring[] = "before it was ready";
  const ServerEnd& end = Kill();
  if (not_run_ != 0) {
    throw SetupError(Where() + ": cannot run " + command_.front() + ": " +
                     std::generic_category().message(not_run_));
  }
  if (!end.by_itself) throw SideFailure(DeathBecause(Death::Cause::kHang, words, kDuring));
  throw SideFailure(DeathBecause(
      WIFSIGNALED(*end.status) ? Death::Cause::kSignal : Death::Cause::kExit, end.text, kDuring));
}

void ServerProcess::CheckListener() {
  if (ListenOn(port_, DescendantsOf(warden_->pid())).value_or(true)) return;
  Kill();
  throw SetupError(Where() + ": another process answers on port " + std::to_string(port_) +
                   ", expected the one that was started");
}

void ServerProcess::WaitUntilReady() {
  const Clock::time_point begin = Clock::now();
  const double seconds = spec_.server.ready_seconds;
  const bool patient = !options_.wrapper.empty();
  std::string last = "nothing was asked";
  for (int pause = 1;; pause = std::min(2 * pause, kMostPauseMilliseconds)) {
    Listen(pause);
    const double left = patient ? kProbeSeconds : seconds - SecondsSince(begin);
    if (!alive() || left <= 0) break;
    const HttpReply reply = HttpClient(port_, std::clamp(left, kLeastProbeSeconds, kProbeSeconds))
                                .Get(spec_.server.ready_path);
    if (reply.Succeeded()) return CheckListener();
    last = reply.status == 0 ? reply.error : "status " + std::to_string(reply.status);
  }
  // What has ended is told as that.
  if (!alive()) WaitForEnd(kDeathSeconds);
  FailUnready("not ready within " + ShortText(seconds) + " s: GET " + spec_.server.ready_path +
              ": " + last);
}

SideFailure ServerProcess::FailureOf(const HttpReply& reply, const std::string& request) {
  if (reply.timed_out) {
    Kill();
    return SideFailure(
        DeathBecause(Death::Cause::kHang,
                     "no answer within " + ShortText(options_.deadline_seconds) + " s", request));
  }
  const ServerEnd* end = reply.status == 0 ? WaitForEnd(kDeathSeconds) : nullptr;
  if (end == nullptr || !end->by_itself) {
    const std::string words = reply.status == 0 ? reply.error
                                                : "status " + std::to_string(reply.status) + ": " +
                                                      reply.body.substr(0, 500);
    return SideFailure(DeathBecause(Death::Cause::kFailed, words, request));
  }
  return SideFailure(DeathBecause(
      WIFSIGNALED(*end->status) ? Death::Cause::kSignal : Death::Cause::kExit, end->text, request));
}

std::optional<nlohmann::json> ServerProcess::Counters() {
  constexpr int kNotFound = 404;
  const std::string request = "GET " + spec_.server.counters_path;
  HttpReply reply = Client().Get(spec_.server.counters_path);
  if (reply.status == kNotFound) return std::nullopt;
  if (!reply.Succeeded()) throw FailureOf(reply, request);
  nlohmann::json counters = nlohmann::json::parse(reply.body, nullptr, false);
  if (counters.is_object()) return counters;
  throw SideFailure(
      DeathBecause(Death::Cause::kFailed, "no JSON object: " + reply.body.substr(0, 200), request));
}

ResourceUse ServerProcess::Resources() const { return ResourcesOf(DescendantsOf(warden_->pid())); }

std::string ServerProcess::provenance() const {
  return spec_.side + ": " + spec_.name + ", " + Joined(command_) + " in process " +
         std::to_string(pid_) + ", port " + std::to_string(port_) + ", SHA-256 " +
         HashFile(spec_.server.command.front());
}

std::vector<std::string> ServerProcess::MappedObjects() const {
  std::vector<std::string> all = {spec_.server.command.front()};
  for (const pid_t pid : DescendantsOf(warden_->pid())) {
    const std::vector<std::string> objects = MappedObjectsOf(pid);
    all.insert(all.end(), objects.begin(), objects.end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::string ServerProcess::OutputTail() const { return log_.Tail(); }

}  // namespace parity
