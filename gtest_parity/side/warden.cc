#include "gtest_parity/side/warden.h"

#include <dirent.h>
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

#include "gtest_parity/side/process_tree.h"
#include "gtest_parity/side/socket.h"

namespace parity {
namespace {

// What cannot be killed for so long waits for a device and will not be waited for.
constexpr int kPatienceMilliseconds = 10 * 1000;

[[noreturn]] void BecomeChild(char* const* command, const sigset_t& mask) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  execv(command[0], command);
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

// Waits until the child ends, or there is another reason to end it.
void Watch(pid_t judge, int judge_fd, int signals, pid_t child, int* status) {
  pollfd waiting[2] = {{signals, POLLIN, 0}, {judge_fd, POLLIN, 0}};
  for (;;) {
    // A kernel without pidfd_open: then it is seen a little later.
    poll(waiting, 2, judge_fd >= 0 ? -1 : 200);
    if (waiting[1].revents != 0 || getppid() != judge) return;
    signalfd_siginfo info;
    while (read(signals, &info, sizeof(info)) == static_cast<ssize_t>(sizeof(info))) {
      if (info.ssi_signo == SIGTERM) return;
    }
    if (Reap(child, status)) return;
  }
}

// Children of those that are killed become children of this process, so that the next round sees
// them.
void EndAllChildren(pid_t child, int* status) {
  constexpr int kRoundMilliseconds = 5;
  for (int waited = 0; waited < kPatienceMilliseconds; waited += kRoundMilliseconds) {
    Reap(child, status);
    siginfo_t any{};
    if (waitid(P_ALL, 0, &any, WEXITED | WNOHANG | WNOWAIT) < 0 && errno == ECHILD) return;
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

}  // namespace

void RunWarden(pid_t judge, char* const* command) {
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
  if (child == 0) BecomeChild(command, before);
  close(kHostSocket);  // its end must be seen when the host's closes
  int status = SIGKILL;
  if (child > 0) {
    Watch(judge, judge_fd, signals, child, &status);
    EndAllChildren(child, &status);
  }
  EndLike(status);
}

}  // namespace parity
