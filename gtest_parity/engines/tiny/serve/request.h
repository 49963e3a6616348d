// A request to `serve`, read and checked. docs/serving.md has every field.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVE_REQUEST_H_
#define GTEST_PARITY_ENGINES_TINY_SERVE_REQUEST_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace parity::tiny {

struct ToolCall {
  std::string id;
  nlohmann::ordered_json arguments;
};

struct ChatMessage {
  std::string role, content;
  std::vector<ToolCall> calls;
};

// Of "complete", "open" and "restore".
struct ServeRequest {
  bool chat = false;        // surface
  bool continuous = false;  // lane
  std::string prompt;       // of completions
  std::vector<ChatMessage> messages;
  std::vector<std::string> attachments;  // bytes
  bool think = true, tools = false, pin = false;
  bool ignore_end = false;  // the model cannot end its answer
  std::uint64_t max_tokens = 16;
  std::uint64_t think_tokens = 0;  // the thinking is closed behind so many; 0: nobody closes it
  std::uint64_t call_tokens = 0;   // of a whole call; 0: whatever has been generated is one
  std::string forced;              // what the answer begins with, whatever the model chooses
  std::string logits;              // path; empty: none
  std::string key;                 // of "restore"

  const char* surface() const { return chat ? "chat" : "completions"; }
  const char* lane() const { return continuous ? "continuous" : "serial"; }
};

// Throws EngineError (PARITY_INVALID) that names what is wrong and what is known.
nlohmann::ordered_json ParseObject(const char* text);
std::string DoOf(const nlohmann::ordered_json& request);
ServeRequest ParseServeRequest(const nlohmann::ordered_json& request);
// "generations" of "step" and "close": at least one, none twice.
std::vector<std::uint64_t> ParseGenerations(const nlohmann::ordered_json& request);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SERVE_REQUEST_H_
