// chat.completion and chat.completion.chunk.
#include "gtest_parity/engines/tiny/server/reference/names.h"

namespace parity::tiny_server::reference {
namespace {

class Chat : public Projector {
 public:
  explicit Chat(const AnswerHead& head) : head_(head) {}

  std::vector<Frame> Begin() override {
    return {Chunk({{"role", "assistant"}, {"content", ""}}, nullptr)};
  }

  std::vector<Frame> On(const TapeEvent& event) override {
    switch (event.kind) {
      case TapeEvent::Kind::kReasoning:
        return {Chunk({{"reasoning_content", event.text}}, nullptr)};
      case TapeEvent::Kind::kText:
        return {Chunk({{"content", event.text}}, nullptr)};
      case TapeEvent::Kind::kCall:
        return CallFrames(event.call);
      case TapeEvent::Kind::kEnd:
        return EndFrames(event.ending);
      case TapeEvent::Kind::kFailure:
        return {{"error", {{"error", OpenAiError(*event.error)}}}};
    }
    return {};
  }

  Json Whole(const Tape& tape) override {
    std::string text, reasoning;
    Json calls = Json::array();
    for (const TapeEvent& event : tape) {
      if (event.kind == TapeEvent::Kind::kText) text += event.text;
      if (event.kind == TapeEvent::Kind::kReasoning) reasoning += event.text;
      if (event.kind == TapeEvent::Kind::kCall) calls.push_back(CallObject(event.call));
    }
    Json message = {{"role", "assistant"}, {"content", text}, {"refusal", nullptr}};
    if (text.empty() && !calls.empty()) message["content"] = nullptr;
    if (!reasoning.empty()) message["reasoning_content"] = reasoning;
    if (!calls.empty()) message["tool_calls"] = calls;
    const Ending& ending = tape.back().ending;
    Json answer = Envelope("chat.completion");
    answer["choices"] = {{{"index", 0},
                          {"message", message},
                          {"logprobs", nullptr},
                          {"finish_reason", FinishReason(ending.finish)}}};
    answer["usage"] = OpenAiUsage(ending.usage);
    return answer;
  }

 private:
  Json Envelope(const char* object) const {
    return {{"id", "chatcmpl-" + std::to_string(head_.number)},
            {"object", object},
            {"created", head_.created},
            {"model", head_.model}};
  }

  Frame Chunk(const Json& delta, const Json& finish) const {
    Json chunk = Envelope("chat.completion.chunk");
    chunk["choices"] = {
        {{"index", 0}, {"delta", delta}, {"logprobs", nullptr}, {"finish_reason", finish}}};
    if (head_.include_usage) chunk["usage"] = nullptr;
    return {"", chunk};
  }

  static Json CallObject(const Call& call) {
    return {{"id", call.id},
            {"type", "function"},
            {"function", {{"name", call.name}, {"arguments", call.arguments}}}};
  }

  std::vector<Frame> CallFrames(const Call& call) {
    Json opened = {{"index", calls_}};
    opened.update(CallObject({call.id, call.name, ""}));
    std::vector<Frame> frames = {Chunk({{"tool_calls", Json::array({opened})}}, nullptr)};
    for (const std::string& piece : Pieces(call.arguments, kArgumentPiece)) {
      const Json part = {{"index", calls_}, {"function", {{"arguments", piece}}}};
      frames.push_back(Chunk({{"tool_calls", Json::array({part})}}, nullptr));
    }
    ++calls_;
    return frames;
  }

  std::vector<Frame> EndFrames(const Ending& ending) const {
    std::vector<Frame> frames = {Chunk(Json::object(), FinishReason(ending.finish))};
    if (head_.include_usage) {
      Json chunk = Envelope("chat.completion.chunk");
      chunk["choices"] = Json::array();
      chunk["usage"] = OpenAiUsage(ending.usage);
      frames.push_back({"", chunk});
    }
    frames.push_back({"", "[DONE]"});
    return frames;
  }

  AnswerHead head_;
  int calls_ = 0;
};

}  // namespace

std::unique_ptr<Projector> MakeChat(const AnswerHead& head) { return std::make_unique<Chat>(head); }

}  // namespace parity::tiny_server::reference
