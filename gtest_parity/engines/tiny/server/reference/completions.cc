// text_completion, whole and in chunks.
#include "gtest_parity/engines/tiny/server/reference/names.h"

namespace parity::tiny_server::reference {
namespace {

class Completions : public Projector {
 public:
  explicit Completions(const AnswerHead& head) : head_(head) {}

  std::vector<Frame> Begin() override { return {}; }

  std::vector<Frame> On(const TapeEvent& event) override {
    if (event.kind == TapeEvent::Kind::kText) return {{"", Chunk(event.text, nullptr)}};
    if (event.kind == TapeEvent::Kind::kFailure) {
      return {{"error", {{"error", OpenAiError(*event.error)}}}};
    }
    if (event.kind != TapeEvent::Kind::kEnd) return {};
    std::vector<Frame> frames = {{"", Chunk("", FinishReason(event.ending.finish))}};
    if (head_.include_usage) {
      Json chunk = Envelope(Json::array());
      chunk["usage"] = OpenAiUsage(event.ending.usage);
      frames.push_back({"", chunk});
    }
    frames.push_back({"", "[DONE]"});
    return frames;
  }

  Json Whole(const Tape& tape) override {
    std::string text;
    for (const TapeEvent& event : tape) {
      if (event.kind == TapeEvent::Kind::kText) text += event.text;
    }
    const Ending& ending = tape.back().ending;
    Json answer = Envelope(Json::array({Choice(text, FinishReason(ending.finish))}));
    answer["usage"] = OpenAiUsage(ending.usage);
    return answer;
  }

 private:
  static Json Choice(const std::string& text, const Json& finish) {
    return {{"text", text}, {"index", 0}, {"logprobs", nullptr}, {"finish_reason", finish}};
  }

  Json Envelope(const Json& choices) const {
    return {{"id", "cmpl-" + std::to_string(head_.number)},
            {"object", "text_completion"},
            {"created", head_.created},
            {"model", head_.model},
            {"choices", choices}};
  }

  Json Chunk(const std::string& text, const Json& finish) const {
    Json chunk = Envelope(Json::array({Choice(text, finish)}));
    if (head_.include_usage) chunk["usage"] = nullptr;
    return chunk;
  }

  AnswerHead head_;
};

}  // namespace

std::unique_ptr<Projector> MakeCompletions(const AnswerHead& head) {
  return std::make_unique<Completions>(head);
}

}  // namespace parity::tiny_server::reference
