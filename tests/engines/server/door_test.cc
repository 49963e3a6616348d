// The HTTP door: how a request may come, and what is said without a generation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engines/server/wire_client.h"

namespace parity {
namespace {

using json = nlohmann::ordered_json;
using testing::HasSubstr;

class Door : public testing::Test {
 protected:
  static const RunningServer& Server() {
    static const RunningServer server({});
    return server;
  }
  static int port() { return Server().port(); }
  static std::string Body() { return R"({"prompt":"In d\u00e9but","max_tokens":3})"; }
  // The answer's text, however it was asked for.
  static std::string TextOf(const Reply& reply) {
    EXPECT_EQ(reply.status, 200) << reply.body;
    return reply.json()["choices"][0]["text"];
  }
  static std::string Expected() {
    static const std::string text = TextOf(Fetch(port(), "POST", "/v1/completions", Body()));
    return text;
  }
};

TEST_F(Door, ChunkedBodiesAreRead) {
  const std::string body = Body();
  std::string chunks;
  for (std::size_t at = 0; at < body.size(); at += 7) {
    const std::string part = body.substr(at, 7);
    chunks += "0" + std::to_string(part.size()) + "\r\n" + part + "\r\n";
  }
  Connection connection(port());
  connection.Send(RequestText("POST", "/v1/completions", chunks + "0\r\n\r\n",
                              "Transfer-Encoding: chunked\r\n"));
  EXPECT_EQ(TextOf(connection.ReadAll()), Expected());
}

TEST_F(Door, RequestsMayDribble) {
  Connection connection(port());
  for (const char byte : RequestText("POST", "/v1/completions", Body())) {
    connection.Send(std::string(1, byte));
  }
  EXPECT_EQ(TextOf(connection.ReadAll()), Expected());
}

TEST_F(Door, ExpectIsAnsweredFirst) {
  Connection connection(port());
  const std::string text =
      RequestText("POST", "/v1/completions", Body(), "Expect: 100-continue\r\n");
  const std::size_t body = text.find("\r\n\r\n") + 4;
  connection.Send(text.substr(0, body));
  ASSERT_TRUE(connection.ReadUntil("100 Continue\r\n\r\n"));
  connection.Send(text.substr(body));
  connection.ReadAll();
  EXPECT_THAT(connection.received(), HasSubstr("HTTP/1.1 200 OK"));
}

TEST_F(Door, AConnectionServesOneRequest) {
  Connection connection(port());
  connection.Send(RequestText("GET", "/health", "") + RequestText("GET", "/v1/models", ""));
  const Reply reply = connection.ReadAll();
  EXPECT_EQ(reply.headers.at("connection"), "close");
  EXPECT_THAT(connection.received(), testing::Not(HasSubstr("\"data\"")));
}

TEST_F(Door, QueriesAreNoPartOfThePath) {
  EXPECT_EQ(TextOf(Fetch(port(), "POST", "/v1/completions?beta=true", Body())), Expected());
}

TEST_F(Door, BrowsersAreLetIn) {
  const Reply preflight = Fetch(port(), "OPTIONS", "/v1/messages");
  EXPECT_EQ(preflight.status, 204);
  EXPECT_EQ(preflight.body, "");
  for (const char* name :
       {"authorization", "x-api-key", "anthropic-dangerous-direct-browser-access",
        "x-stainless-helper-method", "content-type"}) {
    EXPECT_THAT(preflight.headers.at("access-control-allow-headers"), HasSubstr(name));
  }
  EXPECT_EQ(Fetch(port(), "GET", "/nowhere").headers.at("access-control-allow-origin"), "*");
}

TEST_F(Door, WhatIsNotThereIsSaidNatively) {
  const Reply nothing = Fetch(port(), "GET", "/v1/nothing");
  EXPECT_EQ(nothing.status, 404);
  EXPECT_EQ(nothing.json()["error"]["type"], "invalid_request_error");
  const Reply wrong = Fetch(port(), "GET", "/v1/messages");
  EXPECT_EQ(wrong.status, 405);
  EXPECT_EQ(wrong.headers.at("allow"), "POST, OPTIONS");
  EXPECT_EQ(wrong.json()["type"], "error");
  Connection connection(port());
  connection.Send("nonsense\r\n\r\n");
  EXPECT_EQ(connection.ReadAll().status, 400);
}

TEST_F(Door, ModelsAreListed) {
  const json list = Fetch(port(), "GET", "/v1/models").json();
  const json model = list["data"][0];
  EXPECT_EQ(list["object"], "list");
  EXPECT_EQ(model["id"], "paged");
  EXPECT_EQ(Fetch(port(), "GET", "/v1/models/paged").json(), model);
  const Reply other = Fetch(port(), "GET", "/v1/models/other");
  EXPECT_EQ(other.status, 404);
  EXPECT_EQ(other.json()["error"]["code"], "model_not_found");
}

}  // namespace
}  // namespace parity
