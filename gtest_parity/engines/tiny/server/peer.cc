#include "gtest_parity/engines/tiny/server/peer.h"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

#include "gtest_parity/device/file_descriptor.h"

namespace parity::tiny_server {
namespace {

// As /proc/net/tcp writes it, on a little-endian machine.
std::string AddressOf(int port) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "0100007F:%04X", static_cast<unsigned>(port));
  return text.data();
}

// The kernel's answer to the question for one socket: its inode, 0 where no process has it; nothing
// where this kernel does not answer such questions.
struct Diagnosis {
  bool found = false;
  std::uint32_t inode = 0;
};

struct Question {
  nlmsghdr head;
  inet_diag_req_v2 body;
};

Question QuestionFor(int port, int peer_port) {
  Question question = {};
  question.head.nlmsg_len = sizeof(question);
  question.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  question.head.nlmsg_flags = NLM_F_REQUEST;
  question.body.sdiag_family = AF_INET;
  question.body.sdiag_protocol = IPPROTO_TCP;
  question.body.idiag_states = ~0u;
  inet_diag_sockid& id = question.body.id;
  id.idiag_sport = htons(static_cast<std::uint16_t>(port));
  id.idiag_dport = htons(static_cast<std::uint16_t>(peer_port));
  id.idiag_src[0] = id.idiag_dst[0] = htonl(INADDR_LOOPBACK);
  id.idiag_cookie[0] = id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  return question;
}

std::optional<Diagnosis> Diagnose(int port, int peer_port) {
  const FileDescriptor netlink(socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
  const Question question = QuestionFor(port, peer_port);
  alignas(nlmsghdr) std::array<char, 4096> bytes{};
  if (send(netlink.get(), &question, sizeof(question), 0) < 0) return std::nullopt;
  const ssize_t size = recv(netlink.get(), bytes.data(), bytes.size(), 0);
  if (size < static_cast<ssize_t>(sizeof(nlmsghdr))) return std::nullopt;
  const auto* head = reinterpret_cast<const nlmsghdr*>(bytes.data());
  if (!NLMSG_OK(head, static_cast<std::size_t>(size))) return std::nullopt;
  if (head->nlmsg_type == NLMSG_ERROR) {
    const auto* error = static_cast<const nlmsgerr*>(NLMSG_DATA(head));
    return error->error == -ENOENT ? std::optional<Diagnosis>(Diagnosis{}) : std::nullopt;
  }
  if (head->nlmsg_type != SOCK_DIAG_BY_FAMILY) return std::nullopt;
  return Diagnosis{true, static_cast<const inet_diag_msg*>(NLMSG_DATA(head))->idiag_inode};
}

}  // namespace

bool PeerIsGone(int port, int own_port) {
  const auto peer = Diagnose(port, own_port);
  if (!peer) return PeerIsGoneByTable(port, own_port);
  return !peer->found || peer->inode == 0;  // without inode: closed by its process
}

bool PeerIsGoneByTable(int port, int own_port) {
  const std::string peer = AddressOf(port), own = AddressOf(own_port);
  std::ifstream table("/proc/net/tcp");
  if (!table) return false;
  for (std::string line; std::getline(table, line);) {
    std::istringstream fields(line);
    std::string number, local, remote, state, queues, timer, retries, user, timeout;
    unsigned long inode = 0;
    fields >> number >> local >> remote >> state >> queues >> timer >> retries >> user >> timeout >>
        inode;
    if (local == peer && remote == own) return inode == 0;
  }
  return true;
}

}  // namespace parity::tiny_server
