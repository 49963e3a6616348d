#include "suites/wire/probes/render_ask.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "gtest_parity/manifest/diagnostics.h"

namespace parity::wire {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 9> kKeys = {"prompt",     "turns",       "system",
                                                   "max_tokens", "temperature", "stop",
                                                   "tools",      "tool_choice", "usage"};

[[noreturn]] void CannotSay(Surface surface, const std::string& what) {
  throw std::runtime_error(std::string(NameOf(surface)) + " has no words for " + what);
}

// {user: text} -> what and its value.
std::pair<std::string, json> PartOfTurn(const json& turn) {
  if (!turn.is_object() || turn.size() != 1) {
    throw std::runtime_error("a turn is " + turn.dump() +
                             ", expected one of user, assistant, call, result");
  }
  return {turn.begin().key(), turn.begin().value()};
}

std::vector<json> TurnsOf(const json& ask) {
  if (ask.contains("turns")) return ask["turns"];
  return {{{"user", ask.value("prompt", json(""))}}};
}

json ChatTurn(const json& turn) {
  const auto [what, value] = PartOfTurn(turn);
  if (what == "user" || what == "assistant") return {{"role", what}, {"content", value}};
  if (what == "result") {
    return {{"role", "tool"}, {"tool_call_id", value.at("id")}, {"content", value.at("text")}};
  }
  if (what != "call") throw std::runtime_error("unknown turn " + Quoted(what));
  const json function = {{"name", value.at("name")}, {"arguments", value.at("arguments")}};
  return {{"role", "assistant"},
          {"content", ""},
          {"tool_calls", {{{"id", value.at("id")}, {"type", "function"}, {"function", function}}}}};
}

json MessagesTurn(const json& turn) {
  const auto [what, value] = PartOfTurn(turn);
  if (what == "user" || what == "assistant") return {{"role", what}, {"content", value}};
  if (what == "result") {
    const json block = {
        {"type", "tool_result"}, {"tool_use_id", value.at("id")}, {"content", value.at("text")}};
    return {{"role", "user"}, {"content", json::array({block})}};
  }
  if (what != "call") throw std::runtime_error("unknown turn " + Quoted(what));
  const json input = json::parse(value.at("arguments").get<std::string>(), nullptr, false);
  const json block = {{"type", "tool_use"},
                      {"id", value.at("id")},
                      {"name", value.at("name")},
                      {"input", input.is_discarded() ? value.at("arguments") : input}};
  return {{"role", "assistant"}, {"content", json::array({block})}};
}

json ResponsesTurn(const json& turn) {
  const auto [what, value] = PartOfTurn(turn);
  if (what == "user" || what == "assistant") return {{"role", what}, {"content", value}};
  if (what == "result") {
    return {{"type", "function_call_output"},
            {"call_id", value.at("id")},
            {"output", value.at("text")}};
  }
  if (what != "call") throw std::runtime_error("unknown turn " + Quoted(what));
  return {{"type", "function_call"},
          {"call_id", value.at("id")},
          {"name", value.at("name")},
          {"arguments", value.at("arguments")}};
}

void AddTurns(Surface surface, const json& ask, json* body) {
  const std::vector<json> turns = TurnsOf(ask);
  const bool has_system = ask.contains("system");
  switch (surface) {
    case Surface::kChat: {
      json messages = json::array();
      if (has_system) messages.push_back({{"role", "system"}, {"content", ask["system"]}});
      for (const json& turn : turns) messages.push_back(ChatTurn(turn));
      (*body)["messages"] = messages;
      return;
    }
    case Surface::kCompletions:
      if (has_system) CannotSay(surface, "system");
      if (ask.contains("turns")) CannotSay(surface, "turns");
      (*body)["prompt"] = ask.value("prompt", json(""));
      return;
    case Surface::kMessages:
      if (has_system) (*body)["system"] = ask["system"];
      for (const json& turn : turns) (*body)["messages"].push_back(MessagesTurn(turn));
      return;
    default:
      if (has_system) (*body)["instructions"] = ask["system"];
      // One turn of text is what most clients send as text.
      if (!ask.contains("turns")) {
        (*body)["input"] = ask.value("prompt", json(""));
        return;
      }
      for (const json& turn : turns) (*body)["input"].push_back(ResponsesTurn(turn));
  }
}

json ToolOf(Surface surface, const json& tool) {
  json one = {{"name", tool.at("name")}};
  if (tool.contains("description")) one["description"] = tool["description"];
  const json parameters = tool.value("parameters", json({{"type", "object"}}));
  if (surface == Surface::kMessages) {
    one["input_schema"] = parameters;
    return one;
  }
  one["parameters"] = parameters;
  if (surface == Surface::kChat) return {{"type", "function"}, {"function", one}};
  one["type"] = "function";
  return one;
}

json ChoiceOf(Surface surface, const json& choice) {
  const bool named = choice.is_object();
  if (surface == Surface::kMessages) {
    if (named) return {{"type", "tool"}, {"name", choice.at("name")}};
    return {{"type", choice == "required" ? json("any") : choice}};
  }
  if (!named) return choice;
  if (surface == Surface::kResponses) return {{"type", "function"}, {"name", choice.at("name")}};
  return {{"type", "function"}, {"function", {{"name", choice.at("name")}}}};
}

void AddTools(Surface surface, const json& ask, json* body) {
  for (const char* key : {"tools", "tool_choice"}) {
    if (surface == Surface::kCompletions && ask.contains(key)) CannotSay(surface, key);
  }
  if (ask.contains("tools")) {
    for (const json& tool : ask["tools"]) (*body)["tools"].push_back(ToolOf(surface, tool));
  }
  if (ask.contains("tool_choice")) (*body)["tool_choice"] = ChoiceOf(surface, ask["tool_choice"]);
}

void AddLimits(Surface surface, const json& ask, json* body) {
  if (ask.contains("max_tokens")) {
    const bool responses = surface == Surface::kResponses;
    (*body)[responses ? "max_output_tokens" : "max_tokens"] = ask["max_tokens"];
  }
  if (ask.contains("temperature")) (*body)["temperature"] = ask["temperature"];
  if (ask.contains("stop")) {
    if (surface == Surface::kResponses) CannotSay(surface, "stop");
    const bool messages = surface == Surface::kMessages;
    (*body)[messages ? "stop_sequences" : "stop"] = json::array({ask["stop"]});
  }
}

}  // namespace

json RenderAsk(Surface surface, const json& ask, const std::string& model, bool streamed) {
  for (const auto& [key, value] : ask.items()) {
    if (std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end()) continue;
    throw std::runtime_error("unknown key " + Quoted(key) + " of a question");
  }
  json body = {{"model", model}};
  AddTurns(surface, ask, &body);
  AddTools(surface, ask, &body);
  AddLimits(surface, ask, &body);
  if (streamed) body["stream"] = true;
  // The other two always tell.
  const bool asks = surface == Surface::kChat || surface == Surface::kCompletions;
  if (streamed && asks && ask.contains("usage")) {
    body["stream_options"] = {{"include_usage", ask["usage"]}};
  }
  return body;
}

}  // namespace parity::wire
