// Framed messages and file descriptors over one local stream socket.
#ifndef GTEST_PARITY_SIDE_SOCKET_H_
#define GTEST_PARITY_SIDE_SOCKET_H_

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "gtest_parity/device/shared_memory.h"
#include "gtest_parity/side/siphash.h"

namespace parity {

// The descriptor that an engine host finds its socket on.
inline constexpr int kHostSocket = 3;
// Exit status of a host that cannot go on by itself; what it prints last says why.
inline constexpr int kBrokenHost = 124;

// The other end is gone, or sent what is no message.
class SocketError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The other end is gone.
class SocketClosed : public SocketError {
 public:
  using SocketError::SocketError;
};

// A message is 8 bytes of length (little endian) and a msgpack value; once the socket is sealed, 16
// bytes stand between them: what SipHash makes of the length and of the value, with a key that both
// ends hold and the message's number. Bytes that something else in the process writes on the
// descriptor, and messages that are changed, left out or repeated, are then told from the other
// end's.
class Socket {
 public:
  static constexpr std::uint64_t kMaxMessageBytes = std::uint64_t{1} << 30;
  static constexpr std::size_t kMaxDescriptors = 200;  // in a call; the kernel takes 253
  using Clock = std::chrono::steady_clock;

  explicit Socket(FileDescriptor fd) : fd_(std::move(fd)) {}
  static std::pair<Socket, Socket> Pair();

  // From now on both ends send sealed messages; they name themselves differently.
  enum class End : std::uint64_t { kJudge = 1, kHost = 2 };
  void Seal(const SipKey& key, End own);

  // Throws SocketClosed when the other end is closed.
  void Send(const nlohmann::json& message);
  // Empty when nothing complete came before `deadline` (none: waits for ever). Throws
  // SocketClosed when the other end closed, SocketError for a length beyond kMaxMessageBytes, bytes
  // that are no msgpack, or a seal that is not the other end's.
  std::optional<nlohmann::json> Receive(std::optional<Clock::time_point> deadline = std::nullopt);

  // Descriptors travel ahead of a message, at most kMaxDescriptors in a call.
  void SendDescriptors(const std::vector<int>& fds);
  std::vector<FileDescriptor> ReceiveDescriptors();

  // For poll: the time left, -1 for no deadline.
  static int MillisecondsTo(const std::optional<Clock::time_point>& deadline);

  int fd() const { return fd_.get(); }
  int ReleaseFd() { return fd_.Release(); }
  void Close() { fd_.Close(); }

 private:
  // Keys of one direction, and how many messages have gone it.
  struct Direction {
    SipKey key;
    std::uint64_t messages = 0;
    std::uint64_t OfLength(std::uint64_t length) const;
    std::uint64_t OfBody(std::uint64_t length, const std::vector<std::uint8_t>& body) const;
  };
  bool ReceiveBytes(void* data, std::size_t bytes, std::optional<Clock::time_point> deadline);
  FileDescriptor fd_;
  bool sealed_ = false;
  Direction out_, in_;
};

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_SOCKET_H_
