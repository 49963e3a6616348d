#include "gtest_parity/server/port.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <system_error>

#include "gtest_parity/device/file_descriptor.h"
#include "gtest_parity/side/side.h"

namespace parity {
namespace {

// Bound to the port (0: any) and not listening; invalid, with errno, where it cannot be had.
FileDescriptor BoundTo(int port) {
  FileDescriptor fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  // As servers do: connections of one that has ended do not keep it.
  const int on = 1;
  setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  if (bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    return FileDescriptor();
  }
  return fd;
}

// Inodes of the sockets that listen on the port, by any address.
std::set<std::string> ListeningSockets(int port) {
  constexpr char kListening[] = "0A";
  std::set<std::string> inodes;
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream file(table);
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
      std::istringstream words(line);
      std::string number, local, remote, state, queues, timer, retransmits, user, timeout, inode;
      words >> number >> local >> remote >> state >> queues >> timer >> retransmits >> user >>
          timeout >> inode;
      const std::size_t colon = local.rfind(':');
      if (state != kListening || colon == std::string::npos) continue;
      if (std::stoi(local.substr(colon + 1), nullptr, 16) == port) inodes.insert(inode);
    }
  }
  return inodes;
}

}  // namespace

int FreePort() {
  const FileDescriptor fd = BoundTo(0);
  sockaddr_in address = {};
  socklen_t length = sizeof(address);
  if (!fd.valid() || getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    throw SetupError("no port of 127.0.0.1 can be had: " + std::generic_category().message(errno));
  }
  return ntohs(address.sin_port);
}

bool IsFree(int port) { return BoundTo(port).valid(); }

std::optional<bool> ListenOn(int port, const std::vector<pid_t>& processes) {
  namespace fs = std::filesystem;
  const std::set<std::string> inodes = ListeningSockets(port);
  if (inodes.empty()) return std::nullopt;
  bool all_seen = true;
  for (const pid_t pid : processes) {
    std::error_code error;
    for (const fs::directory_entry& entry :
         fs::directory_iterator("/proc/" + std::to_string(pid) + "/fd", error)) {
      std::error_code gone;
      const std::string target = fs::read_symlink(entry.path(), gone).string();
      if (!target.starts_with("socket:[")) continue;
      if (inodes.contains(target.substr(8, target.size() - 9))) return true;
    }
    all_seen &= !error;
  }
  if (!all_seen) return std::nullopt;
  return false;
}

}  // namespace parity
