// One connection, and what happened on it.
#ifndef GTEST_PARITY_SUITES_WIRE_CLIENT_CONNECTION_H_
#define GTEST_PARITY_SUITES_WIRE_CLIENT_CONNECTION_H_

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gtest_parity/device/file_descriptor.h"
#include "suites/wire/transcript/exchange.h"

namespace parity::wire {

// Every method returns at `deadline` at the latest, having noted kTimedOut and closed. Once the
// connection is over, whatever ended it, they do nothing.
class Connection {
 public:
  using Clock = std::chrono::steady_clock;

  // Connects to 127.0.0.1. `receive_buffer`: bytes; 0: the system's.
  Connection(int port, std::size_t receive_buffer, Clock::time_point deadline);

  // All of `bytes` in one write, as far as the server takes them; reads what comes meanwhile.
  void Send(std::string_view bytes);
  // Reads once, at most so many bytes.
  void Read(std::size_t most);
  // Whether there is something to read, by `until`.
  bool IsReadable(Clock::time_point until);
  void HalfClose();
  void Close();
  void Reset();
  void TimeOut();

  bool over() const { return !socket_.valid(); }
  // The server has closed, and the client has read all.
  bool peer_closed() const { return peer_closed_; }
  const std::string& received() const { return received_; }
  const std::vector<ConnectionEvent>& events() const { return events_; }

 private:
  void Note(EventKind kind, std::string bytes = "");
  // The events that came; 0 at `until`.
  short Wait(short events, Clock::time_point until);
  void ReadSome(std::size_t most);
  void Break(int error);

  Clock::time_point begin_, deadline_;
  FileDescriptor socket_;
  bool peer_closed_ = false;
  std::string received_;
  std::vector<ConnectionEvent> events_;
};

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_CLIENT_CONNECTION_H_
