#include "gtest_parity/server/resource_use.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace parity {
namespace {

std::uint64_t EntriesOf(const std::string& folder) {
  std::error_code error;
  std::uint64_t count = 0;
  std::filesystem::directory_iterator entry(folder, error), end;
  for (; !error && entry != end; entry.increment(error)) ++count;
  return count;
}

}  // namespace

ResourceUse ResourcesOf(const std::vector<pid_t>& processes) {
  ResourceUse use;
  for (const pid_t pid : processes) {
    const std::string folder = "/proc/" + std::to_string(pid);
    std::uint64_t size = 0, resident = 0;  // pages
    if (!(std::ifstream(folder + "/statm") >> size >> resident)) continue;
    ++use.processes;
    use.threads += EntriesOf(folder + "/task");
    use.descriptors += EntriesOf(folder + "/fd");
    use.resident_bytes += resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  }
  return use;
}

}  // namespace parity
