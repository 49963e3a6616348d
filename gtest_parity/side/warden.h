// The process between the judge and what it starts of a side: nothing of that outlives it.
#ifndef GTEST_PARITY_SIDE_WARDEN_H_
#define GTEST_PARITY_SIDE_WARDEN_H_

#include <sys/types.h>

namespace parity {

// First argument of parity_host for being a warden; the judge's process id and a command follow.
inline constexpr char kWardenFlag[] = "--warden";
// The same for one whose command is a server.
inline constexpr char kServerWardenFlag[] = "--server-warden";

// Runs `command` as a child, and ends as it ended: same exit status, same signal. When the child
// ends, the judge's process ends, or SIGTERM comes, all that descends from it is killed first,
// whatever session or process group it made for itself: this process is its subreaper. Watches the
// judge's process, not the thread that started it.
[[noreturn]] void RunWarden(pid_t judge, char* const* command);

// The same for a server, in a process group of its own and without the judge's descriptor. What
// becomes of it is told on that descriptor, kHostSocket, a line each:
//   started PID
//   failed ERRNO     the command could not be run
//   ended STATUS     by itself or by a signal; STATUS is wait's
//   left PID NAME    what it had started and was still there a moment later
[[noreturn]] void RunServerWarden(pid_t judge, char* const* command);

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_WARDEN_H_
