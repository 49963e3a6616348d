#include "suites/wire/answers/read_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suites/wire/answers/error_of.h"
#include "suites/wire/answers/finish.h"
#include "suites/wire/answers/usage.h"

namespace parity::wire {
namespace {

using nlohmann::json;

// Section 9's table of finishes.
TEST(Finish, EachSurfacesWords) {
  EXPECT_EQ(FinishOfReason("stop"), Finish::kStop);
  EXPECT_EQ(FinishOfReason("length"), Finish::kLength);
  EXPECT_EQ(FinishOfReason("tool_calls"), Finish::kToolCalls);
  EXPECT_EQ(FinishOfReason("content_filter"), Finish::kFilter);
  EXPECT_EQ(FinishOfReason("abort"), Finish::kOther);
  EXPECT_EQ(FinishOfReason("error"), Finish::kError);
  EXPECT_EQ(FinishOfStopReason("end_turn"), Finish::kStop);
  EXPECT_EQ(FinishOfStopReason("stop_sequence"), Finish::kStopString);
  EXPECT_EQ(FinishOfStopReason("max_tokens"), Finish::kLength);
  EXPECT_EQ(FinishOfStopReason("model_context_window_exceeded"), Finish::kLength);
  EXPECT_EQ(FinishOfStopReason("tool_use"), Finish::kToolCalls);
  EXPECT_EQ(FinishOfStopReason("refusal"), Finish::kFilter);
  EXPECT_EQ(FinishOfStatus("completed", "", false), Finish::kStop);
  EXPECT_EQ(FinishOfStatus("completed", "", true), Finish::kToolCalls);
  EXPECT_EQ(FinishOfStatus("incomplete", "max_output_tokens", true), Finish::kLength);
  EXPECT_EQ(FinishOfStatus("incomplete", "content_filter", false), Finish::kFilter);
  EXPECT_EQ(FinishOfStatus("failed", "", false), Finish::kError);
  EXPECT_EQ(FinishOfStatus("in_progress", "", false), Finish::kNone);
}

// Section 9's table of counts: the same request told in three ways.
TEST(Usage, EachSurfacesWords) {
  const Usage chat = *UsageOf(Surface::kChat, json::parse(R"({"prompt_tokens": 12,
      "completion_tokens": 4, "total_tokens": 16, "prompt_tokens_details": {"cached_tokens": 8,
      "cache_write_tokens": 4}, "completion_tokens_details": {"reasoning_tokens": 1}})"));
  const Usage responses = *UsageOf(Surface::kResponses, json::parse(R"({"input_tokens": 12,
      "output_tokens": 4, "total_tokens": 16, "input_tokens_details": {"cached_tokens": 8,
      "cache_write_tokens": 4}, "output_tokens_details": {"reasoning_tokens": 1}})"));
  Usage messages = *UsageOf(Surface::kMessages, json::parse(R"({"input_tokens": 0,
      "cache_read_input_tokens": 8, "cache_creation_input_tokens": 4, "output_tokens": 4,
      "output_tokens_details": {"thinking_tokens": 1}})"));
  EXPECT_EQ(chat, responses);
  EXPECT_EQ(messages.total, std::nullopt);
  messages.total = 16;
  EXPECT_EQ(chat, messages);
  EXPECT_EQ(chat.prompt, 12);
  EXPECT_EQ(UsageOf(Surface::kChat, nullptr), std::nullopt);
  EXPECT_EQ(UsageOf(Surface::kChat, json{{"prompt_tokens", "12"}})->prompt, std::nullopt);
}

TEST(AnswerError, EachEnvelope) {
  const auto openai = AnswerErrorOf(
      json::parse(R"({"error": {"message": "m", "type": "t", "param": null, "code": "c"}})"));
  EXPECT_EQ(openai->type, "t");
  EXPECT_EQ(openai->code, "c");
  EXPECT_EQ(openai->param, "");
  EXPECT_EQ(AnswerErrorOf(json::parse(R"({"type": "error", "error": {"type": "api_error",
      "message": "m"}})"))
                ->type,
            "api_error");
  EXPECT_EQ(AnswerErrorOf(json::parse(R"({"type": "error", "code": "server_error", "message": "m",
      "sequence_number": 3})"))
                ->code,
            "server_error");
  EXPECT_EQ(AnswerErrorOf(json::parse(R"({"type": "response.failed", "response": {"error":
      {"code": "server_error", "message": "m"}}})"))
                ->message,
            "m");
  EXPECT_EQ(AnswerErrorOf(json::parse(R"({"error": {"message": "m", "code": 400}})"))->code, "400");
  EXPECT_EQ(AnswerErrorOf(json::parse(R"({"error": null})")), std::nullopt);
  EXPECT_EQ(AnswerErrorOf(json::parse(R"({"id": "x"})")), std::nullopt);
}

