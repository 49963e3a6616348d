#include <map>

#include "suites/wire/answers/error_of.h"
#include "suites/wire/answers/finish.h"
#include "suites/wire/answers/json_parts.h"
#include "suites/wire/answers/read_answer.h"
#include "suites/wire/answers/usage.h"

namespace parity::wire {
namespace {

using nlohmann::json;

// What parts with an index come to, in the order of their indexes.
template <typename Value>
std::vector<Value> InOrder(const std::map<std::int64_t, Value>& parts) {
  std::vector<Value> values;
  for (const auto& [index, value] : parts) values.push_back(value);
  return values;
}

class ChunkFolder {
 public:
  void Take(const json& chunk) {
    if (answer_.id.empty()) {
      answer_.id = TextIn(chunk, "id");
      answer_.model = TextIn(chunk, "model");
      answer_.created = CountIn(chunk, "created");
    }
    if (auto usage = UsageOf(Surface::kChat, PartOf(chunk, "usage"))) answer_.usage = usage;
    const json& choices = PartOf(chunk, "choices");
    for (std::size_t i = 0; i < choices.size(); ++i) TakeChoice(ElementOf(choices, i));
  }

  Answer End() {
    for (auto& [index, folded] : choices_) {
      folded.choice.calls = InOrder(folded.calls);
      answer_.choices.push_back(folded.choice);
    }
    return std::move(answer_);
  }

 private:
  struct Folded {
    Choice choice;
    std::map<std::int64_t, ToolCall> calls;
  };

  void TakeChoice(const json& choice) {
    Folded& folded = choices_[CountIn(choice, "index").value_or(0)];
    const json& delta = PartOf(choice, "delta");
    folded.choice.text += TextIn(choice, "text") + TextIn(delta, "content");
    folded.choice.refusal += TextIn(delta, "refusal");
    const std::string reasoning = TextIn(delta, "reasoning_content");
    folded.choice.reasoning += reasoning.empty() ? TextIn(delta, "reasoning") : reasoning;
    const json& calls = PartOf(delta, "tool_calls");
    for (std::size_t i = 0; i < calls.size(); ++i) TakeCall(ElementOf(calls, i), folded);
    const std::string reason = TextIn(choice, "finish_reason");
    if (reason.empty()) return;
    folded.choice.reason = reason;
    folded.choice.finish = FinishOfReason(reason);
  }

  static void TakeCall(const json& delta, Folded& folded) {
    ToolCall& call = folded.calls[CountIn(delta, "index").value_or(0)];
    const json& function = PartOf(delta, "function");
    call.id += TextIn(delta, "id");
    call.name += TextIn(function, "name");
    call.arguments += TextIn(function, "arguments");
  }

  Answer answer_;
  std::map<std::int64_t, Folded> choices_;
};

class MessageFolder {
 public:
  void Take(const json& event) {
    const std::string type = TextIn(event, "type");
    if (type == "message_start") {
      const json& message = PartOf(event, "message");
      answer_.id = TextIn(message, "id");
      answer_.model = TextIn(message, "model");
      usage_ = PartOf(message, "usage");
    } else if (type == "content_block_start") {
      TakeStart(PartOf(event, "content_block"), blocks_[Index(event)]);
    } else if (type == "content_block_delta") {
      TakeDelta(PartOf(event, "delta"), blocks_[Index(event)]);
    } else if (type == "message_delta") {
      const json& delta = PartOf(event, "delta");
      reason_ = TextIn(delta, "stop_reason");
      answer_.stop_string = TextIn(delta, "stop_sequence");
      // Its counts are of the whole message: they take the place of earlier ones.
      if (PartOf(event, "usage").is_object()) {
        if (!usage_.is_object()) usage_ = json::object();
        usage_.update(PartOf(event, "usage"));
      }
    }
  }

  Answer End() {
    Choice of;
    for (const auto& [index, block] : blocks_) {
      of.text += block.text;
      of.reasoning += block.thinking;
      // Nothing sent stands for no arguments.
      if (block.is_call) {
        of.calls.push_back({block.id, block.name, block.input.empty() ? "{}" : block.input});
      }
    }
    of.reason = reason_;
    of.finish = FinishOfStopReason(reason_);
    answer_.choices = {of};
    answer_.usage = UsageOf(Surface::kMessages, usage_);
    return std::move(answer_);
  }

