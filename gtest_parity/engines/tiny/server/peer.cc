#include "gtest_parity/engines/tiny/server/peer.h"

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

namespace parity::tiny_server {
namespace {

// As /proc/net/tcp writes it, on a little-endian machine.
std::string AddressOf(int port) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "0100007F:%04X", static_cast<unsigned>(port));
  return text.data();
}

}  // namespace

bool PeerIsGone(int port, int own_port) {
  const std::string peer = AddressOf(port), own = AddressOf(own_port);
  std::ifstream table("/proc/net/tcp");
  if (!table) return false;
  for (std::string line; std::getline(table, line);) {
    std::istringstream fields(line);
    std::string number, local, remote, state, queues, timer, retries, user, timeout;
    unsigned long inode = 0;
    fields >> number >> local >> remote >> state >> queues >> timer >> retries >> user >> timeout >>
        inode;
    if (local == peer && remote == own) return inode == 0;  // an orphan: closed by its process
  }
  return true;
}

}  // namespace parity::tiny_server
