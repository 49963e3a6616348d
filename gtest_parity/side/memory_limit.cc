#include "gtest_parity/side/memory_limit.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>

namespace parity {
namespace {

std::uint64_t AvailableOnMachine() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  for (std::uint64_t kibibytes = 0; file >> name >> kibibytes;) {
    if (name == "MemAvailable:") return kibibytes << 10;
    std::getline(file, unit);
  }
  return 0;
}

// Of the control group that /sys/fs/cgroup is, as containers see their own.
std::uint64_t AvailableInGroup() {
  constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t most = 0, used = 0;
  if (!(std::ifstream("/sys/fs/cgroup/memory.max") >> most)) return kUnlimited;
  if (!(std::ifstream("/sys/fs/cgroup/memory.current") >> used)) return kUnlimited;
  return most - std::min(most, used);
}

}  // namespace

std::uint64_t DefaultMemoryLimit() {
  return std::min(AvailableOnMachine(), AvailableInGroup()) / 4 * 3;
}

void LimitOwnMemory(std::uint64_t bytes) {
  std::ofstream("/proc/self/oom_score_adj") << 500;
  if (bytes == 0 || !kMemoryIsLimited) return;
  rlimit limit{};
  getrlimit(RLIMIT_DATA, &limit);
  limit.rlim_cur = limit.rlim_max = std::min<rlim_t>(bytes, limit.rlim_max);
  setrlimit(RLIMIT_DATA, &limit);
}

std::uint64_t AllocatedBytes(const std::vector<int>& fds) {
  std::uint64_t bytes = 0;
  for (const int fd : fds) {
    struct stat status {};
    if (fstat(fd, &status) == 0) bytes += static_cast<std::uint64_t>(status.st_blocks) * 512;
  }
  return bytes;
}

std::string BytesText(std::uint64_t bytes) {
  char text[32];
  const double mebibytes = static_cast<double>(bytes) / (1 << 20);
  if (mebibytes < 1024) {
    std::snprintf(text, sizeof(text), "%.4g MiB", mebibytes);
  } else {
    std::snprintf(text, sizeof(text), "%.4g GiB", mebibytes / 1024);
  }
  return text;
}

}  // namespace parity
