// What comes over a side's socket: any bytes are messages, scripts, results and watched tensors or
// are refused.
#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>

#include "gtest_parity/side/socket.h"
#include "gtest_parity/side/wire.h"

namespace {

template <typename Read>
void Try(const nlohmann::json& message, Read read) {
  try {
    read(message);
  } catch (const nlohmann::json::exception&) {
  } catch (const std::invalid_argument&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kFitsTheSocket = 64 * 1024;
  if (size > kFitsTheSocket) return 0;
  auto [ours, theirs] = parity::Socket::Pair();
  if (size != 0 && send(theirs.fd(), data, size, 0) != static_cast<ssize_t>(size)) std::abort();
  theirs.Close();
  try {
    for (;;) {
      const auto message = ours.Receive();
      if (!message) std::abort();
      Try(*message, parity::ScriptFromWire);
      Try(*message, parity::ResultsFromWire);
      Try(*message, parity::WatchedFromWire);
    }
  } catch (const parity::SocketError&) {
  }
  return 0;
}
