// A server on a socket that does as it is told, whatever it is asked.
#ifndef GTEST_PARITY_TESTS_WIRE_CLIENT_SCRIPTED_SERVER_H_
#define GTEST_PARITY_TESTS_WIRE_CLIENT_SCRIPTED_SERVER_H_

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gtest_parity/device/file_descriptor.h"

namespace parity::testing {

// What happens on the server's end of one connection.
class Peer {
 public:
  explicit Peer(int fd) : fd_(fd) {}

  void Send(const std::string& bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t length = send(fd_.get(), bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
      if (length <= 0) return;
      at += static_cast<std::size_t>(length);
    }
  }
  // All that comes until `end` is in it, or the client closes.
  const std::string& ReadUntil(const std::string& end) {
    char bytes[1024];
    while (read_.find(end) == std::string::npos) {
      const ssize_t length = recv(fd_.get(), bytes, sizeof(bytes), 0);
      if (length <= 0) break;
      read_.append(bytes, static_cast<std::size_t>(length));
    }
    return read_;
  }
  // To the client's end.
  const std::string& ReadAll() { return ReadUntil("\x01 never sent"); }
  void Reset() {
    const linger at_once = {1, 0};
    setsockopt(fd_.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    fd_.Close();
  }

 private:
  FileDescriptor fd_;
  std::string read_;
};

class ScriptedServer {
 public:
  using Act = std::function<void(Peer&)>;

  // `act` is run for each of `connections`, each in a thread of its own.
  explicit ScriptedServer(Act act, int connections = 1)
      : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* at = reinterpret_cast<sockaddr*>(&address);
    bind(listener_.get(), at, size);
    listen(listener_.get(), connections);
    getsockname(listener_.get(), at, &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::jthread([this, act = std::move(act), connections] {
      std::vector<std::jthread> peers;
      for (int i = 0; i < connections; ++i) {
        const int fd = accept(listener_.get(), nullptr, nullptr);
        peers.emplace_back([fd, act] {
          Peer peer(fd);
          act(peer);
        });
      }
    });
  }
  // Where fewer came than were expected, nobody waits for the rest.
  ~ScriptedServer() { shutdown(listener_.get(), SHUT_RDWR); }

  int port() const { return port_; }

 private:
  FileDescriptor listener_;
  int port_ = 0;
  std::jthread thread_;
};

}  // namespace parity::testing

#endif  // GTEST_PARITY_TESTS_WIRE_CLIENT_SCRIPTED_SERVER_H_
