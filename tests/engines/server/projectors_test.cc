// Both projectors over fixed tapes: what a stream says is what the whole answer says.
#include "gtest_parity/engines/tiny/server/projector.h"

#include <gtest/gtest.h>

#include <set>

namespace parity::tiny_server {
namespace {

struct TapeCase {
  const char* name;
  Tape tape;
};

TapeEvent Think(const std::string& text) { return {TapeEvent::Kind::kReasoning, text}; }
TapeEvent Say(const std::string& text) { return {TapeEvent::Kind::kText, text}; }
TapeEvent MakeCall() {
  return {.kind = TapeEvent::Kind::kCall,
          .call = {"call_00112233445566778899aabbccddeeff", "sum",
                   "{\"a\":\"eins \u00e9\u4e2d\U0001f600\",\"b\":\"2\"}"}};
}
TapeEvent End(Finish finish, const std::string& stop = "", bool closed = true) {
  return {
      .kind = TapeEvent::Kind::kEnd,
      .ending = {finish, stop, closed, {.prompt = 9, .cached = 4, .output = 7, .reasoning = 2}}};
}

std::vector<TapeCase> Tapes() {
  return {{"text", {Say("Hel"), Say("lo"), End(Finish::kStop)}},
          {"nothing", {End(Finish::kLength)}},
          {"cut", {Say("Hel"), End(Finish::kLength)}},
          {"stopped", {Say("a"), End(Finish::kStopSequence, "END")}},
          {"thinking", {Think("so"), Think(" on"), Say("yes"), End(Finish::kStop)}},
          {"thinking_alone", {Think("so"), End(Finish::kLength, "", false)}},
          {"call", {MakeCall(), End(Finish::kToolCalls)}},
          {"thinking_and_call", {Think("so"), MakeCall(), End(Finish::kToolCalls)}},
          {"text_and_call", {Say("Well."), MakeCall(), End(Finish::kToolCalls)}}};
}

AnswerHead HeadOn(Surface surface) {
  AnswerHead head;
  head.surface = surface;
  head.number = 3;
  head.digits = "0123456789abcdef01234567";
  head.created = 1767225600;
  head.model = "tiny";
  head.usage = {.prompt = 9, .cached = 4};
  head.include_usage = true;
  if (surface == Surface::kResponses)
    head.echo = {{"instructions", nullptr}, {"tools", Json::array()}};
  return head;
}

std::vector<Frame> Stream(const Variant& variant, const AnswerHead& head, const Tape& tape) {
  const std::unique_ptr<Projector> projector = variant.project(head);
  std::vector<Frame> frames = projector->Begin();
  for (const TapeEvent& event : tape) {
    for (Frame& frame : projector->On(event)) frames.push_back(std::move(frame));
  }
  return frames;
}

Json WholeOf(const Variant& variant, const AnswerHead& head, const Tape& tape) {
  return variant.project(head)->Whole(tape);
}

// The two variants cut a call's arguments differently: all fragments of one value are joined.
std::vector<Frame> Joined(std::vector<Frame> frames) {
  const auto fragment = [](Frame& frame) -> Json* {
    Json& data = frame.data;
    if (data.is_object() && data.contains("delta") && data["delta"].contains("partial_json")) {
      return &data["delta"]["partial_json"];
    }
    if (!data.is_object() || !data.contains("choices") || data["choices"].empty()) return nullptr;
    Json& delta = data["choices"][0].contains("delta") ? data["choices"][0]["delta"] : data;
    if (!delta.contains("tool_calls") || delta["tool_calls"][0].contains("id")) return nullptr;
    return &delta["tool_calls"][0]["function"]["arguments"];
  };
  std::vector<Frame> joined;
  bool open = false;
  for (Frame& frame : frames) {
    Json* part = fragment(frame);
    if (part != nullptr && open) {
      Json* before = fragment(joined.back());
      *before = before->get<std::string>() + part->get<std::string>();
      continue;
    }
    open = part != nullptr;
    joined.push_back(frame);
  }
  return joined;
}

Json AsJson(const std::vector<Frame>& frames) {
  Json all = Json::array();
  for (const Frame& frame : frames) all.push_back({{"event", frame.event}, {"data", frame.data}});
  return all;
}

// Objects compare by key here, whatever their order.
nlohmann::json Sorted(const Json& value) { return nlohmann::json::parse(value.dump()); }

class Projectors : public testing::TestWithParam<Surface> {};

INSTANTIATE_TEST_SUITE_P(All, Projectors, testing::ValuesIn(kSurfaces),
                         [](const auto& test) { return std::string(NameOf(test.param)); });

TEST_P(Projectors, TwoImplementationsSayTheSame) {
  for (const TapeCase& test : Tapes()) {
    SCOPED_TRACE(test.name);
    const AnswerHead head = HeadOn(GetParam());
    EXPECT_EQ(Sorted(AsJson(Joined(Stream(kReference, head, test.tape)))),
              Sorted(AsJson(Joined(Stream(kPorted, head, test.tape)))));
    EXPECT_EQ(Sorted(WholeOf(kReference, head, test.tape)),
              Sorted(WholeOf(kPorted, head, test.tape)));
  }
}

TEST_P(Projectors, FailuresAreToldAlike) {
  const WireError error(500, "it broke", "field", "broken");
  const AnswerHead head = HeadOn(GetParam());
  Tape tape = {Say("Hel")};
  tape.push_back({.kind = TapeEvent::Kind::kFailure, .error = error});
  const Json told = AsJson(Stream(kReference, head, tape));
  EXPECT_EQ(Sorted(told), Sorted(AsJson(Stream(kPorted, head, tape))));
  EXPECT_EQ(told.back()["event"], "error");
  EXPECT_NE(told.dump().find("it broke"), std::string::npos);
  EXPECT_EQ(Sorted(kReference.error_body(GetParam(), error)),
            Sorted(kPorted.error_body(GetParam(), error)));
}

class OneVariant : public testing::TestWithParam<const Variant*> {
 protected:
  std::vector<Frame> Stream(Surface surface, const Tape& tape) {
    return tiny_server::Stream(*GetParam(), HeadOn(surface), tape);
  }
  Json Whole(Surface surface, const Tape& tape) {
    return WholeOf(*GetParam(), HeadOn(surface), tape);
  }
};

INSTANTIATE_TEST_SUITE_P(All, OneVariant, testing::Values(&kReference, &kPorted),
                         [](const auto& test) { return std::string(test.param->name); });

TEST_P(OneVariant, ChatChunksAddUpToTheMessage) {
  for (const TapeCase& test : Tapes()) {
    SCOPED_TRACE(test.name);
    const std::vector<Frame> frames = Stream(Surface::kChat, test.tape);
    const Json whole = Whole(Surface::kChat, test.tape);
    std::string content, reasoning, arguments, finish;
    Json usage;
    EXPECT_EQ(frames.front().data["choices"][0]["delta"]["role"], "assistant");
    EXPECT_EQ(frames.back().data, "[DONE]");
    for (const Frame& frame : frames) {
      if (frame.data == "[DONE]") continue;
      if (frame.data["choices"].empty()) {
        usage = frame.data["usage"];
        continue;
      }
      const Json& choice = frame.data["choices"][0];
      content += choice["delta"].value("content", "");
      reasoning += choice["delta"].value("reasoning_content", "");
      if (choice["delta"].contains("tool_calls")) {
        arguments += choice["delta"]["tool_calls"][0]["function"]["arguments"].get<std::string>();
      }
      if (!choice["finish_reason"].is_null()) finish += choice["finish_reason"];
    }
    const Json& message = whole["choices"][0]["message"];
    EXPECT_EQ(content, message["content"].is_null() ? "" : message["content"]);
    EXPECT_EQ(reasoning, message.value("reasoning_content", ""));
    EXPECT_EQ(finish, whole["choices"][0]["finish_reason"]);
    EXPECT_EQ(usage, whole["usage"]);
    if (!message.contains("tool_calls")) continue;
    EXPECT_EQ(arguments, message["tool_calls"][0]["function"]["arguments"]);
  }
}

TEST_P(OneVariant, MessagesAreBlocksInTurn) {
  for (const TapeCase& test : Tapes()) {
    SCOPED_TRACE(test.name);
    const Json whole = Whole(Surface::kMessages, test.tape);
    Json blocks = Json::array();
    int open = -1;
    for (const Frame& frame : Stream(Surface::kMessages, test.tape)) {
      EXPECT_EQ(frame.event, frame.data["type"]);
      if (frame.event == "content_block_start") {
        ASSERT_EQ(open, -1);
        open = frame.data["index"];
        ASSERT_EQ(open, blocks.size());
        blocks.push_back(frame.data["content_block"]);
        blocks.back()["json"] = "";
      } else if (frame.event == "content_block_delta") {
        ASSERT_EQ(open, frame.data["index"]);
        for (const char* key : {"text", "thinking", "signature"}) {
          if (!frame.data["delta"].contains(key)) continue;
          blocks.back()[key] =
              blocks.back()[key].get<std::string>() + frame.data["delta"][key].get<std::string>();
        }
        blocks.back()["json"] = blocks.back()["json"].get<std::string>() +
                                frame.data["delta"].value("partial_json", "");
      } else if (frame.event == "content_block_stop") {
        ASSERT_EQ(open, frame.data["index"]);
        open = -1;
      }
    }
    for (Json& block : blocks) {
      const std::string input = block["json"];
      block.erase("json");
      if (!input.empty()) block["input"] = Json::parse(input);
    }
    EXPECT_EQ(Sorted(blocks), Sorted(whole["content"]));
  }
}

TEST_P(OneVariant, ResponsesNumberTheirEventsAndEndAsTheWhole) {
  for (const TapeCase& test : Tapes()) {
    SCOPED_TRACE(test.name);
    int number = 0, added = 0, done = 0;
    const std::vector<Frame> frames = Stream(Surface::kResponses, test.tape);
    std::set<std::string> added_ids, done_ids;
    for (const Frame& frame : frames) {
      EXPECT_EQ(frame.event, frame.data["type"]);
      EXPECT_EQ(frame.data["sequence_number"], number++);
      if (frame.event == "response.output_item.added") {
        EXPECT_EQ(frame.data["output_index"], added++);
        added_ids.insert(frame.data["item"]["id"]);
      }
      if (frame.event == "response.output_item.done") {
        EXPECT_EQ(frame.data["output_index"], done++);
        done_ids.insert(frame.data["item"]["id"]);
      }
    }
    EXPECT_EQ(added_ids, done_ids);
    EXPECT_EQ(Sorted(frames.back().data["response"]),
              Sorted(Whole(Surface::kResponses, test.tape)));
    const bool cut = test.tape.back().ending.finish == Finish::kLength;
    EXPECT_EQ(frames.back().event, cut ? "response.incomplete" : "response.completed");
  }
}

TEST_P(OneVariant, AHiddenReasoningIsNotTold) {
  AnswerHead head = HeadOn(Surface::kResponses);
  head.tells_reasoning = false;
  const Tape tape = {Think("secret"), Say("yes"), End(Finish::kStop)};
  EXPECT_EQ(AsJson(tiny_server::Stream(*GetParam(), head, tape)).dump().find("secret"),
            std::string::npos);
  EXPECT_EQ(WholeOf(*GetParam(), head, tape)["output"].size(), 1);
}

TEST_P(OneVariant, AUsageThatNobodyAskedForIsNotTold) {
  for (const Surface surface : {Surface::kChat, Surface::kCompletions}) {
    AnswerHead head = HeadOn(surface);
    head.include_usage = false;
    const Tape tape = {Say("yes"), End(Finish::kStop)};
    EXPECT_EQ(AsJson(tiny_server::Stream(*GetParam(), head, tape)).dump().find("usage"),
              std::string::npos);
  }
}

TEST_P(OneVariant, UsageIsTheSurfacesOwn) {
  const Tape tape = {Say("yes"), End(Finish::kStop)};
  EXPECT_EQ(Whole(Surface::kMessages, tape)["usage"]["input_tokens"], 5);
  EXPECT_EQ(Whole(Surface::kMessages, tape)["usage"]["cache_read_input_tokens"], 4);
  EXPECT_EQ(Whole(Surface::kChat, tape)["usage"]["total_tokens"], 16);
  EXPECT_EQ(Whole(Surface::kChat, tape)["usage"]["prompt_tokens_details"]["cached_tokens"], 4);
  const Json usage = Whole(Surface::kResponses, tape)["usage"];
  EXPECT_EQ(usage["total_tokens"], 16);
  EXPECT_EQ(usage["output_tokens_details"]["reasoning_tokens"], 2);
}

}  // namespace
}  // namespace parity::tiny_server
