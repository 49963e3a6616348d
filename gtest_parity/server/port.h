// Ports of this machine's loopback interface, and who listens on them.
#ifndef GTEST_PARITY_SERVER_PORT_H_
#define GTEST_PARITY_SERVER_PORT_H_

#include <sys/types.h>

#include <optional>
#include <vector>

namespace parity {

// One that nothing is bound to at the moment. Throws SetupError where there is none.
int FreePort();

bool IsFree(int port);

// Whether one of the processes listens on it; nothing where the kernel does not show that of them.
std::optional<bool> ListenOn(int port, const std::vector<pid_t>& processes);

}  // namespace parity

#endif  // GTEST_PARITY_SERVER_PORT_H_
