// response, and the events of its stream: items, one after the other.
#include "gtest_parity/engines/tiny/server/reference/names.h"

namespace parity::tiny_server::reference {
namespace {

Json Updated(Json object, const Json& fields) {
  object.update(fields);
  return object;
}

class Responses : public Projector {
 public:
  explicit Responses(const AnswerHead& head) : head_(head) {}

  std::vector<Frame> Begin() override {
    frames_.clear();
    Emit("response.created", {{"response", Envelope("in_progress")}});
    Emit("response.in_progress", {{"response", Envelope("in_progress")}});
    return frames_;
  }

  std::vector<Frame> On(const TapeEvent& event) override {
    frames_.clear();
    switch (event.kind) {
      case TapeEvent::Kind::kReasoning:
        if (!head_.tells_reasoning) break;
        Enter(Item::kReasoning);
        text_ += event.text;
        Emit("response.reasoning_summary_text.delta", At("summary_index", {{"delta", event.text}}));
        break;
      case TapeEvent::Kind::kText:
        Enter(Item::kMessage);
        text_ += event.text;
        Emit("response.output_text.delta",
             At("content_index", {{"delta", event.text}, {"logprobs", Json::array()}}));
        break;
      case TapeEvent::Kind::kCall:
        AddCall(event.call);
        break;
      case TapeEvent::Kind::kEnd:
        End(event.ending);
        break;
      case TapeEvent::Kind::kFailure:
        Fail(*event.error);
        break;
    }
    return frames_;
  }

  Json Whole(const Tape& tape) override {
    Begin();
    for (const TapeEvent& event : tape) On(event);
    return answer_;
  }

 private:
  enum class Item { kNone, kReasoning, kMessage };

  void Emit(const char* type, const Json& fields) {
    Json data = {{"type", type}, {"sequence_number", sequence_++}};
    data.update(fields);
    frames_.push_back({type, data});
  }

  Json Envelope(const char* status) const {
    Json response = {{"id", "resp_" + head_.digits},
                     {"object", "response"},
                     {"created_at", head_.created},
                     {"status", status},
                     {"error", nullptr},
                     {"incomplete_details", nullptr},
                     {"model", head_.model},
                     {"output", output_}};
    response.update(head_.echo);
    return response;
  }

  // Of the open item's part.
  Json At(const char* index, const Json& fields) const {
    Json where = {{"item_id", ItemId()}, {"output_index", output_.size()}, {index, 0}};
    where.update(fields);
    return where;
  }

  std::string ItemId() const { return (item_ == Item::kReasoning ? "rs_" : "msg_") + head_.digits; }

  Json Part(const std::string& text) const {
    if (item_ == Item::kReasoning) return {{"type", "summary_text"}, {"text", text}};
    return {{"type", "output_text"},
            {"text", text},
            {"annotations", Json::array()},
            {"logprobs", Json::array()}};
  }

  Json ItemObject(const char* status, const Json& parts) const {
    if (item_ == Item::kReasoning) {
      return {{"id", ItemId()}, {"type", "reasoning"}, {"summary", parts}, {"status", status}};
    }
    return {{"id", ItemId()},
            {"type", "message"},
            {"status", status},
            {"role", "assistant"},
            {"content", parts}};
  }

  void Enter(Item item) {
    if (item_ == item) return;
    Leave("completed");
    item_ = item;
    Emit("response.output_item.added",
         {{"output_index", output_.size()}, {"item", ItemObject("in_progress", Json::array())}});
    const bool summary = item == Item::kReasoning;
    Emit(summary ? "response.reasoning_summary_part.added" : "response.content_part.added",
         At(summary ? "summary_index" : "content_index", {{"part", Part("")}}));
  }

  void Leave(const char* status) {
    if (item_ == Item::kNone) return;
    const bool summary = item_ == Item::kReasoning;
    const char* index = summary ? "summary_index" : "content_index";
    Json text = {{"text", text_}};
    if (!summary) text["logprobs"] = Json::array();
    Emit(summary ? "response.reasoning_summary_text.done" : "response.output_text.done",
         At(index, text));
    Emit(summary ? "response.reasoning_summary_part.done" : "response.content_part.done",
         At(index, {{"part", Part(text_)}}));
    const Json item = ItemObject(status, Json::array({Part(text_)}));
    Emit("response.output_item.done", {{"output_index", output_.size()}, {"item", item}});
    output_.push_back(item);
    item_ = Item::kNone;
    text_.clear();
  }

  void AddCall(const Call& call) {
    Leave("completed");
    const std::string id = "fc_" + head_.digits;
    const Json at = {{"item_id", id}, {"output_index", output_.size()}};
    Json item = {{"id", id},           {"type", "function_call"}, {"status", "in_progress"},
                 {"call_id", call.id}, {"name", call.name},       {"arguments", ""}};
    Emit("response.output_item.added", {{"output_index", output_.size()}, {"item", item}});
    Emit("response.function_call_arguments.delta", Updated(at, {{"delta", call.arguments}}));
    Emit("response.function_call_arguments.done",
         Updated(at, {{"arguments", call.arguments}, {"name", call.name}}));
    item["status"] = "completed";
    item["arguments"] = call.arguments;
    Emit("response.output_item.done", {{"output_index", output_.size()}, {"item", item}});
    output_.push_back(item);
  }

  void End(const Ending& ending) {
    const bool cut = ending.finish == Finish::kLength;
    const bool closed = item_ == Item::kReasoning ? ending.reasoning_closed : !cut;
    Leave(closed ? "completed" : "incomplete");
    answer_ = Envelope(cut ? "incomplete" : "completed");
    if (cut) answer_["incomplete_details"] = {{"reason", "max_output_tokens"}};
    const Usage& usage = ending.usage;
    answer_["usage"] = {{"input_tokens", usage.prompt},
                        {"input_tokens_details", {{"cached_tokens", usage.cached}}},
                        {"output_tokens", usage.output},
                        {"output_tokens_details", {{"reasoning_tokens", usage.reasoning}}},
                        {"total_tokens", usage.prompt + usage.output}};
    Emit(cut ? "response.incomplete" : "response.completed", {{"response", answer_}});
  }

  void Fail(const WireError& error) {
    const Json code = error.code.empty() ? "server_error" : error.code;
    Emit("error", {{"code", code},
                   {"message", error.what()},
                   {"param", error.param.empty() ? Json() : Json(error.param)}});
  }

  AnswerHead head_;
  std::vector<Frame> frames_;
  Json output_ = Json::array();
  Json answer_;
  Item item_ = Item::kNone;  // the open one
  std::string text_;         // of it
  int sequence_ = 0;
};

}  // namespace

std::unique_ptr<Projector> MakeResponses(const AnswerHead& head) {
  return std::make_unique<Responses>(head);
}

}  // namespace parity::tiny_server::reference
