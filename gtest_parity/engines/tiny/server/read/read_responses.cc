// POST /v1/responses.
#include "gtest_parity/engines/tiny/server/read/fields.h"
#include "gtest_parity/engines/tiny/server/read/images.h"
#include "gtest_parity/engines/tiny/server/read/readers.h"
#include "gtest_parity/engines/tiny/server/wire_error.h"

namespace parity::tiny_server {
namespace {

std::string ContentOf(const Json& content, const std::string& role, const std::string& where,
                      Intent& intent) {
  if (content.is_null()) return "";
  if (content.is_string()) return content.get<std::string>();
  if (!content.is_array()) throw Bad(where, "a string or an array of parts");
  std::string text;
  for (const Json& part : content) {
    const Json& type = Get(part, "type");
    if (type == "input_text" || type == "output_text" || type == "summary_text") {
      text += TextOf(part, "text", where);
    } else if (type == "input_image") {
      AddImageUrl(Get(part, "image_url"), role, where, intent);
    } else {
      throw Bad(where, "parts of type input_text, output_text or input_image");
    }
  }
  return text;
}

// Items of the assistant that stand together are one turn: reasoning, what it said, its calls.
Turn& AssistantTurn(Intent& intent) {
  if (intent.turns.empty() || intent.turns.back().role != "assistant") {
    intent.turns.push_back({"assistant", ""});
  }
  return intent.turns.back();
}

void AddMessage(const Json& item, const std::string& where, Intent& intent) {
  std::string role = Has(item, "role") ? TextOf(item, "role", where) : "user";
  if (role == "developer") role = "system";
  const std::string text = ContentOf(Get(item, "content"), role, where + ".content", intent);
  if (role != "assistant") {
    intent.turns.push_back({role, text});
    return;
  }
  AssistantTurn(intent).content += text;
}

void AddItem(const Json& item, const std::string& where, Intent& intent) {
  if (!item.is_object()) throw Bad(where, "an object");
  const Json& status = Get(item, "status");
  if (!status.is_null() && status != "completed") throw Bad(where + ".status", "\"completed\"");
  const Json& type = Get(item, "type");
  if (type.is_null() || type == "message") {
    AddMessage(item, where, intent);
  } else if (type == "reasoning") {
    AssistantTurn(intent).reasoning +=
        ContentOf(Get(item, "summary"), "assistant", where + ".summary", intent);
  } else if (type == "function_call") {
    AssistantTurn(intent).calls.push_back(
        CallOf(Get(item, "call_id"), Get(item, "arguments"), where));
  } else if (type == "function_call_output") {
    intent.turns.push_back({"tool",
                            ContentOf(Get(item, "output"), "tool", where, intent),
                            "",
                            {},
                            TextOf(item, "call_id", where)});
  } else {
    throw Bad(where + ".type", "message, reasoning, function_call or function_call_output");
  }
}

void ReadInput(const Json& body, Intent& intent) {
  const Json& input = Get(body, "input");
  if (input.is_null()) throw WireError(400, "missing input", "input");
  if (input.is_string()) {
    intent.turns.push_back({"user", input.get<std::string>()});
    return;
  }
  if (!input.is_array() || input.empty()) throw Bad("input", "a string or an array of items");
  for (std::size_t i = 0; i < input.size(); ++i) {
    AddItem(input[i], "input[" + std::to_string(i) + "]", intent);
  }
}

// What the answer repeats; decoding is greedy, whatever was asked for.
Json EchoOf(const Json& body, const std::string& choice) {
  const auto or_else = [&](const char* key, Json value) {
    return Has(body, key) ? Get(body, key) : std::move(value);
  };
  return {{"instructions", Get(body, "instructions")},
          {"metadata", or_else("metadata", Json::object())},
          {"parallel_tool_calls", false},
          {"temperature", 0},
          {"tool_choice", choice},
          {"tools", or_else("tools", Json::array())},
          {"top_p", 1},
          {"max_output_tokens", Get(body, "max_output_tokens")},
          {"previous_response_id", nullptr}};
}

void RefuseDurable(const Json& body) {
  for (const char* key : {"previous_response_id", "conversation"}) {
    if (!Has(body, key)) continue;
    throw WireError(400,
                    std::string(key) + ": nothing is kept, expected the whole history as input",
                    key, "unsupported_parameter");
  }
  RefuseUnless(!FlagOf(body, "background"), "background", "false");
}

}  // namespace

void ReadResponses(const Json& body, Intent& intent) {
  RefuseDurable(body);
  RefuseFormat(Get(Get(body, "text"), "format"), "text.format");
  intent.max_tokens = MaxTokensOf(body, {"max_output_tokens", "max_tokens"});
  if (Has(body, "instructions")) {
    intent.turns.push_back({"system", TextOf(body, "instructions", "body")});
  }
  ReadInput(body, intent);
  intent.tells_reasoning = Has(Get(body, "reasoning"), "summary");
  const Json& tools = Get(body, "tools");
  if (!tools.is_null() && !tools.is_array()) throw Bad("tools", "an array");
  std::vector<std::string> names;
  for (const Json& tool : tools) {
    if (Get(tool, "type") != "function") throw Bad("tools", "type function");
    names.push_back(TextOf(tool, "name", "tools"));
  }
  const std::string choice = ToolChoiceOf(body);
  intent.tool = ToolToCall(names, choice, intent);
  intent.echo = EchoOf(body, choice);
}

}  // namespace parity::tiny_server
