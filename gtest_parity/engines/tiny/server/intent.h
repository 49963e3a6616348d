// What a client wants, whatever the surface.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_INTENT_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_INTENT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/engines/tiny/server/surface.h"

namespace parity::tiny_server {

struct TurnCall {
  std::string id;  // "call_" and what the client knows it by
  Json arguments;  // an object
};

struct Turn {
  std::string role;  // system, user, assistant, tool
  std::string content;
  std::string reasoning = "";        // of assistant
  std::vector<TurnCall> calls = {};  // of assistant
  std::string call_id = "";          // of tool: the call that it answers
};

enum class ThinkMode { kUnsaid, kOn, kOff };
inline constexpr const char* kThinkModeNames[] = {"unsaid", "on", "off"};

struct Intent {
  Surface surface = Surface::kChat;
  std::string model;  // empty: not said
  bool stream = false;
  bool include_usage = false;
  bool tells_reasoning = true;
  std::string prompt;               // of completions
  std::vector<Turn> turns;          // of the others
  std::vector<std::string> images;  // bytes
  std::optional<std::uint64_t> max_tokens;
  std::vector<std::string> stops;
  bool samples = false;  // a temperature above 0
  ThinkMode think = ThinkMode::kUnsaid;
  std::string tool;  // the one that is called if one is; empty: none may be
  // What `serve` knows besides, and the lane; absent where the client says nothing of it.
  std::optional<Json> parity;
  Json echo = Json::object();  // of Responses
};

// Calls whose results the last turns are, and that no turn before has made.
std::vector<std::string> AwaitedCalls(const Intent& intent);
// Calls whose results the last turns are, made or not.
std::vector<std::string> AnsweredCalls(const Intent& intent);

// The engine's request, {"do": "open"}.
struct ServeKnobs {
  std::uint64_t think_tokens = 8, call_tokens = 12;
};
Json ServeRequestOf(const Intent& intent, bool continuous, const ServeKnobs& knobs);

}  // namespace parity::tiny_server

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_INTENT_H_
