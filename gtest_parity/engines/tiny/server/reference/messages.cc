// message, and the events of its stream: blocks, one after the other.
#include "gtest_parity/engines/tiny/server/reference/names.h"

namespace parity::tiny_server::reference {
namespace {

class Messages : public Projector {
 public:
  explicit Messages(const AnswerHead& head) : head_(head) {}

  std::vector<Frame> Begin() override {
    Json message = Envelope(Json::array(), nullptr, nullptr);
    message["usage"] = InputUsage(head_.usage);
    message["usage"]["output_tokens"] = 0;
    return {Event("message_start", {{"message", message}})};
  }

  std::vector<Frame> On(const TapeEvent& event) override {
    frames_.clear();
    switch (event.kind) {
      case TapeEvent::Kind::kReasoning:
        Enter("thinking", {{"type", "thinking"}, {"thinking", ""}, {"signature", ""}});
        Delta({{"type", "thinking_delta"}, {"thinking", event.text}});
        break;
      case TapeEvent::Kind::kText:
        Enter("text", {{"type", "text"}, {"text", ""}});
        Delta({{"type", "text_delta"}, {"text", event.text}});
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
    std::string text, thinking;
    Json calls = Json::array();
    for (const TapeEvent& event : tape) {
      if (event.kind == TapeEvent::Kind::kText) text += event.text;
      if (event.kind == TapeEvent::Kind::kReasoning) thinking += event.text;
      if (event.kind != TapeEvent::Kind::kCall) continue;
      Json call = CallBlock(event.call);
      call["input"] = Json::parse(event.call.arguments);
      calls.push_back(call);
    }
    Json content = Json::array();
    if (!thinking.empty()) {
      content.push_back({{"type", "thinking"}, {"thinking", thinking}, {"signature", Id()}});
    }
    if (!text.empty() || calls.empty()) content.push_back({{"type", "text"}, {"text", text}});
    for (const Json& call : calls) content.push_back(call);
    const Ending& ending = tape.back().ending;
    Json message = Envelope(content, StopReason(ending.finish), StopSequence(ending));
    message["usage"] = InputUsage(ending.usage);
    message["usage"]["output_tokens"] = ending.usage.output;
    return message;
  }

 private:
  std::string Id() const { return "msg_" + head_.digits; }

  Json Envelope(const Json& content, const Json& reason, const Json& sequence) const {
    return {{"id", Id()},
            {"type", "message"},
            {"role", "assistant"},
            {"model", head_.model},
            {"content", content},
            {"stop_reason", reason},
            {"stop_sequence", sequence}};
  }

  static Json InputUsage(const Usage& usage) {
    return {{"input_tokens", usage.prompt - usage.cached},
            {"cache_creation_input_tokens", 0},
            {"cache_read_input_tokens", usage.cached}};
  }

  static std::string StopReason(Finish finish) {
    switch (finish) {
      case Finish::kStop:
        return "end_turn";
      case Finish::kStopSequence:
        return "stop_sequence";
      case Finish::kLength:
        return "max_tokens";
      case Finish::kToolCalls:
        return "tool_use";
    }
    return "";
  }

  static Json StopSequence(const Ending& ending) {
    return ending.finish == Finish::kStopSequence ? Json(ending.stop_sequence) : Json();
  }

  static Json CallBlock(const Call& call) {
    const std::string id = call.id.starts_with("call_") ? call.id.substr(5) : call.id;
    return {{"type", "tool_use"},
            {"id", "toolu_" + id},
            {"name", call.name},
            {"input", Json::object()}};
  }

  static Frame Event(const char* type, const Json& fields) {
    Json data = {{"type", type}};
    data.update(fields);
    return {type, data};
  }

  void Enter(const char* block, const Json& empty) {
    if (block_ == block) return;
    Leave();
    block_ = block;
    frames_.push_back(Event("content_block_start", {{"index", index_}, {"content_block", empty}}));
  }

  void Delta(const Json& delta) {
    frames_.push_back(Event("content_block_delta", {{"index", index_}, {"delta", delta}}));
  }

  void Leave() {
    if (block_.empty()) return;
    if (block_ == "thinking") Delta({{"type", "signature_delta"}, {"signature", Id()}});
    frames_.push_back(Event("content_block_stop", {{"index", index_}}));
    ++index_;
    block_.clear();
  }

  void AddCall(const Call& call) {
    Leave();
    Enter("tool_use", CallBlock(call));
    for (const std::string& piece : Pieces(call.arguments, kArgumentPiece)) {
      Delta({{"type", "input_json_delta"}, {"partial_json", piece}});
    }
    Leave();
    called_ = true;
  }

  // An answer of nothing but thinking, or of nothing, has an empty text.
  void End(const Ending& ending) {
    const bool says = block_ == "text" || called_;
    Leave();
    if (!says) Enter("text", {{"type", "text"}, {"text", ""}});
    Leave();
    frames_.push_back(Event(
        "message_delta",
        {{"delta",
          {{"stop_reason", StopReason(ending.finish)}, {"stop_sequence", StopSequence(ending)}}},
         {"usage", {{"output_tokens", ending.usage.output}}}}));
    frames_.push_back(Event("message_stop", Json::object()));
  }

  void Fail(const WireError& error) {
    frames_.push_back(Event(
        "error",
        {{"error", {{"type", AnthropicErrorType(error.status)}, {"message", error.what()}}}}));
  }

  AnswerHead head_;
  std::vector<Frame> frames_;
  std::string block_;  // the type of the open one
  int index_ = 0;      // of it, or of the next
  bool called_ = false;
};

}  // namespace

std::unique_ptr<Projector> MakeMessages(const AnswerHead& head) {
  return std::make_unique<Messages>(head);
}

}  // namespace parity::tiny_server::reference
