#include "gtest_parity/engines/tiny/serve/request.h"

#include "gtest_parity/engines/tiny/json_fields.h"

namespace parity::tiny {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kWhere[] = "request";

bool IsSecond(const Json& request, const char* key, const char* first, const char* second) {
  const std::string value = FindText(request, key, kWhere).value_or(first);
  if (value == first) return false;
  if (value == second) return true;
  throw Invalid(std::string(kWhere) + "." + key + " is \"" + value + "\", expected \"" + first +
                "\" or \"" + second + "\"");
}

int DigitOf(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return -1;
}

std::string BytesOfHex(const Json& value, const std::string& where) {
  const std::string text = value.is_string() ? value.get<std::string>() : "?";
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = DigitOf(text[i]), low = i + 1 < text.size() ? DigitOf(text[i + 1]) : -1;
    if (high < 0 || low < 0) {
      throw Invalid(where + " is " + value.dump() + ", expected pairs of 0-9a-f");
    }
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

ToolCall ParseCall(const Json& call, const std::string& where) {
  if (!call.is_object()) throw Invalid(where + " is " + call.dump() + ", expected an object");
  CheckKeys(call, where, {"id", "name", "arguments"});
  const auto id = FindText(call, "id", where);
  const auto arguments = Find<Json>(call, "arguments", &Json::is_object, "an object", where);
  if (!id || !arguments) throw Invalid(where + ": expected \"id\" and \"arguments\"");
  return {*id, *arguments};
}

ChatMessage ParseMessage(const Json& message, const std::string& where) {
  if (!message.is_object()) throw Invalid(where + " is " + message.dump() + ", expected an object");
  CheckKeys(message, where, {"role", "content", "tool_calls"});
  const auto role = FindText(message, "role", where);
  const auto content = FindText(message, "content", where);
  if (!role || !content) throw Invalid(where + ": expected \"role\" and \"content\"");
  ChatMessage parsed{*role, *content, {}};
  const auto calls = Find<Json>(message, "tool_calls", &Json::is_array, "an array", where);
  for (std::size_t i = 0; calls && i < calls->size(); ++i) {
    parsed.calls.push_back(
        ParseCall((*calls)[i], where + ".tool_calls[" + std::to_string(i) + "]"));
  }
  if (!parsed.calls.empty() && *role != "assistant") {
    throw Invalid(where + ".tool_calls: expected of role \"assistant\" only");
  }
  return parsed;
}

void ParsePrompt(const Json& request, ServeRequest& parsed) {
  const auto prompt = FindText(request, "prompt", kWhere);
  const auto messages = Find<Json>(request, "messages", &Json::is_array, "an array", kWhere);
  if (parsed.chat ? !messages || prompt : !prompt || messages) {
    throw Invalid(std::string(kWhere) + ": expected \"" + (parsed.chat ? "messages" : "prompt") +
                  "\" alone on surface \"" + parsed.surface() + "\"");
  }
  parsed.prompt = prompt.value_or("");
  for (std::size_t i = 0; messages && i < messages->size(); ++i) {
    parsed.messages.push_back(
        ParseMessage((*messages)[i], "request.messages[" + std::to_string(i) + "]"));
  }
}

}  // namespace

Json ParseObject(const char* text) {
  Json request = Json::parse(text == nullptr ? "" : text, nullptr, false);
  if (!request.is_object()) throw Invalid("request is not a JSON object");
  return request;
}

std::string DoOf(const Json& request) {
  const auto what = FindText(request, "do", kWhere);
  if (!what) throw Invalid("request.do is missing, expected what to do");
  return *what;
}

ServeRequest ParseServeRequest(const Json& request) {
  const bool restores = DoOf(request) == "restore";
  std::vector<std::string> known = {"do",    "surface", "lane", "prompt",     "messages",
                                    "think", "tools",   "pin",  "attachments"};
  for (const char* key :
       {"max_tokens", "logits", "ignore_end", "think_tokens", "call_tokens", "forced"}) {
    if (!restores) known.emplace_back(key);
  }
  if (restores) known.emplace_back("key");
  CheckKeys(request, kWhere, known);
  ServeRequest parsed;
  parsed.chat = IsSecond(request, "surface", "completions", "chat");
  parsed.continuous = IsSecond(request, "lane", "serial", "continuous");
  ParsePrompt(request, parsed);
  parsed.think = FindFlag(request, "think", kWhere).value_or(true);
  parsed.tools = FindFlag(request, "tools", kWhere).value_or(false);
  parsed.pin = FindFlag(request, "pin", kWhere).value_or(false);
  parsed.ignore_end = FindFlag(request, "ignore_end", kWhere).value_or(false);
  const auto files = Find<Json>(request, "attachments", &Json::is_array, "an array", kWhere);
  for (std::size_t i = 0; files && i < files->size(); ++i) {
    const std::string where = "request.attachments[" + std::to_string(i) + "]";
    parsed.attachments.push_back(BytesOfHex((*files)[i], where));
  }
  parsed.max_tokens = FindWhole(request, "max_tokens", kWhere).value_or(parsed.max_tokens);
  parsed.think_tokens = FindWhole(request, "think_tokens", kWhere).value_or(0);
  parsed.call_tokens = FindWhole(request, "call_tokens", kWhere).value_or(0);
  parsed.forced = FindText(request, "forced", kWhere).value_or("");
  if (parsed.think_tokens != 0 && !(parsed.chat && parsed.think)) {
    throw Invalid("request.think_tokens: expected on surface \"chat\", and not without \"think\"");
  }
  parsed.logits = FindText(request, "logits", kWhere).value_or("");
  parsed.key = FindText(request, "key", kWhere).value_or("");
  return parsed;
}

std::vector<std::uint64_t> ParseGenerations(const Json& request) {
  CheckKeys(request, kWhere, {"do", "generations"});
  const auto numbers = Find<Json>(request, "generations", &Json::is_array, "an array", kWhere);
  if (!numbers || numbers->empty()) {
    throw Invalid("request.generations: expected the numbers that \"open\" answered");
  }
  std::vector<std::uint64_t> parsed;
  for (const Json& number : *numbers) {
    const std::uint64_t value = number.is_number_unsigned() ? number.get<std::uint64_t>() : 0;
    if (value == 0 || std::find(parsed.begin(), parsed.end(), value) != parsed.end()) {
      throw Invalid("request.generations: " + number.dump() +
                    ", expected numbers that \"open\" answered, each once");
    }
    parsed.push_back(value);
  }
  return parsed;
}

}  // namespace parity::tiny
