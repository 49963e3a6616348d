// What a lane asks an engine that is served by the harness, from saved states.
#ifndef GTEST_PARITY_SUITES_KV_STATE_REQUEST_H_
#define GTEST_PARITY_SUITES_KV_STATE_REQUEST_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace parity::kv {

// Text that the engine makes ids of, or ids.
struct PromptPart {
  std::string text;
  std::vector<std::int32_t> ids;  // where there is no text
};

struct StateRequest {
  std::vector<PromptPart> prompt;
  std::uint64_t max_tokens = 16;
  bool ignore_end = false;
  std::uint32_t slot = 0;  // of the engine's sequence slots
  bool store = false;      // saves the slot's state behind the answer
  std::string logits;      // where their rows go; empty: nowhere
};

// Throws NotAskable, naming it, for what else a server can be asked; std::runtime_error for a value
// that is none of its key.
StateRequest ReadStateRequest(const nlohmann::json& request);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_STATE_REQUEST_H_
