#include "gtest_parity/engines/tiny/server/intent.h"

#include <algorithm>

namespace parity::tiny_server {
namespace {

std::string HexOf(const std::string& bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    hex += {kDigits[value >> 4], kDigits[value & 15]};
  }
  return hex;
}

// A turn says its thinking as the model did, so that what the model has computed is found again.
std::string ContentOf(const Turn& turn, ThinkMode think) {
  const bool wrapped =
      turn.role == "assistant" && (!turn.reasoning.empty() || think == ThinkMode::kOff);
  return wrapped ? "<think>" + turn.reasoning + "</think>" + turn.content : turn.content;
}

Json MessageOf(const Turn& turn, ThinkMode think) {
  Json message = {{"role", turn.role}, {"content", ContentOf(turn, think)}};
  for (const TurnCall& call : turn.calls) {
    message["tool_calls"].push_back({{"id", call.id}, {"arguments", call.arguments}});
  }
  return message;
}

}  // namespace

std::vector<std::string> AwaitedCalls(const Intent& intent) {
  std::vector<std::string> made, awaited;
  for (const Turn& turn : intent.turns) {
    for (const TurnCall& call : turn.calls) made.push_back(call.id);
    const bool known = std::find(made.begin(), made.end(), turn.call_id) != made.end();
    if (!turn.call_id.empty() && !known) awaited.push_back(turn.call_id);
  }
  return awaited;
}

std::vector<std::string> AnsweredCalls(const Intent& intent) {
  std::vector<std::string> answered;
  for (auto turn = intent.turns.rbegin(); turn != intent.turns.rend(); ++turn) {
    if (turn->call_id.empty()) break;
    answered.push_back(turn->call_id);
  }
  return answered;
}

Json ServeRequestOf(const Intent& intent, bool continuous, const ServeKnobs& knobs) {
  const bool chat = intent.surface != Surface::kCompletions;
  Json request = {{"do", "open"},
                  {"surface", chat ? "chat" : "completions"},
                  {"lane", continuous ? "continuous" : "serial"}};
  if (!chat) request["prompt"] = intent.prompt;
  if (chat) {
    request["messages"] = Json::array();
    for (const Turn& turn : intent.turns) {
      request["messages"].push_back(MessageOf(turn, intent.think));
    }
  }
  if (intent.think == ThinkMode::kOff) request["think"] = false;
  if (intent.think == ThinkMode::kOn) request["think_tokens"] = knobs.think_tokens;
  if (!intent.tool.empty()) request["tools"] = true;
  if (!intent.tool.empty() && !intent.parity) request["call_tokens"] = knobs.call_tokens;
  if (intent.max_tokens) request["max_tokens"] = *intent.max_tokens;
  for (const std::string& image : intent.images) request["attachments"].push_back(HexOf(image));
  const Json extra = intent.parity.value_or(Json::object());
  for (const auto& [key, value] : extra.items()) {
    if (key != "lane") request[key] = value;
  }
  return request;
}

}  // namespace parity::tiny_server
