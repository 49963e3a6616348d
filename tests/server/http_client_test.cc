#include "gtest_parity/server/http_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/server/port.h"
#include "tests/server/fixture_server.h"

namespace parity {
namespace {

using testing::HasSubstr;

class HttpClients : public testing::Test {
 protected:
  HttpClients() : server_(FixtureServer(), FixtureOptions()) { server_.WaitUntilReady(); }
  ServerProcess server_;
};

TEST_F(HttpClients, GetAndPost) {
  const HttpClient client = server_.Client();
  const HttpReply got = client.Get("/v1/models");
  EXPECT_TRUE(got.Succeeded());
  EXPECT_EQ(got.headers.at("content-type"), "application/json");
  EXPECT_THAT(got.body, HasSubstr("fixture"));
  EXPECT_EQ(client.Post("/echo", "{\"a\": 1}").body,
            R"({"type": "application/json", "body": "{\"a\": 1}"})");
}

TEST_F(HttpClients, StatusesAreAnswers) {
  const HttpReply reply = server_.Client().Get("/nothing");
  EXPECT_EQ(reply.status, 404);
  EXPECT_FALSE(reply.Succeeded());
  EXPECT_EQ(reply.body, R"({"error": "nothing there"})");
  EXPECT_EQ(reply.error, "");
}

TEST_F(HttpClients, StreamsAreHandedOver) {
  std::string all;
  const auto take = [&](std::string_view bytes) {
    all += bytes;
    return true;
  };
  const HttpReply reply = server_.Client().PostStreamed("/stream", "{}", take);
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, "");
  EXPECT_EQ(all, "one two three");
}

TEST_F(HttpClients, HangsUpWhenTold) {
  int times = 0;
  const auto refuse = [&](std::string_view) { return ++times > 1; };
  const HttpReply reply = server_.Client().PostStreamed("/stream", "{}", refuse);
  EXPECT_EQ(times, 1);
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.error, "");
}

TEST_F(HttpClients, TimeIsUp) {
  const HttpReply reply = HttpClient(server_.port(), 0.3).Post("/hang", "{}");
  EXPECT_EQ(reply.status, 0);
  EXPECT_TRUE(reply.timed_out);
}

// The library counts in whole milliseconds.
TEST_F(HttpClients, TimeIsUpWithinAMillisecond) {
  const HttpReply reply = HttpClient(server_.port(), 0.0509).Post("/hang", "{}");
  EXPECT_EQ(reply.error, "no answer in time");
}

TEST(HttpClient, NothingListens) {
  const HttpReply reply = HttpClient(FreePort(), 5).Get("/");
  EXPECT_EQ(reply.status, 0);
  EXPECT_FALSE(reply.timed_out);
  EXPECT_NE(reply.error, "");
}

}  // namespace
}  // namespace parity
