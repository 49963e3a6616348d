#include "gtest_parity/side/warden.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "gtest_parity/side/memory_limit.h"
#include "gtest_parity/side/process_tree.h"
#include "gtest_parity/side/socket.h"

namespace parity {
namespace {

// What cannot be killed for so long waits for a device and will not be waited for.
constexpr int kPatienceMilliseconds = 10 * 1000;

// What a server has started gets this long to follow it.
constexpr int kLeaveMilliseconds = 500;
constexpr int kRoundMilliseconds = 5;

// Where a server's warden tells the judge what becomes of it; nowhere for a host's.
class Report {
 public:
  explicit Report(int fd) : fd_(fd) {
    if (fd_ >= 0) fcntl(fd_, F_SETFD, FD_CLOEXEC);
  }
  bool wanted() const { return fd_ >= 0; }
  void Tell(const std::string& word, long number, const std::string& name = "") const {
    if (!wanted()) return;
    const std::string line =
        word + " " + std::to_string(number) + (name.empty() ? "" : " " + name) + "\n";
    // A judge that is gone is noticed elsewhere.
    if (write(fd_, line.data(), line.size()) < 0) return;
  }

 private:
  int fd_;
};

[[noreturn]] void BecomeChild(char* const* command, const sigset_t& mask, const Report& report) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (report.wanted()) {
    setpgid(0, 0);
    LimitOwnMemory(0);  // where the machine runs out of it, this goes before the judge does
  }
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  execv(command[0], command);
  report.Tell("failed", errno);
  std::fprintf(stderr, "cannot run %s: %s\n", command[0], std::strerror(errno));
  _exit(127);
}

// Reaps whatever has ended; whether `child` was among it, and how it ended.
bool Reap(pid_t child, int* child_status) {
  bool found = false;
  int status = 0;
  for (pid_t pid = 0; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
    if (pid != child) continue;
    *child_status = status;
    found = true;
  }
  return found;
}

// Waits until the child ends, or there is another reason to end it: false.
bool Watch(pid_t judge, int judge_fd, int signals, pid_t child, int* status) {
  pollfd waiting[2] = {{signals, POLLIN, 0}, {judge_fd, POLLIN, 0}};
  for (;;) {
    // A kernel without pidfd_open: then it is seen a little later.
    poll(waiting, 2, judge_fd >= 0 ? -1 : 200);
    if (waiting[1].revents != 0 || getppid() != judge) return false;
    signalfd_siginfo info;
    while (read(signals, &info, sizeof(info)) == static_cast<ssize_t>(sizeof(info))) {
      if (info.ssi_signo == SIGTERM) return false;
    }
    if (Reap(child, status)) return true;
  }
}

bool HasChildren() {
  siginfo_t any{};
  return waitid(P_ALL, 0, &any, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

// Of a child that has ended.
void TellOfEnd(int status, const Report& report) {
  report.Tell("ended", status);
  if (!report.wanted()) return;
  int ignored = 0;
  for (int waited = 0; waited < kLeaveMilliseconds; waited += kRoundMilliseconds) {
    Reap(-1, &ignored);
    if (!HasChildren()) return;
    usleep(kRoundMilliseconds * 1000);
  }
  for (const pid_t pid : DescendantsOf(getpid())) report.Tell("left", pid, ProcessName(pid));
}

// Children of those that are killed become children of this process, so that the next round sees
// them.
void EndAllChildren(pid_t child, int* status) {
  for (int waited = 0; waited < kPatienceMilliseconds; waited += kRoundMilliseconds) {
    Reap(child, status);
    if (!HasChildren()) return;
    for (const pid_t pid : ChildrenOf(getpid())) kill(pid, SIGKILL);
    usleep(kRoundMilliseconds * 1000);
  }
}

[[noreturn]] void EndLike(int status) {
  if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const int number = WTERMSIG(status);
  signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  raise(number);
  _exit(128 + number);
}

[[noreturn]] void Run(pid_t judge, char* const* command, const Report& report) {
  prctl(PR_SET_NAME, "parity_warden");
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  sigset_t mine, before;
  sigemptyset(&mine);
  sigaddset(&mine, SIGCHLD);
  sigaddset(&mine, SIGTERM);
  sigprocmask(SIG_BLOCK, &mine, &before);
  const int signals = signalfd(-1, &mine, SFD_CLOEXEC | SFD_NONBLOCK);
  const int judge_fd = static_cast<int>(syscall(SYS_pidfd_open, judge, 0));
  if (getppid() != judge) _exit(0);  // it ended before it could be watched
  const pid_t child = fork();
  if (child == 0) BecomeChild(command, before, report);
  if (!report.wanted()) close(kHostSocket);  // its end must be seen when the host's closes
  int status = SIGKILL;
  if (child > 0) {
    report.Tell("started", child);
    if (Watch(judge, judge_fd, signals, child, &status)) TellOfEnd(status, report);
    EndAllChildren(child, &status);
  }
  EndLike(status);
}

}  // namespace

void RunWarden(pid_t judge, char* const* command) { Run(judge, command, Report(-1)); }

void RunServerWarden(pid_t judge, char* const* command) {
  Run(judge, command, Report(kHostSocket));
}

}  // namespace parity
