// POST /v1/chat/completions and /v1/completions.
#include "gtest_parity/engines/tiny/server/read/fields.h"
#include "gtest_parity/engines/tiny/server/read/images.h"
#include "gtest_parity/engines/tiny/server/read/readers.h"
#include "gtest_parity/engines/tiny/server/wire_error.h"

namespace parity::tiny_server {
namespace {

// A string, null, or parts.
std::string ContentOf(const Json& content, const std::string& role, const std::string& where,
                      Intent& intent) {
  if (content.is_null()) return "";
  if (content.is_string()) return content.get<std::string>();
  if (!content.is_array()) throw Bad(where, "a string or an array of parts");
  std::string text;
  for (const Json& part : content) {
    const Json& type = Get(part, "type");
    if (type == "text") {
      text += TextOf(part, "text", where);
    } else if (type == "image_url") {
      AddImageUrl(Get(Get(part, "image_url"), "url"), role, where, intent);
    } else {
      throw Bad(where, "parts of type text or image_url");
    }
  }
  return text;
}

Turn TurnOf(const Json& message, const std::string& where, Intent& intent) {
  if (!message.is_object()) throw Bad(where, "an object");
  Turn turn;
  turn.role = Has(message, "role") ? TextOf(message, "role", where) : "user";
  if (turn.role == "developer") turn.role = "system";
  turn.content = ContentOf(Get(message, "content"), turn.role, where + ".content", intent);
  if (turn.role == "tool" && Has(message, "tool_call_id")) {
    turn.call_id = TextOf(message, "tool_call_id", where);
  }
  if (Has(message, "reasoning_content")) {
    turn.reasoning = TextOf(message, "reasoning_content", where);
  }
  const Json& calls = Get(message, "tool_calls");
  if (!calls.is_null() && !calls.is_array()) throw Bad(where + ".tool_calls", "an array");
  for (const Json& call : calls) {
    turn.calls.push_back(
        CallOf(Get(call, "id"), Get(Get(call, "function"), "arguments"), where + ".tool_calls"));
  }
  return turn;
}

std::vector<std::string> ToolNamesOf(const Json& tools) {
  if (!tools.is_null() && !tools.is_array()) throw Bad("tools", "an array");
  std::vector<std::string> names;
  for (const Json& tool : tools) {
    const Json& name = Get(Get(tool, "function"), "name");
    names.push_back(name.is_string() ? name.get<std::string>() : "pair_values");
  }
  return names;
}

void ReadOfOpenAi(const Json& body, Intent& intent) {
  const Json& n = Get(body, "n");
  RefuseUnless(n.is_null() || n == 1, "n", "1");
  const Json& logprobs = Get(body, "logprobs");
  RefuseUnless(logprobs.is_null() || logprobs == false, "logprobs", "none");
  RefuseFormat(Get(body, "response_format"), "response_format");
  intent.include_usage = FlagOf(Get(body, "stream_options"), "include_usage");
  intent.max_tokens = MaxTokensOf(body, {"max_completion_tokens", "max_tokens"});
  intent.stops = StopsOf(body, "stop");
}

}  // namespace

void ReadChat(const Json& body, Intent& intent) {
  ReadOfOpenAi(body, intent);
  const Json& messages = Get(body, "messages");
  if (messages.is_null()) throw WireError(400, "missing messages", "messages");
  if (!messages.is_array() || messages.empty()) throw Bad("messages", "an array of messages");
  for (std::size_t i = 0; i < messages.size(); ++i) {
    intent.turns.push_back(TurnOf(messages[i], "messages[" + std::to_string(i) + "]", intent));
  }
  intent.tool = ToolToCall(ToolNamesOf(Get(body, "tools")), ToolChoiceOf(body), intent);
}

void ReadCompletions(const Json& body, Intent& intent) {
  ReadOfOpenAi(body, intent);
  RefuseUnless(!Has(body, "suffix"), "suffix", "none");
  RefuseUnless(!FlagOf(body, "echo"), "echo", "false");
  Json prompt = Get(body, "prompt");
  if (prompt.is_null()) throw WireError(400, "missing prompt", "prompt");
  if (prompt.is_array() && prompt.size() == 1) prompt = Json(prompt[0]);
  if (!prompt.is_string()) throw Bad("prompt", "a string, or an array of one");
  intent.prompt = prompt.get<std::string>();
}

}  // namespace parity::tiny_server
