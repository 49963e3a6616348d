// What a server is told besides the engine's configuration.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_OPTIONS_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_OPTIONS_H_

#include <cstdint>
#include <string>

#include "gtest_parity/engines/tiny/server/intent.h"
#include "gtest_parity/engines/tiny/server/registry.h"

namespace parity::tiny_server {

struct WireMutant;
struct Variant;

struct ServerOptions {
  const Variant* variant = nullptr;
  const WireMutant* mutant = nullptr;  // NULL: none

  // Lanes.
  bool continuous = true, gathered = true;
  std::uint64_t width = 2;              // of a batch
  std::uint64_t continuous_bytes = 0;   // most of a prompt there; 0: any
  std::uint64_t gather_ms = 250;        // that a static batch waits for its second request
  std::uint64_t pace_us = 0;            // from a round of tokens to the next, at least
  std::uint64_t fail_after_tokens = 0;  // an answer of more fails; 0: none does
  ServeKnobs serve;
  ContinuationLimits continuations;

  // Limits. Beyond them requests are shed.
  std::uint64_t max_clients = 16, max_queue = 16;
  std::uint64_t max_body_bytes = 64u << 20, max_inflight_body_bytes = 128u << 20;
  std::uint64_t queue_age_ms = 30'000;
  std::uint64_t backlog_events = 2048;  // that a slow reader has not taken
  std::uint64_t send_buffer_bytes = 0;  // of a connection; 0: the system's
  std::uint64_t grace_ms = 2'000;       // of answers under way, when the server stops
};

// From {"variant": "ported", "pace_us": 200, ...}, {} by default. Throws EngineError
// (PARITY_INVALID) that names what is wrong and what is known.
ServerOptions ParseServerOptions(const std::string& json);

}  // namespace parity::tiny_server

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_OPTIONS_H_
