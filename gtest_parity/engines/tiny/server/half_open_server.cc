#include "gtest_parity/engines/tiny/server/half_open_server.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace parity::tiny_server {
namespace {

// A connection, buffered for reading: httplib reads lines a byte at a time.
class HalfOpenStream : public httplib::Stream {
 public:
  HalfOpenStream(socket_t socket, int read_ms, int write_ms)
      : socket_(socket), read_ms_(read_ms), write_ms_(write_ms) {}

  bool is_readable() const override { return at_ < end_ || IsReady(POLLIN, read_ms_); }
  bool is_writable() const override { return IsReady(POLLOUT, write_ms_); }

  ssize_t read(char* data, size_t size) override {
    if (at_ == end_) {
      if (!IsReady(POLLIN, read_ms_)) return -1;
      const ssize_t received = recv(socket_, buffer_.data(), buffer_.size(), 0);
      if (received <= 0) return received;
      at_ = 0;
      end_ = static_cast<size_t>(received);
    }
    const size_t taken = std::min(size, end_ - at_);
    std::memcpy(data, buffer_.data() + at_, taken);
    at_ += taken;
    return static_cast<ssize_t>(taken);
  }

  ssize_t write(const char* data, size_t size) override {
    if (!is_writable()) return -1;
    return send(socket_, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
  }

  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    Name(getpeername, ip, port);
  }
  void get_local_ip_and_port(std::string& ip, int& port) const override {
    Name(getsockname, ip, port);
  }
  socket_t socket() const override { return socket_; }

 private:
  bool IsReady(short events, int patience_ms) const {
    pollfd polled = {socket_, events, 0};
    return poll(&polled, 1, patience_ms) > 0 && (polled.revents & (POLLERR | POLLNVAL)) == 0;
  }

  template <typename Get>
  void Name(Get get, std::string& ip, int& port) const {
    sockaddr_in address = {};
    socklen_t size = sizeof(address);
    if (get(socket_, reinterpret_cast<sockaddr*>(&address), &size) != 0) return;
    std::array<char, INET_ADDRSTRLEN> text{};
    ip = inet_ntop(AF_INET, &address.sin_addr, text.data(), text.size());
    port = ntohs(address.sin_port);
  }

  socket_t socket_;
  int read_ms_, write_ms_;
  std::array<char, 4096> buffer_{};
  size_t at_ = 0, end_ = 0;
};

int Milliseconds(time_t seconds, time_t microseconds) {
  return static_cast<int>(seconds * 1000 + microseconds / 1000);
}

}  // namespace

bool HalfOpenServer::process_and_close_socket(socket_t socket) {
  HalfOpenStream stream(socket, Milliseconds(read_timeout_sec_, read_timeout_usec_),
                        Milliseconds(write_timeout_sec_, write_timeout_usec_));
  bool closed = false;
  const bool served = stream.is_readable() && process_request(stream, true, closed, nullptr);
  shutdown(socket, SHUT_RDWR);
  close(socket);
  return served;
}

}  // namespace parity::tiny_server
