#include "gtest_parity/side/socket.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "gtest_parity/side/read_msgpack.h"

namespace parity {
namespace {

std::string LastError() { return std::generic_category().message(errno); }

[[noreturn]] void FailedTo(const std::string& what) {
  const std::string words = what + ": " + LastError();
  // Reset: it ended with something of ours unread.
  if (errno == EPIPE || errno == ECONNRESET) throw SocketClosed(words);
  throw SocketError(words);
}

void AppendWord(std::vector<std::uint8_t>& bytes, std::uint64_t word) {
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<std::uint8_t>(word >> (8 * i)));
}

std::uint64_t WordAt(const std::uint8_t* bytes) {
  std::uint64_t word = 0;
  for (int i = 0; i < 8; ++i) word |= std::uint64_t{bytes[i]} << (8 * i);
  return word;
}

}  // namespace

std::pair<Socket, Socket> Socket::Pair() {
  int fds[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) {
    throw SocketError("socketpair: " + LastError());
  }
  return {Socket(FileDescriptor(fds[0])), Socket(FileDescriptor(fds[1]))};
}

int Socket::MillisecondsTo(const std::optional<Clock::time_point>& deadline) {
  if (!deadline) return -1;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
                        *deadline - Clock::now() + std::chrono::microseconds(999))
                        .count();
  return static_cast<int>(std::clamp<long long>(left, 0, 1 << 30));
}

void Socket::Seal(const SipKey& key, End own) {
  const auto direction = [&](End from) {
    const auto name = static_cast<std::uint64_t>(from);
    return Direction{{SipHash(key, &name, sizeof(name)), key.second}, 0};
  };
  sealed_ = true;
  out_ = direction(own);
  in_ = direction(own == End::kJudge ? End::kHost : End::kJudge);
}

std::uint64_t Socket::Direction::OfLength(std::uint64_t length) const {
  const std::uint64_t words[] = {messages, length};
  return SipHash(key, words, sizeof(words));
}

// With a key that the length's seal gives, so that a body goes with no other message.
std::uint64_t Socket::Direction::OfBody(std::uint64_t length,
                                        const std::vector<std::uint8_t>& body) const {
  return SipHash({key.first, key.second ^ OfLength(length)}, body.data(), body.size());
}

void Socket::Send(const nlohmann::json& message) {
  const std::vector<std::uint8_t> body = nlohmann::json::to_msgpack(message);
  std::vector<std::uint8_t> frame;
  AppendWord(frame, body.size());
  if (sealed_) {
    AppendWord(frame, out_.OfLength(body.size()));
    AppendWord(frame, out_.OfBody(body.size(), body));
    ++out_.messages;
  }
  frame.insert(frame.end(), body.begin(), body.end());
  for (std::size_t sent = 0; sent < frame.size();) {
    const ssize_t n = send(fd_.get(), frame.data() + sent, frame.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) FailedTo("sending a message");
    sent += static_cast<std::size_t>(n);
  }
}

bool Socket::ReceiveBytes(void* data, std::size_t bytes,
                          std::optional<Clock::time_point> deadline) {
  for (std::size_t received = 0; received < bytes;) {
    pollfd waiting{fd_.get(), POLLIN, 0};
    const int ready = poll(&waiting, 1, MillisecondsTo(deadline));
    if (ready == 0) return false;
    if (ready < 0) {
      if (errno == EINTR) continue;
      throw SocketError("waiting for a message: " + LastError());
    }
    const ssize_t n = recv(fd_.get(), static_cast<char*>(data) + received, bytes - received, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) FailedTo("receiving a message");
    if (n == 0) throw SocketClosed("the other end closed the socket");
    received += static_cast<std::size_t>(n);
  }
  return true;
}

std::optional<nlohmann::json> Socket::Receive(std::optional<Clock::time_point> deadline) {
  std::uint8_t head[24];
  if (!ReceiveBytes(head, sealed_ ? 24 : 8, deadline)) return std::nullopt;
  const std::uint64_t length = WordAt(head);
  if (sealed_ && WordAt(head + 8) != in_.OfLength(length)) {
    throw SocketError("bytes that the other end's program did not send came over its socket");
  }
  if (length > kMaxMessageBytes) {
    throw SocketError("a message of " + std::to_string(length) + " bytes, at most " +
                      std::to_string(kMaxMessageBytes) + " expected");
  }
  // Grown as bytes come in, so that a false length costs nothing.
  std::vector<std::uint8_t> body;
  while (body.size() < length) {
    const std::size_t have = body.size();
    body.resize(std::min<std::uint64_t>(length, have + (std::size_t{1} << 20)));
    if (!ReceiveBytes(body.data() + have, body.size() - have, deadline)) return std::nullopt;
  }
  if (sealed_ && WordAt(head + 16) != in_.OfBody(length, body)) {
    throw SocketError("a message was changed on its way over the socket");
  }
  ++in_.messages;
  try {
    return ReadMsgpack(body);
  } catch (const std::exception& error) {
    throw SocketError(std::string("not a message: ") + error.what());
  }
}

void Socket::SendDescriptors(const std::vector<int>& fds) {
  if (fds.size() > kMaxDescriptors) {
    throw SocketError(std::to_string(fds.size()) + " descriptors at once, at most " +
                      std::to_string(kMaxDescriptors));
  }
  std::uint8_t count = static_cast<std::uint8_t>(fds.size());
  iovec body{&count, 1};
  std::vector<char> control(CMSG_SPACE(sizeof(int) * std::max<std::size_t>(1, fds.size())));
  msghdr message{};
  message.msg_iov = &body;
  message.msg_iovlen = 1;
  if (!fds.empty()) {
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * fds.size());
    std::memcpy(CMSG_DATA(header), fds.data(), sizeof(int) * fds.size());
  }
  if (sendmsg(fd_.get(), &message, MSG_NOSIGNAL) != 1) {
    FailedTo("sending descriptors");
  }
}

std::vector<FileDescriptor> Socket::ReceiveDescriptors() {
  std::uint8_t count = 0;
  iovec body{&count, 1};
  std::vector<char> control(CMSG_SPACE(sizeof(int) * kMaxDescriptors));
  msghdr message{};
  message.msg_iov = &body;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t received = recvmsg(fd_.get(), &message, MSG_CMSG_CLOEXEC);
  if (received == 0) throw SocketClosed("the other end closed the socket");
  if (received < 0) FailedTo("receiving descriptors");
  std::vector<FileDescriptor> fds;
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t here = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < here; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(header) + i * sizeof(int), sizeof(int));
      fds.emplace_back(fd);
    }
  }
  if (fds.size() != count) {
    throw SocketError(std::to_string(fds.size()) + " descriptors came, " + std::to_string(count) +
                      " were sent");
  }
  return fds;
}

}  // namespace parity
