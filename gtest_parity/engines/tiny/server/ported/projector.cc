// One projector for all surfaces: it keeps the values, the tables say the rest.
#include <map>
#include <optional>

#include "gtest_parity/engines/tiny/server/ported/phrases.h"
#include "gtest_parity/engines/tiny/server/projector.h"

namespace parity::tiny_server {
namespace ported {
namespace {

using Values = std::map<std::string, Json>;

Values ErrorValues(Surface surface, const WireError& error) {
  const bool anthropic = surface == Surface::kMessages;
  const auto or_null = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
  return {{"message", error.what()},
          {"type", anthropic ? AnthropicErrorType(error.status) : OpenAiErrorType(error.status)},
          {"param", or_null(error.param)},
          {"code", or_null(error.code)},
          {"failure_code", error.code.empty() ? "server_error" : error.code}};
}

// `text` with its places filled; nothing where it is a place without a value.
std::optional<Json> Fill(Surface surface, const Json& text, const Values& values) {
  if (text.is_string() && text.get<std::string>().starts_with('$')) {
    const std::string name = text.get<std::string>().substr(1);
    const auto found = values.find(name);
    if (found != values.end()) return found->second;
    const std::string object = ObjectOf(surface, name);
    if (object.empty()) return std::nullopt;
    return Fill(surface, Json::parse(object), values);
  }
  if (!text.is_structured()) return text;
  Json filled = text.is_array() ? Json::array() : Json::object();
  for (const auto& [key, value] : text.items()) {
    const std::optional<Json> part = Fill(surface, value, values);
    if (!part) continue;
    if (text.is_array()) filled.push_back(*part);
    if (text.is_object()) filled[key] = *part;
  }
  return filled;
}

std::string FinishOf(Surface surface, Finish finish) {
  static const std::map<Finish, std::pair<const char*, const char*>> kNames = {
      {Finish::kStop, {"stop", "end_turn"}},
      {Finish::kStopSequence, {"stop", "stop_sequence"}},
      {Finish::kLength, {"length", "max_tokens"}},
      {Finish::kToolCalls, {"tool_calls", "tool_use"}}};
  const auto& [openai, anthropic] = kNames.at(finish);
  return surface == Surface::kMessages ? anthropic : openai;
}

const char* NameOfBlock(Block block) {
  constexpr const char* kNames[] = {"", "reasoning", "text", "call"};
  return kNames[static_cast<int>(block)];
}

class TableProjector : public Projector {
 public:
  explicit TableProjector(const AnswerHead& head) : surface_(head.surface), head_(head) {
    static const std::map<Surface, std::string> kIds = {{Surface::kChat, "chatcmpl-"},
                                                        {Surface::kCompletions, "cmpl-"},
                                                        {Surface::kMessages, "msg_"},
                                                        {Surface::kResponses, "resp_"}};
    const bool counted = surface_ == Surface::kChat || surface_ == Surface::kCompletions;
    values_["id"] = kIds.at(surface_) + (counted ? std::to_string(head.number) : head.digits);
    values_["created"] = head.created;
    values_["model"] = head.model;
    values_["finish"] = nullptr;
    values_["stop_sequence"] = nullptr;
    values_["answer_status"] = "in_progress";
    values_["incomplete"] = nullptr;
    values_["blocks"] = Json::array();
    if (head.include_usage) values_["no_usage"] = nullptr;
    for (const auto& [key, value] : head.echo.items()) values_[key] = value;
    Figure(head.usage);
  }

  std::vector<Frame> Begin() override { return Say(Moment::kBegin, Block::kNone); }

  std::vector<Frame> On(const TapeEvent& event) override {
    frames_.clear();
    switch (event.kind) {
      case TapeEvent::Kind::kReasoning:
        if (head_.tells_reasoning) Add(Block::kReasoning, event.text);
        break;
      case TapeEvent::Kind::kText:
        Add(Block::kText, event.text);
        break;
      case TapeEvent::Kind::kCall:
        AddCall(event.call);
        break;
      case TapeEvent::Kind::kEnd:
        End(event.ending);
        break;
      case TapeEvent::Kind::kFailure:
        values_.merge(ErrorValues(surface_, *event.error));
        Push(Say(Moment::kFailure, Block::kNone));
        break;
    }
    return frames_;
  }

  Json Whole(const Tape& tape) override {
    for (const TapeEvent& event : tape) On(event);
    const bool calls_alone = said_[Block::kText].empty() && values_.contains("calls");
    values_["content"] = calls_alone ? Json() : Json(said_[Block::kText]);
    if (!said_[Block::kReasoning].empty()) values_["thought"] = said_[Block::kReasoning];
    return *Fill(surface_, "$whole", values_);
  }

