// Processes and what descends from them, as the kernel lists them.
#ifndef GTEST_PARITY_SIDE_PROCESS_TREE_H_
#define GTEST_PARITY_SIDE_PROCESS_TREE_H_

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace parity {

std::vector<pid_t> ChildrenOf(pid_t pid);

// All that descends from `pid`, itself and what has ended and is not reaped yet left out.
std::vector<pid_t> DescendantsOf(pid_t pid);

// As `ps` names it: the program's, cut to 15 bytes. Empty where there is no such process.
std::string ProcessName(pid_t pid);

// Resident bytes of all that descends from `pid`, itself left out. What several processes share
// counts in each.
std::uint64_t ResidentBelow(pid_t pid);

// Whether a signal has stopped it.
bool IsStopped(pid_t pid);

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_PROCESS_TREE_H_
