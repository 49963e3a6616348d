#include "suites/wire/machines/symbols.h"

#include <algorithm>
#include <array>

#include "suites/wire/answers/json_parts.h"

namespace parity::wire {
namespace {

using nlohmann::json;

bool HasText(const json& value, const char* key) { return !TextIn(value, key).empty(); }

constexpr std::array<std::string_view, 8> kMessagesEvents = {"message_start",
                                                             "content_block_start",
                                                             "content_block_delta",
                                                             "content_block_stop",
                                                             "message_delta",
                                                             "message_stop",
                                                             "ping",
                                                             "error"};

struct ResponsesEvent {
  std::string_view type, symbol;
};

constexpr ResponsesEvent kResponsesEvents[] = {
    {"response.created", "created"},
    {"response.queued", "queued"},
    {"response.in_progress", "in_progress"},
    {"response.output_item.added", "item_added"},
    {"response.output_item.done", "item_done"},
    {"response.content_part.added", "part_added"},
    {"response.content_part.done", "part_done"},
    {"response.reasoning_summary_part.added", "part_added"},
    {"response.reasoning_summary_part.done", "part_done"},
    {"response.output_text.delta", "text_delta"},
    {"response.output_text.done", "text_done"},
    {"response.refusal.delta", "text_delta"},
    {"response.refusal.done", "text_done"},
    {"response.reasoning_text.delta", "text_delta"},
    {"response.reasoning_text.done", "text_done"},
    {"response.reasoning_summary_text.delta", "text_delta"},
    {"response.reasoning_summary_text.done", "text_done"},
    {"response.function_call_arguments.delta", "arguments_delta"},
    {"response.function_call_arguments.done", "arguments_done"},
    {"response.completed", "completed"},
    {"response.incomplete", "incomplete"},
    {"response.failed", "failed"},
    {"error", "error"},
};

}  // namespace

std::string_view ChunkSymbol(const StreamEvent& event) {
  if (event.is_done) return "done";
  if (Holds(event.data, "error")) return "error";
  const json& choices = PartOf(event.data, "choices");
  if (!choices.is_array()) return "";
  if (!choices.empty()) return "chunk";
  return PartOf(event.data, "usage").is_object() ? "usage" : "";
}

std::vector<std::string_view> ChoiceSymbols(const json& choice) {
  std::vector<std::string_view> symbols;
  const json& delta = PartOf(choice, "delta");
  if (HasText(delta, "role")) symbols.push_back("role");
  if (HasText(delta, "reasoning_content") || HasText(delta, "reasoning")) {
    symbols.push_back("reasoning");
  }
  if (HasText(delta, "content") || HasText(choice, "text")) symbols.push_back("text");
  if (HasText(delta, "refusal")) symbols.push_back("refusal");
  if (PartOf(delta, "tool_calls").is_array() && !PartOf(delta, "tool_calls").empty()) {
    symbols.push_back("calls");
  }
  if (HasText(choice, "finish_reason")) symbols.push_back("finish");
  return symbols;
}

std::string_view MessagesSymbol(const StreamEvent& event) {
  if (event.is_done) return "done";
  const std::string type = TextIn(event.data, "type");
  const auto* found = std::find(kMessagesEvents.begin(), kMessagesEvents.end(), type);
  return found == kMessagesEvents.end() ? std::string_view() : *found;
}

std::string_view ResponsesSymbol(const StreamEvent& event) {
  if (event.is_done) return "done";
  const std::string type = TextIn(event.data, "type");
  for (const ResponsesEvent& known : kResponsesEvents) {
    if (known.type == type) return known.symbol;
  }
  return "";
}

}  // namespace parity::wire
