#include "suites/kv/http_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suites/kv/answer.h"
#include "suites/kv/server.h"

namespace parity::kv {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

TEST(HttpRequest, Completion) {
  const HttpRequest http = HttpRequestOf(
      {{"prompt", "a"}, {"lane", "continuous"}, {"ignore_end", true}, {"logits", "/l"}}, "m");
  EXPECT_EQ(http.path, "/v1/completions");
  EXPECT_EQ(http.body, json::parse(R"({"model": "m", "prompt": "a", "max_tokens": 16,
      "temperature": 0, "parity": {"lane": "continuous", "ignore_end": true, "logits": "/l"}})"));
}

TEST(HttpRequest, Chat) {
  const HttpRequest http = HttpRequestOf(json::parse(R"({
      "do": "complete", "surface": "chat", "max_tokens": 0, "tools": true, "messages": [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": "", "tool_calls": [
          {"id": "c1", "arguments": {"a": "x", "b": "y"}}]}]})"),
                                         "m");
  EXPECT_EQ(http.path, "/v1/chat/completions");
  EXPECT_EQ(http.body.at("max_tokens"), 0);
  EXPECT_EQ(http.body.at("parity"), json::parse(R"({"lane": "serial"})"));
  EXPECT_EQ(http.body.at("messages").at(1), json::parse(R"({
      "role": "assistant", "content": "", "tool_calls": [{"id": "c1", "type": "function",
      "function": {"name": "pair_values", "arguments": "{\"a\":\"x\",\"b\":\"y\"}"}}]})"));
  EXPECT_EQ(http.body.at("tools").at(0).at("function").at("name"), "pair_values");
}

TEST(HttpRequest, NothingElseCanBeAsked) {
  for (const char* what : {"policy", "restore", "stop"}) {
    EXPECT_THROW(HttpRequestOf({{"do", what}}, "m"), NotAskable) << what;
  }
}

const json kPlain = json::parse(R"({
  "choices": [{"text": " b", "finish_reason": "length"}],
  "usage": {"prompt_tokens": 12, "completion_tokens": 2, "total_tokens": 14}})");

TEST(HttpAnswer, APlainServerTellsLittle) {
  const Answer answer = ParseAnswer(ServedAnswerOf(kPlain.dump(), false).dump());
  EXPECT_EQ(answer.text, " b");
  EXPECT_EQ(answer.finish, "length");
  EXPECT_EQ(answer.prompt, 12u);
  EXPECT_EQ(answer.output, 2u);
  EXPECT_THAT(answer.untold, UnorderedElementsAre("ids", "route", "ran", "events", "restored",
                                                  "cached", "computed", "hits", "refusals"));
}

TEST(HttpAnswer, StandardFieldsComeFirst) {
  json body = kPlain;
  body["usage"]["prompt_tokens_details"] = {{"cached_tokens", 8}};
  body["parity"] = json::parse(R"({"ids": [7, 9], "restored": null, "ran": {"ops": 3, "rows": 6},
      "usage": {"prompt": 1, "cached": 2, "computed": 4, "output": 3}, "route": {"lane": "serial"},
      "events": [{"event": "hit"}]})");
  const Answer answer = ParseAnswer(ServedAnswerOf(body.dump(), false).dump());
  EXPECT_TRUE(answer.untold.empty());
  EXPECT_EQ(answer.prompt, 12u);
  EXPECT_EQ(answer.cached, 8u);
  EXPECT_EQ(answer.computed, 4u);
  EXPECT_EQ(answer.hits, 1u);
  EXPECT_THAT(answer.ids, ElementsAre(7, 9));
  body.erase("usage");
  EXPECT_EQ(ParseAnswer(ServedAnswerOf(body.dump(), false).dump()).cached, 2u);
}

TEST(HttpAnswer, CallsOfAChat) {
  json body = kPlain;
  body["choices"][0] = json::parse(R"({"finish_reason": "tool_calls", "message": {"content": null,
      "tool_calls": [{"id": "c1", "function": {"name": "f", "arguments": "{\"a\": \"x\"}"}}]}})");
  const json served = ServedAnswerOf(body.dump(), true);
  EXPECT_EQ(served.at("tool_calls"),
            json::parse(R"([{"id": "c1", "name": "f", "arguments": {"a": "x"}}])"));
  const Answer answer = ParseAnswer(served.dump());
  EXPECT_EQ(answer.text, "");
  EXPECT_EQ(answer.calls, json::parse(R"([["f", {"a": "x"}]])"));
}

// A number that defaults to 0 would be a count.
TEST(HttpAnswer, WhatIsMissingIsNamed) {
  const auto error = [](const std::string& body) {
    try {
      ServedAnswerOf(body, false);
    } catch (const std::runtime_error& thrown) {
      return std::string(thrown.what());
    }
    return std::string("none");
  };
  EXPECT_THAT(error("no JSON"), HasSubstr("no completion: no JSON object: no JSON"));
  EXPECT_THAT(error("{}"), HasSubstr("choices[0] is missing"));
  json body = kPlain;
  body["usage"].erase("prompt_tokens");
  EXPECT_THAT(error(body.dump()), HasSubstr("/usage/prompt_tokens is missing"));
  body["usage"]["prompt_tokens"] = -1;
  EXPECT_THAT(error(body.dump()), HasSubstr("/usage/prompt_tokens: got -1, expected a count"));
  body = kPlain;
  body["choices"][0]["message"]["tool_calls"] = {{{"function", {{"arguments", "x"}}}}};
  EXPECT_THAT(error(body.dump()), HasSubstr("expected the text of a JSON object"));
  body = kPlain;
  body["choices"][0].erase("text");
  EXPECT_THROW(ParseAnswer(ServedAnswerOf(body.dump(), false).dump()), std::runtime_error);
}

}  // namespace
}  // namespace parity::kv
