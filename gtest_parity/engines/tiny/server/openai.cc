#include "gtest_parity/engines/tiny/server/openai.h"

#include <ctime>

namespace parity {
namespace {

using Json = nlohmann::ordered_json;

EngineError Bad(const std::string& words) { return {PARITY_INVALID, words}; }

Json ParseBody(const std::string& body) {
  Json parsed = Json::parse(body, nullptr, false);
  if (!parsed.is_object()) throw Bad("the body is not a JSON object");
  if (parsed.value("stream", Json()) == Json(true)) {
    throw Bad("stream is true, but only whole answers are served");
  }
  return parsed;
}

// {id, type, function: {name, arguments: text}} as {id, name, arguments: object}.
Json CallOf(const Json& call) {
  const Json function = call.is_object() ? call.value("function", Json()) : Json();
  const Json text = function.is_object() ? function.value("arguments", Json()) : Json();
  const Json arguments =
      text.is_string() ? Json::parse(text.get<std::string>(), nullptr, false) : Json();
  if (!arguments.is_object() || !call.value("id", Json()).is_string()) {
    throw Bad("tool_calls: " + call.dump() +
              ", expected \"id\" and \"function.arguments\", an object as text");
  }
  return {{"id", call["id"]}, {"arguments", arguments}};
}

Json MessageOf(const Json& message) {
  if (!message.is_object()) throw Bad("messages: " + message.dump() + ", expected an object");
  Json out = {{"role", message.value("role", Json())}, {"content", ""}};
  if (message.contains("content") && !message["content"].is_null()) {
    out["content"] = message["content"];
  }
  const Json calls = message.value("tool_calls", Json::array());
  if (!calls.is_array()) throw Bad("tool_calls: " + calls.dump() + ", expected an array");
  for (const Json& call : calls) out["tool_calls"].push_back(CallOf(call));
  return out;
}

Json MessagesOf(const Json& body) {
  const Json messages = body.value("messages", Json());
  if (!messages.is_array()) throw Bad("messages: " + messages.dump() + ", expected an array");
  Json out = Json::array();
  for (const Json& message : messages) out.push_back(MessageOf(message));
  return out;
}

Json ChoiceOf(const Json& served, bool chat) {
  Json choice = {{"index", 0}};
  if (!chat) {
    choice["text"] = served["text"];
  } else {
    Json message = {{"role", "assistant"}, {"content", served["text"]}};
    for (const Json& call : served["tool_calls"]) {
      message["tool_calls"].push_back(
          {{"id", call["id"]},
           {"type", "function"},
           {"function", {{"name", call["name"]}, {"arguments", call["arguments"].dump()}}}});
    }
    choice["message"] = message;
  }
  choice["logprobs"] = nullptr;
  choice["finish_reason"] = served["finish"];
  return choice;
}

Json UsageOf(const Json& usage) {
  const auto prompt = usage["prompt"].get<std::uint64_t>();
  const auto output = usage["output"].get<std::uint64_t>();
  return {{"prompt_tokens", prompt},
          {"completion_tokens", output},
          {"total_tokens", prompt + output},
          {"prompt_tokens_details", {{"cached_tokens", usage["cached"]}}}};
}

}  // namespace

std::string ServeRequestOf(const std::string& body, bool chat) {
  const Json parsed = ParseBody(body);
  Json request = parsed.value("parity", Json::object());
  if (!request.is_object()) throw Bad("parity: " + request.dump() + ", expected an object");
  request["do"] = "complete";
  request["surface"] = chat ? "chat" : "completions";
  if (chat) {
    request["messages"] = MessagesOf(parsed);
  } else {
    request["prompt"] = parsed.value("prompt", Json());
  }
  if (parsed.contains("max_tokens")) request["max_tokens"] = parsed["max_tokens"];
  const Json tools = parsed.value("tools", Json::array());
  if (chat && tools.is_array() && !tools.empty()) request["tools"] = true;
  return request.dump();
}

std::string CompletionOf(const std::string& served, const std::string& model, bool chat,
                         std::uint64_t number) {
  const Json answer = Json::parse(served);
  Json out;
  out["id"] = (chat ? "chatcmpl-" : "cmpl-") + std::to_string(number);
  out["object"] = chat ? "chat.completion" : "text_completion";
  out["created"] = static_cast<std::int64_t>(std::time(nullptr));
  out["model"] = model;
  out["choices"] = Json::array({ChoiceOf(answer, chat)});
  out["usage"] = UsageOf(answer["usage"]);
  for (const char* key : {"ids", "usage", "route", "restored", "ran", "events"}) {
    out["parity"][key] = answer[key];
  }
  return out.dump();
}

HttpError HttpErrorOf(const EngineError& error) {
  const bool clients = error.status() == PARITY_INVALID || error.status() == PARITY_REFUSED;
  const Json body = {{"error",
                      {{"message", error.what()},
                       {"type", clients ? "invalid_request_error" : "server_error"},
                       {"code", NameOf(error.status())}}}};
  return {clients ? 400 : 500, body.dump()};
}

}  // namespace parity
