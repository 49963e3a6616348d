// POST /v1/messages.
#include "gtest_parity/engines/tiny/server/read/fields.h"
#include "gtest_parity/engines/tiny/server/read/images.h"
#include "gtest_parity/engines/tiny/server/read/readers.h"
#include "gtest_parity/engines/tiny/server/wire_error.h"

namespace parity::tiny_server {
namespace {

// "toolu_" and "call_" name one call.
std::string OwnCallId(const std::string& id) {
  return id.starts_with("toolu_") ? "call_" + id.substr(6) : id;
}

std::string TextOfBlocks(const Json& content, const std::string& where) {
  if (content.is_null()) return "";
  if (content.is_string()) return content.get<std::string>();
  if (!content.is_array()) throw Bad(where, "a string or an array of blocks");
  std::string text;
  for (const Json& block : content) {
    if (Get(block, "type") != "text") throw Bad(where, "blocks of type text");
    const std::string said = TextOf(block, "text", where);
    if (!said.starts_with("x-anthropic-")) text += said;
  }
  return text;
}

// A turn's blocks; results of tools are turns of their own, before the rest of theirs.
class Blocks {
 public:
  Blocks(std::string role, std::string where, Intent& intent)
      : where_(std::move(where)), intent_(intent) {
    turn_.role = std::move(role);
  }

  void Add(const Json& block) {
    const Json& type = Get(block, "type");
    if (type == "text") {
      turn_.content += TextOf(block, "text", where_);
      said_ = true;
    } else if (type == "thinking") {
      turn_.reasoning += TextOf(block, "thinking", where_);
      said_ = true;
    } else if (type == "tool_use") {
      AddCall(block);
    } else if (type == "tool_result") {
      intent_.turns.push_back({"tool",
                               TextOfBlocks(Get(block, "content"), where_ + ".content"),
                               "",
                               {},
                               OwnCallId(TextOf(block, "tool_use_id", where_))});
    } else if (type == "image") {
      AddImageSource(Get(block, "source"), turn_.role, where_ + ".source", intent_);
      said_ = true;
    } else {
      throw Bad(where_, "blocks of type text, thinking, image, tool_use or tool_result");
    }
  }

  void Finish() {
    if (said_) intent_.turns.push_back(turn_);
  }

 private:
  void AddCall(const Json& block) {
    const Json& input = Get(block, "input");
    if (!input.is_object()) throw Bad(where_ + ".input", "an object");
    turn_.calls.push_back({OwnCallId(TextOf(block, "id", where_)), input});
    said_ = true;
  }

  Turn turn_;
  std::string where_;
  Intent& intent_;
  bool said_ = false;
};

void AddTurns(const Json& message, const std::string& where, Intent& intent) {
  if (!message.is_object()) throw Bad(where, "an object");
  const std::string role = Has(message, "role") ? TextOf(message, "role", where) : "user";
  if (role != "user" && role != "assistant") throw Bad(where + ".role", "user or assistant");
  const Json& content = Get(message, "content");
  if (content.is_string()) {
    intent.turns.push_back({role, content.get<std::string>()});
    return;
  }
  if (!content.is_array()) throw Bad(where + ".content", "a string or an array of blocks");
  Blocks blocks(role, where + ".content", intent);
  for (const Json& block : content) blocks.Add(block);
  blocks.Finish();
}

// {type: auto | any | none}, in the words of the other surfaces.
std::string ChoiceOf(const Json& body) {
  const Json& choice = Get(body, "tool_choice");
  if (choice.is_null()) return "auto";
  const Json& type = Get(choice, "type");
  if (type == "auto" || type == "none") return type.get<std::string>();
  if (type == "any") return "required";
  throw WireError(400, "tool_choice: expected type auto, any or none", "tool_choice",
                  "unsupported_parameter");
}

}  // namespace

void ReadMessages(const Json& body, Intent& intent) {
  RefuseFormat(Get(body, "output_format"), "output_format");
  RefuseFormat(Get(Get(body, "output_config"), "format"), "output_config.format");
  intent.max_tokens = MaxTokensOf(body, {"max_tokens"});
  intent.stops = StopsOf(body, "stop_sequences");
  const std::string system = TextOfBlocks(Get(body, "system"), "system");
  if (!system.empty()) intent.turns.push_back({"system", system});
  const Json& messages = Get(body, "messages");
  if (messages.is_null()) throw WireError(400, "missing messages", "messages");
  if (!messages.is_array() || messages.empty()) throw Bad("messages", "an array of messages");
  for (std::size_t i = 0; i < messages.size(); ++i) {
    AddTurns(messages[i], "messages[" + std::to_string(i) + "]", intent);
  }
  const Json& tools = Get(body, "tools");
  if (!tools.is_null() && !tools.is_array()) throw Bad("tools", "an array");
  std::vector<std::string> names;
  for (const Json& tool : tools) names.push_back(TextOf(tool, "name", "tools"));
  intent.tool = ToolToCall(names, ChoiceOf(body), intent);
}

}  // namespace parity::tiny_server
