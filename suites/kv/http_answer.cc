#include "suites/kv/http_answer.h"

#include <stdexcept>

#include "suites/kv/server.h"

namespace parity::kv {
namespace {

using nlohmann::json;

// Fields of a request that the surface has none for.
constexpr const char* kExtensions[] = {"lane", "think",       "ignore_end",
                                       "pin",  "attachments", "logits"};

json FunctionCall(const json& call) {
  json function = {{"arguments", call.at("arguments").dump()}};
  function["name"] = call.value("name", "pair_values");
  return {{"id", call.at("id")}, {"type", "function"}, {"function", function}};
}

json MessagesOf(const json& request) {
  json messages = json::array();
  for (const json& message : request.at("messages")) {
    json& out = messages.emplace_back(message);
    if (!message.contains("tool_calls")) continue;
    out["tool_calls"] = json::array();
    for (const json& call : message.at("tool_calls"))
      out["tool_calls"].push_back(FunctionCall(call));
  }
  return messages;
}

// The one tool of docs/serving.md.
json Tools() {
  const json text = {{"type", "string"}};
  const json parameters = {
      {"type", "object"}, {"properties", {{"a", text}, {"b", text}}}, {"required", {"a", "b"}}};
  return json::array({{{"type", "function"},
                       {"function", {{"name", "pair_values"}, {"parameters", parameters}}}}});
}

// The value at `pointer`, or null.
json At(const json& value, const char* pointer) {
  const json::json_pointer path(pointer);
  return value.contains(path) ? value.at(path) : json();
}

json ServedCallOf(const json& call) {
  const json text = At(call, "/function/arguments");
  const json arguments =
      text.is_string() ? json::parse(text.get<std::string>(), nullptr, false) : json();
  if (!arguments.is_object()) {
    throw std::runtime_error("tool_calls: function.arguments: got " + text.dump() +
                             ", expected the text of a JSON object");
  }
  return {{"id", At(call, "/id")}, {"name", At(call, "/function/name")}, {"arguments", arguments}};
}

class AnswerReader {
 public:
  AnswerReader(const json& body, bool chat) : body_(body), chat_(chat) {}

  json Read() {
    ReadChoice();
    ReadUsage();
    for (const char* name : {"ids", "route", "ran", "events"}) {
      const json told = At(body_, (std::string("/parity/") + name).c_str());
      if (told.is_null()) {
        untold_.push_back(name);
      } else {
        answer_[name] = told;
      }
    }
    // Here null is an answer: nothing was.
    if (body_.contains(json::json_pointer("/parity/restored"))) {
      answer_["restored"] = body_.at("parity").at("restored");
    } else {
      untold_.push_back("restored");
    }
    answer_["untold"] = untold_;
    return answer_;
  }

 private:
  void ReadChoice() {
    const json choice = At(body_, "/choices/0");
    if (!choice.is_object()) throw std::runtime_error("choices[0] is missing");
    const json text = At(choice, chat_ ? "/message/content" : "/text");
    answer_["text"] = text.is_null() && chat_ ? json("") : text;
    answer_["finish"] = At(choice, "/finish_reason");
    answer_["tool_calls"] = json::array();
    const json calls = At(choice, "/message/tool_calls");
    for (const json& call : calls) answer_["tool_calls"].push_back(ServedCallOf(call));
  }

  void ReadUsage() {
    Count("prompt", {"/usage/prompt_tokens", "/parity/usage/prompt"}, true);
    Count("output", {"/usage/completion_tokens", "/parity/usage/output"}, true);
    Count("cached", {"/usage/prompt_tokens_details/cached_tokens", "/parity/usage/cached"}, false);
    Count("computed", {"/parity/usage/computed"}, false);
  }

  void Count(const char* name, const std::vector<const char*>& places, bool needed) {
    for (const char* place : places) {
      const json count = At(body_, place);
      if (count.is_null()) continue;
      if (!count.is_number_unsigned()) {
        throw std::runtime_error(std::string(place) + ": got " + count.dump() +
                                 ", expected a count");
      }
      answer_["usage"][name] = count;
      return;
    }
    if (needed) throw std::runtime_error(std::string(places.front()) + " is missing");
    untold_.push_back(name);
  }

  const json& body_;
  bool chat_;
  json answer_ = json::object();
  json untold_ = json::array();
};

}  // namespace

HttpRequest HttpRequestOf(const json& request, const std::string& model) {
  const std::string what = request.value("do", "complete");
  if (what != "complete") {
    throw NotAskable("a server is asked nothing but completions over HTTP, and this is \"" + what +
                     "\"");
  }
  const bool chat = request.value("surface", "completions") == "chat";
  HttpRequest http;
  http.path = chat ? "/v1/chat/completions" : "/v1/completions";
  http.body = {{"model", model}, {"temperature", 0}};
  http.body["max_tokens"] = request.value("max_tokens", json(16));
  if (chat) {
    http.body["messages"] = MessagesOf(request);
  } else {
    http.body["prompt"] = request.at("prompt");
  }
  if (request.value("tools", false)) http.body["tools"] = Tools();
  // A server may choose a lane for what names none; the default of docs/serving.md is named.
  http.body["parity"] = {{"lane", request.value("lane", "serial")}};
  for (const char* name : kExtensions) {
    if (request.contains(name)) http.body["parity"][name] = request.at(name);
  }
  return http;
}

json ServedAnswerOf(const std::string& body, bool chat) {
  const std::string what = std::string("no ") + (chat ? "chat completion" : "completion") + ": ";
  const json whole = json::parse(body, nullptr, false);
  try {
    if (!whole.is_object()) throw std::runtime_error("no JSON object");
    return AnswerReader(whole, chat).Read();
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(what + error.what() + ": " + body.substr(0, 200));
  }
}

}  // namespace parity::kv