TEST(AnswerOfBody, TheSameAnswerOnThreeSurfaces) {
  const Answer chat = AnswerOfBody(Surface::kChat, json::parse(R"({"id": "i", "model": "m",
      "created": 5, "choices": [{"message": {"content": "t", "reasoning": "r", "tool_calls":
      [{"id": "c", "function": {"name": "f", "arguments": "{\"a\": 1}"}}]},
      "finish_reason": "tool_calls"}]})"));
  const Answer messages = AnswerOfBody(Surface::kMessages, json::parse(R"({"id": "i", "model": "m",
      "content": [{"type": "thinking", "thinking": "r"}, {"type": "text", "text": "t"},
      {"type": "tool_use", "id": "c", "name": "f", "input": {"a": 1}}],
      "stop_reason": "tool_use"})"));
  const Answer responses = AnswerOfBody(Surface::kResponses, json::parse(R"({"id": "i",
      "model": "m", "created_at": 5, "status": "completed", "output": [
      {"type": "reasoning", "summary": [{"text": "r"}]},
      {"type": "message", "content": [{"type": "output_text", "text": "t"}]},
      {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{\"a\":1}"}]})"));
  EXPECT_EQ(chat.created, 5);
  EXPECT_EQ(chat.choices.at(0).text, "t");
  for (const Answer* other : {&messages, &responses}) {
    EXPECT_THAT(DifferencesOf(*other, chat, false), ::testing::IsEmpty());
    EXPECT_EQ(other->choices.at(0).calls.at(0).id, "c");
  }
}

TEST(AnswerOfBody, OddPartsAreLeftEmpty) {
  for (const char* body : {"null", "[]", "{}", R"({"choices": 1, "content": {}, "output": "x"})",
                           R"({"choices": [1, {"message": []}], "usage": []})"}) {
    for (const Surface surface : {Surface::kChat, Surface::kCompletions, Surface::kMessages,
                                  Surface::kResponses, Surface::kOther}) {
      const Answer answer = AnswerOfBody(surface, json::parse(body));
      EXPECT_EQ(answer.id, "");
      for (const Choice& choice : answer.choices) EXPECT_EQ(choice.text, "");
    }
  }
}

std::vector<StreamEvent> Events(const std::vector<std::string>& data) {
  std::vector<StreamEvent> events;
  for (const std::string& text : data) events.push_back({0, "", false, json::parse(text)});
  return events;
}

TEST(AnswerOfStream, FragmentsOfCallsJoinByIndex) {
  const Answer answer = AnswerOfStream(
      Surface::kChat,
      Events({
          R"({"id": "i", "choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "id": "a",
          "function": {"name": "f", "arguments": ""}}]}}]})",
          R"({"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 1, "id": "b",
          "function": {"name": "g", "arguments": "{}"}}]}}]})",
          R"({"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0,
          "function": {"arguments": "{\"x\":1}"}}]}, "finish_reason": "tool_calls"}]})"}));
  ASSERT_EQ(answer.choices.at(0).calls.size(), 2u);
  EXPECT_EQ(answer.choices[0].calls[0].Canonical(), "{\"x\":1}");
  EXPECT_EQ(answer.choices[0].calls[1].name, "g");
  EXPECT_EQ(answer.choices[0].finish, Finish::kToolCalls);
}

// Its counts take the place of those of message_start, they are not added.
TEST(AnswerOfStream, CountsOfMessagesAreCumulative) {
  const Answer answer = AnswerOfStream(
      Surface::kMessages,
      Events({
          R"({"type": "message_start", "message": {"id": "i", "usage": {"input_tokens": 5,
          "output_tokens": 1}}})",
          R"({"type": "message_delta", "delta": {"stop_reason": "end_turn"},
          "usage": {"output_tokens": 3}})"}));
  EXPECT_EQ(answer.usage->prompt, 5);
  EXPECT_EQ(answer.usage->output, 3);
  EXPECT_EQ(answer.choices.at(0).finish, Finish::kStop);
}

TEST(AnswerOfStream, ToolInputOfNoDeltaIsEmpty) {
  const Answer answer = AnswerOfStream(
      Surface::kMessages,
      Events({
          R"({"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use",
          "id": "c", "name": "f", "input": {}}})"}));
  EXPECT_EQ(answer.choices.at(0).calls.at(0).Canonical(), "{}");
}

TEST(AnswerOfStream, AnErrorMidwayIsTold) {
  const Answer answer = AnswerOfStream(
      Surface::kResponses,
      Events({R"({"type": "response.created", "response": {"id": "r", "status": "in_progress"}})",
              R"({"type": "error", "code": "server_error", "message": "m"})"}));
  EXPECT_EQ(answer.error->code, "server_error");
  EXPECT_EQ(answer.id, "r");
}

TEST(Differences, AreNamedWithWhatWasExpected) {
  Answer one, other;
  one.choices.push_back({"abc", "", "", {{"i", "f", "{}"}}, Finish::kStop, "stop"});
  other.choices.push_back({"abd", "", "", {{"j", "g", "{}"}}, Finish::kLength, "length"});
  one.usage = Usage{.prompt = 3, .output = 1};
  other.usage = Usage{.prompt = 4};
  const std::vector<Difference> differences = DifferencesOf(one, other, true);
  ASSERT_EQ(differences.size(), 4u);
  EXPECT_EQ(differences[0].what, "text from byte 2");
  EXPECT_EQ(differences[0].got, "\"abc\"");
  EXPECT_EQ(differences[1].what, "call 0 name from byte 0");
  EXPECT_EQ(differences[2].kind, Difference::Kind::kFinish);
  EXPECT_EQ(differences[3].what, "prompt tokens");
  EXPECT_EQ(differences[3].expected, "4");
}

TEST(Differences, AStopStringIsStopOnOtherSurfaces) {
  Answer one, other;
  one.choices.push_back({"", "", "", {}, Finish::kStopString, ""});
  other.choices.push_back({"", "", "", {}, Finish::kStop, ""});
  EXPECT_EQ(DifferencesOf(one, other, false).size(), 0u);
  EXPECT_EQ(DifferencesOf(one, other, true).size(), 1u);
}

}  // namespace
}  // namespace parity::wire
