// Each surface over HTTP, whole and streamed, from the server of each variant.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engines/server/wire_client.h"
#include "tests/engines/serving/serving_driver.h"

namespace parity {
namespace {

using json = nlohmann::ordered_json;
using testing::HasSubstr;

// One server for all that follows: its sessions go on, so prompts say which case they are of.
class Surfaces : public testing::TestWithParam<const char*> {
 protected:
  static RunningServer& Server(const std::string& variant) {
    static std::map<std::string, std::unique_ptr<RunningServer>> servers;
    std::unique_ptr<RunningServer>& server = servers[variant];
    if (!server) {
      server = std::make_unique<RunningServer>(
          ServerSetup{kPaged, {{"banks", 2}}, {{"variant", variant}}});
    }
    return *server;
  }
  int port() { return Server(GetParam()).port(); }

  json Whole(const std::string& path, const json& body) {
    const Reply reply = Post(port(), path, body);
    EXPECT_EQ(reply.status, 200) << reply.body;
    EXPECT_EQ(reply.headers.at("content-type"), "application/json");
    EXPECT_TRUE(reply.whole);
    return reply.json();
  }
  std::vector<Event> Streamed(const std::string& path, json body) {
    body["stream"] = true;
    const Reply reply = Post(port(), path, body);
    EXPECT_EQ(reply.status, 200) << reply.body;
    EXPECT_EQ(reply.headers.at("content-type"), "text/event-stream");
    EXPECT_TRUE(reply.whole);
    return EventsIn(reply.body);
  }
  Reply Refused(const std::string& path, const json& body, int status) {
    const Reply reply = Post(port(), path, body);
    EXPECT_EQ(reply.status, status) << body << "\n" << reply.body;
    return reply;
  }
};

INSTANTIATE_TEST_SUITE_P(All, Surfaces, testing::Values("reference", "ported"),
                         [](const auto& test) { return std::string(test.param); });

json User(const std::string& text) { return json::array({{{"role", "user"}, {"content", text}}}); }
json ChatTool() { return json::array({{{"type", "function"}, {"function", {{"name", "sum"}}}}}); }

std::string ContentOf(const std::vector<Event>& events, const char* key = "content") {
  std::string text;
  for (const Event& event : events) {
    if (event.data == "[DONE]" || event.json()["choices"].empty()) continue;
    text += event.json()["choices"][0]["delta"].value(key, "");
  }
  return text;
}

TEST_P(Surfaces, ChatStreamsWhatItAnswers) {
  for (const json& more : {json{{"max_tokens", 20}}, json{{"max_tokens", 30}, {"think", true}},
                           json{{"max_tokens", 12}, {"think", false}}, json{{"max_tokens", 0}},
                           json{{"max_tokens", 200}}}) {
    json body = {{"messages", User("Chat.")}, {"stream_options", {{"include_usage", true}}}};
    body.update(more);
    const json whole = Whole("/v1/chat/completions", body);
    const std::vector<Event> events = Streamed("/v1/chat/completions", body);
    const json& choice = whole["choices"][0];
    EXPECT_EQ(ContentOf(events), choice["message"]["content"]);
    EXPECT_EQ(ContentOf(events, "reasoning_content"),
              choice["message"].value("reasoning_content", ""));
    ASSERT_GE(events.size(), 3u);
    EXPECT_EQ(events.back().data, "[DONE]");
    const json usage = events[events.size() - 2].json()["usage"];
    EXPECT_EQ(usage["completion_tokens"], whole["usage"]["completion_tokens"]);
    EXPECT_EQ(usage["prompt_tokens"], whole["usage"]["prompt_tokens"]);
    EXPECT_EQ(events[events.size() - 3].json()["choices"][0]["finish_reason"],
              choice["finish_reason"]);
    EXPECT_EQ(whole["parity"]["ids"].size(), whole["usage"]["completion_tokens"]);
  }
}

TEST_P(Surfaces, TheTextIsTheEngines) {
  const json body = {{"messages", User("Same.")}, {"max_tokens", 9}};
  json request = body;
  request["surface"] = "chat";
  const json direct = Answers({kPaged}, {Complete(request)})[0];
  EXPECT_EQ(Whole("/v1/chat/completions", body)["choices"][0]["message"]["content"],
            direct["text"]);
  EXPECT_EQ(Whole("/v1/messages", body)["content"][0]["text"], direct["text"]);
  const json response = Whole("/v1/responses", {{"input", "Same."}, {"max_output_tokens", 9}});
  EXPECT_EQ(response["output"][0]["content"][0]["text"], direct["text"]);
  EXPECT_EQ(response["usage"]["input_tokens"], direct["usage"]["prompt"]);
}

TEST_P(Surfaces, ThinkingIsToldApart) {
  const json chat = Whole("/v1/chat/completions",
                          {{"messages", User("Think.")}, {"max_tokens", 40}, {"think", true}});
  const json message = chat["choices"][0]["message"];
  EXPECT_NE(message["reasoning_content"], "");
  EXPECT_THAT(message.dump(), testing::Not(HasSubstr("think>")));
  EXPECT_GT(chat["usage"]["completion_tokens_details"]["reasoning_tokens"], 0);
  const json cut =
      Whole("/v1/messages",
            {{"messages", User("Think.")}, {"max_tokens", 2}, {"thinking", {{"type", "enabled"}}}});
  EXPECT_EQ(cut["content"][0]["thinking"].get<std::string>().substr(0, 2),
            message["reasoning_content"].get<std::string>().substr(0, 2));
  EXPECT_EQ(cut["content"][1], (json{{"type", "text"}, {"text", ""}}));
  EXPECT_EQ(cut["stop_reason"], "max_tokens");
  const json hidden =
      Whole("/v1/responses",
            {{"input", "Think."}, {"max_output_tokens", 40}, {"reasoning", {{"effort", "low"}}}});
  EXPECT_EQ(hidden["output"].size(), 1);
  EXPECT_GT(hidden["usage"]["output_tokens_details"]["reasoning_tokens"], 0);
}

TEST_P(Surfaces, ToolChoicesDecideWhetherToolsAreCalled) {
  const auto finish = [&](const json& more) {
    json body = {{"messages", User("Add.")}, {"max_tokens", 40}, {"tools", ChatTool()}};
    body.update(more);
    return Whole("/v1/chat/completions", body)["choices"][0];
  };
  const json called = finish(json::object());
  EXPECT_EQ(called["finish_reason"], "tool_calls");
  const json call = called["message"]["tool_calls"][0];
  EXPECT_EQ(call["function"]["name"], "sum");
  EXPECT_TRUE(json::parse(call["function"]["arguments"].get<std::string>()).is_object());
  EXPECT_EQ(finish({{"tool_choice", "required"}})["finish_reason"], "tool_calls");
  EXPECT_FALSE(finish({{"tool_choice", "none"}})["message"].contains("tool_calls"));
  const json cut = finish({{"max_tokens", 3}});
  EXPECT_EQ(cut["finish_reason"], "length");
  EXPECT_NE(cut["message"]["content"], "");
  Refused("/v1/chat/completions", {{"messages", User("a")}, {"tool_choice", "required"}}, 400);
  Refused("/v1/chat/completions",
          {{"messages", User("a")}, {"tools", ChatTool()}, {"tool_choice", {{"type", "function"}}}},
          400);
}

TEST_P(Surfaces, StopStringsAreNeverTold) {
  const json body = {{"messages", User("Stop.")}, {"max_tokens", 20}};
  const std::string text = Whole("/v1/chat/completions", body)["choices"][0]["message"]["content"];
  ASSERT_GT(text.size(), 20u);
  // Begins and ends within tokens.
  const std::string stop = text.substr(7, 5), before = text.substr(0, text.find(stop));
  json with = body;
  with["stop"] = json::array({stop, "never said"});
  const json whole = Whole("/v1/chat/completions", with)["choices"][0];
  EXPECT_EQ(whole["message"]["content"], before);
  EXPECT_EQ(whole["finish_reason"], "stop");
  EXPECT_EQ(ContentOf(Streamed("/v1/chat/completions", with)), before);
  json held = body;
  held["stop"] = text.substr(text.size() - 2) + "@@";
  EXPECT_EQ(ContentOf(Streamed("/v1/chat/completions", held)), text);
  const json message =
      Whole("/v1/messages",
            {{"messages", User("Stop.")}, {"max_tokens", 20}, {"stop_sequences", {stop}}});
  EXPECT_EQ(message["stop_reason"], "stop_sequence");
  EXPECT_EQ(message["stop_sequence"], stop);
}

TEST_P(Surfaces, CompletionsStreamTexts) {
  const json body = {{"prompt", "In the beginning"}, {"max_tokens", 9}};
  const json whole = Whole("/v1/completions", body);
  std::string text;
  for (const Event& event : Streamed("/v1/completions", body)) {
    if (event.data == "[DONE]") continue;
    EXPECT_EQ(event.json()["object"], "text_completion");
    EXPECT_FALSE(event.json()["choices"][0].contains("delta"));
    text += event.json()["choices"][0]["text"].get<std::string>();
  }
  EXPECT_EQ(text, whole["choices"][0]["text"]);
}

TEST_P(Surfaces, CharactersAreWholeInEveryEvent) {
  const std::string said = "d\u00e9j\u00e0 \u65e5\u672c \U0001f600!";
  const std::vector<Event> events =
      Streamed("/v1/chat/completions", {{"messages", User("Say it.")},
                                        {"max_tokens", 40},
                                        {"parity", {{"forced", said}, {"lane", "continuous"}}}});
  for (const Event& event : events) EXPECT_THAT(event.data, testing::Not(HasSubstr("\ufffd")));
  EXPECT_THAT(ContentOf(events), testing::StartsWith(said));
}

TEST_P(Surfaces, ASecondTurnIsCached) {
  const json first = Whole("/v1/chat/completions",
                           {{"messages", User("Cache.")}, {"max_tokens", 30}, {"think", true}});
  json messages = User("Cache.");
  messages.push_back(first["choices"][0]["message"]);
  messages.push_back({{"role", "user"}, {"content", "More."}});
  const json second =
      Whole("/v1/chat/completions", {{"messages", messages}, {"max_tokens", 1}, {"think", true}});
  EXPECT_EQ(second["usage"]["prompt_tokens_details"]["cached_tokens"],
            first["usage"]["total_tokens"]);
  const json usage = Whole("/v1/messages", {{"messages", User("Cache.")},
                                            {"max_tokens", 1},
                                            {"thinking", {{"type", "enabled"}}}})["usage"];
  EXPECT_EQ(usage["input_tokens"].get<int>() + usage["cache_read_input_tokens"].get<int>(),
            first["usage"]["prompt_tokens"]);
}

TEST_P(Surfaces, SystemTextsAreOne) {
  const json chat = Whole(
      "/v1/chat/completions",
      {{"messages",
        {{{"role", "developer"}, {"content", "Be brief."}}, {{"role", "user"}, {"content", "Hi"}}}},
       {"max_tokens", 1}});
  const json message =
      Whole("/v1/messages", {{"system", "Be brief."}, {"messages", User("Hi")}, {"max_tokens", 1}});
  const json response = Whole(
      "/v1/responses", {{"instructions", "Be brief."}, {"input", "Hi"}, {"max_output_tokens", 1}});
  EXPECT_EQ(message["content"][0]["text"], chat["choices"][0]["message"]["content"]);
  EXPECT_EQ(response["usage"]["input_tokens"], chat["usage"]["prompt_tokens"]);
}

TEST_P(Surfaces, BudgetsAreTheClientsOwn) {
  for (const char* key : {"max_tokens", "max_completion_tokens"}) {
    const Reply reply = Refused("/v1/chat/completions", {{"messages", User("a")}, {key, -1}}, 400);
    EXPECT_EQ(reply.json()["error"]["param"], key);
  }
  EXPECT_THAT(Refused("/v1/responses", {{"input", "a"}, {"max_output_tokens", -1}}, 400).body,
              HasSubstr("max_output_tokens"));
  const json none = Whole("/v1/messages", {{"messages", User("Zero.")}, {"max_tokens", 0}});
  EXPECT_EQ(none["usage"]["output_tokens"], 0);
  EXPECT_EQ(none["stop_reason"], "max_tokens");
  const json empty = Whole("/v1/responses", {{"input", "Zero."}, {"max_output_tokens", 0}});
  EXPECT_EQ(empty["status"], "incomplete");
  EXPECT_EQ(empty["output"], json::array());
}

TEST_P(Surfaces, WhatIsNotServedIsRefused) {
  const json message = {{"messages", User("a")}};
  const auto with = [](json body, const char* key, const json& value) {
    body[key] = value;
    return body;
  };
  const json schema = {{"type", "json_object"}};
  const std::tuple<const char*, json, const char*> cases[] = {
      {"/v1/chat/completions", with(message, "response_format", schema), "response_format"},
      {"/v1/chat/completions", with(message, "n", 2), "n"},
      {"/v1/chat/completions", with(message, "logprobs", true), "logprobs"},
      {"/v1/completions", {{"prompt", "a"}, {"suffix", "b"}}, "suffix"},
      {"/v1/responses",
       {{"input", "a"}, {"previous_response_id", "resp_1"}},
       "previous_response_id"},
      {"/v1/responses", {{"input", "a"}, {"text", {{"format", schema}}}}, "text.format"},
  };
  for (const auto& [path, body, param] : cases) {
    const json error = Refused(path, body, 400).json()["error"];
    EXPECT_EQ(error["param"], param);
    EXPECT_EQ(error["code"], "unsupported_parameter");
    EXPECT_EQ(error["type"], "invalid_request_error");
  }
  EXPECT_THAT(Refused("/v1/messages", with(message, "output_format", schema), 400).body,
              HasSubstr("output_format"));
  EXPECT_EQ(
      Refused("/v1/chat/completions", with(message, "model", "other"), 404).json()["error"]["code"],
      "model_not_found");
}

TEST_P(Surfaces, ImagesAreChecked) {
  const auto ask = [&](const std::string& url, const char* role = "user") {
    return Post(port(), "/v1/chat/completions",
                {{"messages",
                  {{{"role", role},
                    {"content",
                     {{{"type", "text"}, {"text", "See."}},
                      {{"type", "image_url"}, {"image_url", {{"url", url}}}}}}}}},
                 {"max_tokens", 1}});
  };
  const std::string png = "data:image/png;base64,iVBORw0KGgo=";
  EXPECT_EQ(ask(png).status, 200);
  EXPECT_EQ(ask(png, "system").status, 400);
  EXPECT_EQ(ask("https://example.org/a.png").status, 400);
  EXPECT_EQ(ask("data:image/jpeg;base64,iVBORw0KGgo=").status, 400);
  EXPECT_EQ(ask("data:image/png;base64,iVBORw0KGgp=").status, 400);  // bits that say nothing
  EXPECT_EQ(ask("data:image/gif;base64,R0lGODlh").status, 400);
  const json message = {
      {"role", "user"},
      {"content",
       {{{"type", "image"},
         {"source",
          {{"type", "base64"}, {"media_type", "image/png"}, {"data", "iVBORw0KGgo="}}}}}}};
  EXPECT_EQ(Post(port(), "/v1/messages", {{"messages", {message}}, {"max_tokens", 1}}).status, 200);
  EXPECT_EQ(Post(port(), "/v1/messages",
                 {{"messages", {message, message, message, message, message}}, {"max_tokens", 1}})
                .status,
            400);
}

TEST_P(Surfaces, APromptThatDoesNotFitIsExplained) {
  const std::string text(4000, 'x');
  const json chat = Refused("/v1/chat/completions", {{"messages", User(text)}}, 400).json();
  EXPECT_EQ(chat["error"]["code"], "context_length_exceeded");
  EXPECT_EQ(chat["error"]["param"], "messages");
  const json message =
      Refused("/v1/messages", {{"messages", User(text)}, {"stream", true}}, 400).json();
  EXPECT_EQ(message["type"], "error");
  EXPECT_EQ(message["error"]["type"], "invalid_request_error");
}

TEST_P(Surfaces, BadBodiesAreExplained) {
  const std::pair<const char*, const char*> bodies[] = {
      {"{", "not JSON"},
      {"[]", "not a JSON object"},
      {"{}", "missing messages"},
      {R"({"messages": 3})", "messages: expected an array"},
      {R"({"messages": [3]})", "messages[0]: expected an object"},
      {R"({"messages": [{"role": 1}]})", "messages[0].role: expected a string"},
      {R"({"messages": [{"role": "user", "content": [{"type": "song"}]}]})", "image_url"},
      {R"({"messages": [{"role": "user", "content": "</s>"}]})", "control marker"},
      {R"({"messages": [{"content": "a"}], "stream": 1})", "stream: expected true or false"},
      {R"({"messages": [{"content": "a"}], "temperature": "hot"})",
       "temperature: expected a number"},
      {R"({"messages": [{"content": "a"}], "stop": [1]})", "stop: expected a string"},
      {R"({"messages": [{"content": "a"}], "parity": {"do": "stop"}})", "without \"do\""},
      {R"({"messages": [{"content": "a"}], "parity": {"pin": 1}})", "request.pin is 1"}};
  for (const auto& [body, words] : bodies) {
    const Reply reply = Fetch(port(), "POST", "/v1/chat/completions", body);
    EXPECT_EQ(reply.status, 400) << body;
    EXPECT_THAT(reply.json()["error"]["message"].get<std::string>(), HasSubstr(words)) << body;
  }
  EXPECT_THAT(Fetch(port(), "POST", "/v1/completions", "{}").body, HasSubstr("missing prompt"));
  EXPECT_THAT(Fetch(port(), "POST", "/v1/responses", "{}").body, HasSubstr("missing input"));
  EXPECT_THAT(Fetch(port(), "POST", "/v1/messages", "{}").body, HasSubstr(R"("type":"error")"));
}

}  // namespace
}  // namespace parity
