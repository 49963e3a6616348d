// What processes hold of the machine.
#ifndef GTEST_PARITY_SERVER_RESOURCE_USE_H_
#define GTEST_PARITY_SERVER_RESOURCE_USE_H_

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace parity {

struct ResourceUse {
  std::uint64_t processes = 0, threads = 0;
  std::uint64_t descriptors = 0;     // open ones
  std::uint64_t resident_bytes = 0;  // what several processes share counts in each
};

// Of all of them together; what has ended meanwhile is left out.
ResourceUse ResourcesOf(const std::vector<pid_t>& processes);

}  // namespace parity

#endif  // GTEST_PARITY_SERVER_RESOURCE_USE_H_