 private:
  void Push(std::vector<Frame> frames) {
    for (Frame& frame : frames) frames_.push_back(std::move(frame));
  }

  // What the tables have for the moment. Of a usage that nobody wants there is no event.
  std::vector<Frame> Say(Moment moment, Block block) {
    std::vector<Frame> frames;
    for (const Phrase& phrase : Phrases()) {
      if (phrase.surface != surface_ || phrase.moment != moment || phrase.block != block) continue;
      const bool of_usage = std::string(phrase.data).find("$wanted_usage") != std::string::npos;
      if (of_usage && !head_.include_usage) continue;
      values_["sequence"] = sequence_++;
      values_["index"] = index_;
      const std::optional<Json> event = Fill(surface_, phrase.event, values_);
      frames.push_back(
          {event->get<std::string>(), *Fill(surface_, Json::parse(phrase.data), values_)});
    }
    return frames;
  }

  void Open(Block block) {
    if (open_ == block && block != Block::kCall) return;
    Close("completed");
    open_ = block;
    const char* prefix = block == Block::kReasoning ? "rs_"
                         : block == Block::kText    ? "msg_"
                                                    : "fc_";
    values_["item_id"] = prefix + head_.digits;
    values_["said"] = "";
    Push(Say(Moment::kOpen, block));
  }

  void Add(Block block, const std::string& text) {
    Open(block);
    said_[block] += text;
    values_["said"] = said_[block];
    values_["delta"] = text;
    Push(Say(Moment::kDelta, block));
  }

  void Close(const char* status) {
    if (open_ == Block::kNone) return;
    values_["status"] = status;
    Push(Say(Moment::kClose, open_));
    const std::optional<Json> whole =
        Fill(surface_, std::string("$") + NameOfBlock(open_), values_);
    if (whole) values_["blocks"].push_back(*whole);
    if (whole && open_ == Block::kCall) values_["calls"].push_back(*whole);
    open_ = Block::kNone;
    ++index_;
  }

  void AddCall(const Call& call) {
    const bool anthropic = surface_ == Surface::kMessages && call.id.starts_with("call_");
    values_["call_id"] = anthropic ? "toolu_" + call.id.substr(5) : call.id;
    values_["call_name"] = call.name;
    values_["arguments"] = call.arguments;
    values_["input"] = Json::parse(call.arguments);
    values_["call_index"] = values_.contains("calls") ? values_["calls"].size() : 0;
    Open(Block::kCall);
    Push(Say(Moment::kDelta, Block::kCall));
    Close("completed");
  }

  void End(const Ending& ending) {
    const bool cut = ending.finish == Finish::kLength;
    const bool whole = open_ == Block::kReasoning ? ending.reasoning_closed : !cut;
    Close(whole ? "completed" : "incomplete");
    if (surface_ == Surface::kMessages && !values_.contains("calls") &&
        said_[Block::kText].empty()) {
      Open(Block::kText);
      Close("completed");
    }
    Figure(ending.usage);
    values_["finish"] = FinishOf(surface_, ending.finish);
    if (ending.finish == Finish::kStopSequence) values_["stop_sequence"] = ending.stop_sequence;
    values_["answer_status"] = cut ? "incomplete" : "completed";
    values_["terminal"] = cut ? "response.incomplete" : "response.completed";
    if (cut) values_["incomplete"] = {{"reason", "max_output_tokens"}};
    values_["final_usage"] = *Fill(surface_, "$usage", values_);
    values_["wanted_usage"] = values_["final_usage"];
    Push(Say(Moment::kEnd, Block::kNone));
  }

  void Figure(const Usage& usage) {
    values_["prompt"] = usage.prompt;
    values_["cached"] = usage.cached;
    values_["uncached"] = usage.prompt - usage.cached;
    values_["output"] = usage.output;
    values_["reasoning_tokens"] = usage.reasoning;
    values_["total"] = usage.prompt + usage.output;
  }

  Surface surface_;
  AnswerHead head_;
  Values values_;
  std::vector<Frame> frames_;
  std::map<Block, std::string> said_;
  Block open_ = Block::kNone;
  int index_ = 0, sequence_ = 0;
};

}  // namespace
}  // namespace ported

namespace {

std::unique_ptr<Projector> Project(const AnswerHead& head) {
  return std::make_unique<ported::TableProjector>(head);
}

Json ErrorBody(Surface surface, const WireError& error) {
  return *ported::Fill(surface, "$error", ported::ErrorValues(surface, error));
}

}  // namespace

const Variant kPorted = {"ported", Project, ErrorBody};

}  // namespace parity::tiny_server
