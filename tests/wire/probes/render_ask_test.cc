#include "suites/wire/probes/render_ask.h"

#include <gtest/gtest.h>

namespace parity::wire {
namespace {

using nlohmann::json;

json Ask(const char* text) { return json::parse(text); }

TEST(RenderAsk, OnePromptInTheWordsOfEach) {
  const json ask = Ask(R"({"prompt": "Hi", "max_tokens": 4, "usage": true})");
  EXPECT_EQ(RenderAsk(Surface::kChat, ask, "m", true), Ask(R"({"model": "m", "max_tokens": 4,
      "messages": [{"role": "user", "content": "Hi"}], "stream": true,
      "stream_options": {"include_usage": true}})"));
  EXPECT_EQ(RenderAsk(Surface::kCompletions, ask, "m", false),
            Ask(R"({"model": "m", "max_tokens": 4, "prompt": "Hi"})"));
  EXPECT_EQ(RenderAsk(Surface::kMessages, ask, "m", true), Ask(R"({"model": "m", "max_tokens": 4,
      "messages": [{"role": "user", "content": "Hi"}], "stream": true})"));
  EXPECT_EQ(RenderAsk(Surface::kResponses, ask, "m", false),
            Ask(R"({"model": "m", "max_output_tokens": 4, "input": "Hi"})"));
}

TEST(RenderAsk, SystemAndStop) {
  const json ask = Ask(R"({"prompt": "Hi", "system": "Be brief", "stop": "."})");
  EXPECT_EQ(RenderAsk(Surface::kChat, ask, "m", false)["messages"][0],
            Ask(R"({"role": "system", "content": "Be brief"})"));
  EXPECT_EQ(RenderAsk(Surface::kChat, ask, "m", false)["stop"], Ask(R"(["."])"));
  EXPECT_EQ(RenderAsk(Surface::kMessages, ask, "m", false)["system"], "Be brief");
  EXPECT_EQ(RenderAsk(Surface::kMessages, ask, "m", false)["stop_sequences"], Ask(R"(["."])"));
}

TEST(RenderAsk, ToolsAndTheirChoice) {
  const json ask = Ask(R"({"prompt": "", "tools": [{"name": "add"}], "tool_choice": "required"})");
  EXPECT_EQ(RenderAsk(Surface::kChat, ask, "m", false)["tools"][0], Ask(R"({"type": "function",
      "function": {"name": "add", "parameters": {"type": "object"}}})"));
  EXPECT_EQ(RenderAsk(Surface::kMessages, ask, "m", false)["tools"][0],
            Ask(R"({"name": "add", "input_schema": {"type": "object"}})"));
  EXPECT_EQ(RenderAsk(Surface::kMessages, ask, "m", false)["tool_choice"],
            Ask(R"({"type": "any"})"));
  EXPECT_EQ(RenderAsk(Surface::kResponses, ask, "m", false)["tools"][0]["name"], "add");
  const json named = Ask(R"({"prompt": "", "tool_choice": {"name": "add"}})");
  EXPECT_EQ(RenderAsk(Surface::kChat, named, "m", false)["tool_choice"],
            Ask(R"({"type": "function", "function": {"name": "add"}})"));
  EXPECT_EQ(RenderAsk(Surface::kMessages, named, "m", false)["tool_choice"],
            Ask(R"({"type": "tool", "name": "add"})"));
}

TEST(RenderAsk, CallsAndTheirResults) {
  const json ask = Ask(R"({"turns": [{"user": "3+4?"},
      {"call": {"id": "c", "name": "add", "arguments": "{\"a\": 3}"}},
      {"result": {"id": "c", "text": "7"}}]})");
  const json chat = RenderAsk(Surface::kChat, ask, "m", false)["messages"];
  EXPECT_EQ(chat[1]["tool_calls"][0]["function"]["arguments"], "{\"a\": 3}");
  EXPECT_EQ(chat[2], Ask(R"({"role": "tool", "tool_call_id": "c", "content": "7"})"));
  const json messages = RenderAsk(Surface::kMessages, ask, "m", false)["messages"];
  EXPECT_EQ(messages[1]["content"][0]["input"], Ask(R"({"a": 3})"));
  EXPECT_EQ(messages[2]["content"][0]["tool_use_id"], "c");
  const json input = RenderAsk(Surface::kResponses, ask, "m", false)["input"];
  EXPECT_EQ(input[1]["call_id"], "c");
  EXPECT_EQ(input[2], Ask(R"({"type": "function_call_output", "call_id": "c", "output": "7"})"));
}

std::string ErrorOf(Surface surface, const char* ask) {
  try {
    RenderAsk(surface, Ask(ask), "m", false);
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

TEST(RenderAsk, SaysWhatASurfaceHasNoWordsFor) {
  EXPECT_EQ(ErrorOf(Surface::kCompletions, R"({"system": "a"})"),
            "completions has no words for system");
  EXPECT_EQ(ErrorOf(Surface::kCompletions, R"({"tools": []})"),
            "completions has no words for tools");
  EXPECT_EQ(ErrorOf(Surface::kResponses, R"({"stop": "."})"), "responses has no words for stop");
  EXPECT_EQ(ErrorOf(Surface::kChat, R"({"pormpt": "."})"), "unknown key \"pormpt\" of a question");
  EXPECT_EQ(ErrorOf(Surface::kChat, R"({"turns": [{"usr": "."}]})"), "unknown turn \"usr\"");
}

}  // namespace
}  // namespace parity::wire
