// The other end of a connection within this machine.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_PEER_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_PEER_H_

namespace parity::tiny_server {

// Whether nobody has the socket of 127.0.0.1:`port` that is connected to 127.0.0.1:`own_port` any
// more. Unlike end of file, which is also what a client leaves that has only ended its request,
// this is what the kernel says of that socket; over a network there is no such way.
bool PeerIsGone(int port, int own_port);

// The same by reading the kernel's table of all connections, for kernels that answer nothing of one
// socket. It takes a thousand times as long.
bool PeerIsGoneByTable(int port, int own_port);

}  // namespace parity::tiny_server

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_PEER_H_
