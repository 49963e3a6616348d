#include "gtest_parity/engines/tiny/server/peer.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "gtest_parity/device/file_descriptor.h"

namespace parity::tiny_server {
namespace {

sockaddr_in Loopback(int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int PortOf(const FileDescriptor& fd) {
  sockaddr_in address = {};
  socklen_t size = sizeof(address);
  getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

// Both ends of a connection.
class Connected {
 public:
  Connected() : listener_(Socket()), client(Socket()) {
    const sockaddr_in any = Loopback(0);
    bind(listener_.get(), reinterpret_cast<const sockaddr*>(&any), sizeof(any));
    listen(listener_.get(), 1);
    const sockaddr_in there = Loopback(PortOf(listener_));
    connect(client.get(), reinterpret_cast<const sockaddr*>(&there), sizeof(there));
    server = FileDescriptor(accept(listener_.get(), nullptr, nullptr));
    port = PortOf(client);
    own_port = PortOf(server);
  }

 private:
  static FileDescriptor Socket() { return FileDescriptor(socket(AF_INET, SOCK_STREAM, 0)); }
  FileDescriptor listener_;

 public:
  FileDescriptor client, server;
  int port = 0, own_port = 0;
};

using Ask = bool (*)(int, int);

class Peers : public ::testing::TestWithParam<Ask> {};

TEST_P(Peers, AreThereUntilTheyClose) {
  Connected connected;
  const auto gone = [&] { return GetParam()(connected.port, connected.own_port); };
  EXPECT_FALSE(gone());
  shutdown(connected.client.get(), SHUT_WR);
  EXPECT_FALSE(gone()) << "it has only ended its request";
  connected.client.Close();
  EXPECT_TRUE(gone());
}

TEST_P(Peers, AreGoneWhenTheyClosedWithoutEndingFirst) {
  Connected connected;
  connected.client.Close();
  EXPECT_TRUE(GetParam()(connected.port, connected.own_port));
}

INSTANTIATE_TEST_SUITE_P(Ways, Peers, ::testing::Values(PeerIsGone, PeerIsGoneByTable));

}  // namespace
}  // namespace parity::tiny_server
