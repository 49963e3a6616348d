#include "suites/wire/client/connection.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace parity::wire {
namespace {

int NewSocket(std::size_t receive_buffer) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int yes = 1, size = static_cast<int>(receive_buffer);
  // Each write is a packet of its own, as far as a client can say so.
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
  if (receive_buffer != 0) setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
  return fd;
}

}  // namespace

Connection::Connection(int port, std::size_t receive_buffer, Clock::time_point deadline)
    : begin_(Clock::now()), deadline_(deadline), socket_(NewSocket(receive_buffer)) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* at = reinterpret_cast<const sockaddr*>(&address);
  if (connect(socket_.get(), at, sizeof(address)) == 0) return;
  int error = errno;
  if (error == EINPROGRESS) {
    if (Wait(POLLOUT, deadline_) == 0) {
      TimeOut();
      return;
    }
    socklen_t size = sizeof(error);
    getsockopt(socket_.get(), SOL_SOCKET, SO_ERROR, &error, &size);
  }
  if (error == 0) return;
  Note(EventKind::kRefused);
  socket_ = FileDescriptor();
}

void Connection::Note(EventKind kind, std::string bytes) {
  const auto since = Clock::now() - begin_;
  events_.push_back({kind, std::chrono::duration_cast<std::chrono::microseconds>(since).count(),
                     std::move(bytes)});
}

short Connection::Wait(short events, Clock::time_point until) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0) return 0;
    pollfd waiting{socket_.get(), events, 0};
    const int count = poll(&waiting, 1, static_cast<int>(std::min<long>(left.count(), 60'000)));
    if (count > 0) return waiting.revents;
  }
}

void Connection::Break(int error) {
  if (error == EAGAIN || error == EINTR) return;
  Note(EventKind::kReset);
  socket_ = FileDescriptor();
}

void Connection::ReadSome(std::size_t most) {
  constexpr std::size_t kMost = 64 * 1024;
  std::string bytes(std::min(most, kMost), '\0');
  const ssize_t length = recv(socket_.get(), bytes.data(), bytes.size(), 0);
  if (length < 0) return Break(errno);
  if (length == 0) {
    peer_closed_ = true;
    Note(EventKind::kPeerClosed);
    return;
  }
  bytes.resize(static_cast<std::size_t>(length));
  received_ += bytes;
  Note(EventKind::kReceived, std::move(bytes));
}

void Connection::Send(std::string_view bytes) {
  // A server that has closed wants no more.
  while (!bytes.empty() && !over() && !peer_closed_) {
    // What it says before it has all must not be lost, nor may both wait for one another.
    const short ready = Wait(POLLIN | POLLOUT, deadline_);
    if (ready == 0) return TimeOut();
    if ((ready & (POLLIN | POLLHUP)) != 0) ReadSome(std::string::npos);
    if (over() || peer_closed_ || (ready & (POLLOUT | POLLERR)) == 0) continue;
    const ssize_t length = send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (length < 0) {
      Break(errno);
      continue;
    }
    Note(EventKind::kSent, std::string(bytes.substr(0, static_cast<std::size_t>(length))));
    bytes.remove_prefix(static_cast<std::size_t>(length));
  }
}

void Connection::Read(std::size_t most) {
  if (over() || peer_closed_) return;
  if (Wait(POLLIN, deadline_) == 0) return TimeOut();
  ReadSome(most);
}

bool Connection::IsReadable(Clock::time_point until) {
  return !over() && !peer_closed_ && Wait(POLLIN, std::min(until, deadline_)) != 0;
}

void Connection::HalfClose() {
  if (over()) return;
  Note(EventKind::kHalfClosed);
  shutdown(socket_.get(), SHUT_WR);
}

void Connection::Close() {
  if (over()) return;
  if (!peer_closed_) Note(EventKind::kClosed);
  socket_ = FileDescriptor();
}

void Connection::Reset() {
  if (over()) return;
  const linger at_once = {1, 0};
  setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
  Close();
}

void Connection::TimeOut() {
  if (over()) return;
  Note(EventKind::kTimedOut);
  socket_ = FileDescriptor();
}

}  // namespace parity::wire
