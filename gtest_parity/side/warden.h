// The process between the judge and an engine host: nothing that the host starts outlives it.
#ifndef GTEST_PARITY_SIDE_WARDEN_H_
#define GTEST_PARITY_SIDE_WARDEN_H_

#include <sys/types.h>

namespace parity {

// First argument of parity_host for being a warden; the judge's process id and a command follow.
inline constexpr char kWardenFlag[] = "--warden";

// Runs `command` as a child, and ends as it ended: same exit status, same signal. When the child
// ends, the judge's process ends, or SIGTERM comes, all that descends from it is killed first,
// whatever session or process group it made for itself: this process is its subreaper. Watches the
// judge's process, not the thread that started it.
[[noreturn]] void RunWarden(pid_t judge, char* const* command);

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_WARDEN_H_