 private:
  struct Block {
    bool is_call = false;
    std::string text, thinking, id, name, input;
  };

  static std::int64_t Index(const json& event) { return CountIn(event, "index").value_or(0); }

  static void TakeStart(const json& start, Block& block) {
    block.is_call = TextIn(start, "type") == "tool_use";
    block.text += TextIn(start, "text");
    block.thinking += TextIn(start, "thinking");
    block.id = TextIn(start, "id");
    block.name = TextIn(start, "name");
  }

  static void TakeDelta(const json& delta, Block& block) {
    block.text += TextIn(delta, "text");
    block.thinking += TextIn(delta, "thinking");
    block.input += TextIn(delta, "partial_json");
  }

  Answer answer_;
  json usage_;
  std::string reason_;
  std::map<std::int64_t, Block> blocks_;
};

class ResponseFolder {
 public:
  void Take(const json& event) {
    const std::string type = TextIn(event, "type");
    if (type.starts_with("response.") && PartOf(event, "response").is_object()) {
      last_ = PartOf(event, "response");
      return;
    }
    Item& item = items_[CountIn(event, "output_index").value_or(0)];
    if (type == "response.output_item.added") {
      item.type = TextIn(PartOf(event, "item"), "type");
      item.call = {TextIn(PartOf(event, "item"), "call_id"), TextIn(PartOf(event, "item"), "name"),
                   ""};
    } else if (type == "response.output_item.done") {
      // Some servers send a call whole, and no delta of it.
      if (item.call.arguments.empty()) {
        item.call.arguments = TextIn(PartOf(event, "item"), "arguments");
      }
    } else if (type.ends_with(".delta")) {
      const std::string delta = TextIn(event, "delta");
      if (type == "response.output_text.delta") item.text += delta;
      if (type == "response.refusal.delta") item.refusal += delta;
      if (type == "response.function_call_arguments.delta") item.call.arguments += delta;
      if (type.starts_with("response.reasoning")) item.reasoning += delta;
    }
  }

  Answer End() {
    Answer answer;
    answer.id = TextIn(last_, "id");
    answer.model = TextIn(last_, "model");
    answer.created = CountIn(last_, "created_at");
    answer.usage = UsageOf(Surface::kResponses, PartOf(last_, "usage"));
    Choice of;
    for (const auto& [index, item] : items_) {
      of.text += item.text;
      of.refusal += item.refusal;
      of.reasoning += item.reasoning;
      if (item.type == "function_call") of.calls.push_back(item.call);
    }
    of.reason = TextIn(last_, "status");
    of.finish = FinishOfStatus(of.reason, TextIn(PartOf(last_, "incomplete_details"), "reason"),
                               !of.calls.empty());
    answer.choices = {of};
    return answer;
  }

 private:
  struct Item {
    std::string type, text, refusal, reasoning;
    ToolCall call;
  };

  json last_;
  std::map<std::int64_t, Item> items_;
};

template <typename Folder>
Answer Fold(const std::vector<StreamEvent>& events) {
  Folder folder;
  std::optional<AnswerError> error;
  for (const StreamEvent& event : events) {
    if (event.data.is_null()) continue;
    if (!error) error = AnswerErrorOf(event.data);
    folder.Take(event.data);
  }
  Answer answer = folder.End();
  answer.error = error;
  return answer;
}

}  // namespace

Answer AnswerOfStream(Surface surface, const std::vector<StreamEvent>& events) {
  if (surface == Surface::kMessages) return Fold<MessageFolder>(events);
  if (surface == Surface::kResponses) return Fold<ResponseFolder>(events);
  return Fold<ChunkFolder>(events);
}

const json& FinalObjectOf(const std::vector<StreamEvent>& events) {
  static const json nothing;
  for (const StreamEvent& event : events) {
    const std::string type = TextIn(event.data, "type");
    if (type == "response.completed" || type == "response.incomplete" ||
        type == "response.failed") {
      return PartOf(event.data, "response");
    }
  }
  return nothing;
}

}  // namespace parity::wire
