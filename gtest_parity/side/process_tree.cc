#include "gtest_parity/side/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>

#include "gtest_parity/device/file_descriptor.h"

namespace parity {
namespace {

struct Process {
  pid_t parent = 0;
  char state = '?';
  std::uint64_t resident = 0;  // bytes
};

// From /proc/PID/stat, whose second field is a name in parentheses that may hold anything. With
// plain reads: it is asked of every process of the machine.
std::optional<Process> ReadProcess(pid_t pid) {
  char path[32], text[1024];
  std::snprintf(path, sizeof(path), "/proc/%d/stat", pid);
  const FileDescriptor file(open(path, O_RDONLY | O_CLOEXEC));
  const ssize_t length = file.valid() ? read(file.get(), text, sizeof(text) - 1) : 0;
  if (length <= 0) return std::nullopt;
  text[length] = '\0';
  const char* name_end = std::strrchr(text, ')');
  Process process;
  long pages = 0;
  // The fields after the name: state, parent, 19 others, virtual size, resident pages.
  if (name_end == nullptr ||
      std::sscanf(name_end + 1,
                  " %c %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                  "%*s %ld",
                  &process.state, &process.parent, &pages) != 3) {
    return std::nullopt;
  }
  process.resident = static_cast<std::uint64_t>(pages > 0 ? pages : 0) *
                     static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return process;
}

std::map<pid_t, Process> AllProcesses() {
  std::map<pid_t, Process> all;
  DIR* folder = opendir("/proc");
  if (folder == nullptr) return all;
  while (const dirent* entry = readdir(folder)) {
    const auto pid = static_cast<pid_t>(std::atoi(entry->d_name));
    if (pid <= 0) continue;
    if (const std::optional<Process> process = ReadProcess(pid)) all[pid] = *process;
  }
  closedir(folder);
  return all;
}

bool Descends(const std::map<pid_t, Process>& all, pid_t pid, pid_t from) {
  // Bounded: the list is no snapshot, and ids may be used anew meanwhile.
  for (int depth = 0; depth < 64; ++depth) {
    const auto found = all.find(pid);
    if (found == all.end()) return false;
    pid = found->second.parent;
    if (pid == from) return true;
  }
  return false;
}

}  // namespace

std::vector<pid_t> ChildrenOf(pid_t pid) {
  std::vector<pid_t> children;
  for (const auto& [id, process] : AllProcesses()) {
    if (process.parent == pid) children.push_back(id);
  }
  return children;
}

std::vector<pid_t> DescendantsOf(pid_t pid) {
  std::vector<pid_t> descendants;
  const std::map<pid_t, Process> all = AllProcesses();
  for (const auto& [id, process] : all) {
    if (process.state != 'Z' && Descends(all, id, pid)) descendants.push_back(id);
  }
  return descendants;
}

std::string ProcessName(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

std::uint64_t ResidentBelow(pid_t pid) {
  const std::map<pid_t, Process> all = AllProcesses();
  std::uint64_t bytes = 0;
  for (const auto& [id, process] : all) {
    if (Descends(all, id, pid)) bytes += process.resident;
  }
  return bytes;
}

bool IsStopped(pid_t pid) {
  const std::optional<Process> process = ReadProcess(pid);
  return process && (process->state == 'T' || process->state == 't');
}

}  // namespace parity
