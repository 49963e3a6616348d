// Tool calls that are gone on with by their results alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engines/server/wire_client.h"

namespace parity {
namespace {

using json = nlohmann::ordered_json;
using testing::HasSubstr;

json Tools() { return json::array({{{"type", "function"}, {"name", "sum"}}}); }

json Call(bool stream = false) {
  return {{"input", "Add one and two."}, {"tools", Tools()}, {"stream", stream}};
}

json Result(const std::string& id) {
  return {{"input", {{{"type", "function_call_output"}, {"call_id", id}, {"output", "3"}}}},
          {"tools", Tools()},
          {"max_output_tokens", 6}};
}

std::string CallIdOf(const json& response) { return response["output"].back()["call_id"]; }

json Ended(const Reply& reply) { return EventsIn(reply.body).back().json()["response"]; }

// Whether a long answer has begun, which others wait for.
bool Occupies(Connection& connection) {
  const json request = {{"messages", {{{"role", "user"}, {"content", "Runs"}}}},
                        {"max_tokens", 400},
                        {"stream", true},
                        {"parity", {{"ignore_end", true}}}};
  connection.Send(RequestText("POST", "/v1/chat/completions", request.dump()));
  return connection.ReadUntil("content");
}

TEST(Continuations, AResultAloneGoesOnOnce) {
  const RunningServer server({});
  for (const bool stream : {false, true}) {
    const Reply reply = Post(server.port(), "/v1/responses", Call(stream));
    const json called = stream ? Ended(reply) : reply.json();
    const Reply next = Post(server.port(), "/v1/responses", Result(CallIdOf(called)));
    ASSERT_EQ(next.status, 200) << next.body;
    // All that was computed is gone on with: in the serial session, or the bank that was kept.
    EXPECT_EQ(next.json()["usage"]["input_tokens_details"]["cached_tokens"],
              called["usage"]["total_tokens"]);
    const Reply again = Post(server.port(), "/v1/responses", Result(CallIdOf(called)));
    EXPECT_EQ(again.status, 400);
    EXPECT_THAT(again.body, HasSubstr("replay the full history"));
  }
  const json counts = Stats(server.port())["continuations"];
  EXPECT_EQ(counts, (json{{"published", 2},
                          {"resolved", 2},
                          {"missed", 2},
                          {"claimed", 2},
                          {"expired", 0},
                          {"demoted", 0},
                          {"live", 0}}));
  const json reasons = Stats(server.port())["route_decisions"];
  EXPECT_EQ(reasons["serial_frontier"], 1);
  EXPECT_EQ(reasons["bank_frontier"], 1);
}

TEST(Continuations, AFullHistoryNeedsNone) {
  const RunningServer server({});
  const json called = Post(server.port(), "/v1/responses", Call()).json();
  json replay = Result(CallIdOf(called));
  const json question = {{"role", "user"}, {"content", "Add one and two."}};
  replay["input"] = json::array({question, called["output"].back(), replay["input"][0]});
  const json next = Post(server.port(), "/v1/responses", replay).json();
  EXPECT_EQ(next["usage"]["input_tokens_details"]["cached_tokens"],
            called["usage"]["total_tokens"]);
  EXPECT_EQ(Stats(server.port())["continuations"]["claimed"], 1);
  // What it went on with is gone, which does not matter.
  EXPECT_EQ(Post(server.port(), "/v1/responses", replay).status, 200);
  EXPECT_EQ(Stats(server.port())["continuations"]["missed"], 0);
}

TEST(Continuations, OtherSurfacesAndOtherSetsMiss) {
  const RunningServer server({});
  const std::string id = CallIdOf(Post(server.port(), "/v1/responses", Call()).json());
  const json as_chat = {{"messages", {{{"role", "tool"}, {"tool_call_id", id}, {"content", "3"}}}}};
  EXPECT_EQ(Post(server.port(), "/v1/chat/completions", as_chat).status, 400);
  json more = Result(id);
  more["input"].push_back(Result("call_other")["input"][0]);
  EXPECT_EQ(Post(server.port(), "/v1/responses", more).status, 400);
  EXPECT_EQ(Post(server.port(), "/v1/responses", Result(id)).status, 200);
}

TEST(Continuations, MessagesHaveTheirOwnIds) {
  const RunningServer server({});
  const json called = Post(server.port(), "/v1/messages",
                           {{"messages", {{{"role", "user"}, {"content", "Add."}}}},
                            {"tools", {{{"name", "sum"}}}},
                            {"max_tokens", 30}})
                          .json();
  EXPECT_EQ(called["stop_reason"], "tool_use");
  const std::string id = called["content"].back()["id"];
  EXPECT_THAT(id, testing::StartsWith("toolu_"));
  const json result = {
      {"messages",
       {{{"role", "user"},
         {"content", {{{"type", "tool_result"}, {"tool_use_id", id}, {"content", "3"}}}}}}},
      {"max_tokens", 4}};
  const json next = Post(server.port(), "/v1/messages", result).json();
  EXPECT_GT(next["usage"]["cache_read_input_tokens"], 0);
}

TEST(Continuations, TheyExpireAndAreFew) {
  const RunningServer server(
      {kPaged, json::object(), {{"continuation_ttl_ms", 50}, {"continuation_records", 1}}});
  const std::string id = CallIdOf(Post(server.port(), "/v1/responses", Call()).json());
  Post(server.port(), "/v1/responses", Call());
  const json stats = StatsWhen(
      server.port(), [](const json& stats) { return stats["continuations"]["expired"] == 2; });
  EXPECT_EQ(stats["continuations"]["live"], 0);
  EXPECT_EQ(Post(server.port(), "/v1/responses", Result(id)).status, 400);
}

TEST(Continuations, AKeptBankIsGivenUpInTimeOrInNeed) {
  const RunningServer timely({kPaged, json::object(), {{"continuation_pin_ms", 50}}});
  Post(timely.port(), "/v1/responses", Call(true));
  const auto demoted = [](const json& stats) { return stats["continuations"]["demoted"] == 1; };
  const json stats = StatsWhen(timely.port(), demoted);
  EXPECT_EQ(stats["continuations"]["demoted"], 1);
  EXPECT_EQ(stats["continuations"]["live"], 1);
  const RunningServer needy({kPaged, {{"banks", 1}}, json::object()});
  const std::string id = CallIdOf(Ended(Post(needy.port(), "/v1/responses", Call(true))));
  EXPECT_EQ(Post(needy.port(), "/v1/completions", {{"prompt", "a"}, {"max_tokens", 1}}).status,
            200);
  EXPECT_EQ(Stats(needy.port())["continuations"]["demoted"], 1);
  EXPECT_EQ(Post(needy.port(), "/v1/responses", Result(id)).status, 200);
}

// The record is held by a request that waits, and then is gone.
TEST(Continuations, OneThatIsHeldIsWaitedFor) {
  const RunningServer server(
      {kPaged, {{"banks", 1}}, {{"pace_us", 3000}, {"continuation_hold_ms", 200}}});
  const std::string id = CallIdOf(Post(server.port(), "/v1/responses", Call()).json());
  Connection running(server.port());
  ASSERT_TRUE(Occupies(running));
  Connection holder(server.port());
  holder.Send(RequestText("POST", "/v1/responses", Result(id).dump()));
  StatsWhen(server.port(), [](const json& stats) { return stats["queue_depth"] == 1; });
  const Reply second = Post(server.port(), "/v1/responses", Result(id));
  EXPECT_EQ(second.status, 503);
  EXPECT_EQ(second.headers.at("retry-after"), "5");
  EXPECT_EQ(Stats(server.port())["sheds"]["continuation_hold"], 1);
}

// Found when the request was read, expired before its turn came.
TEST(Continuations, OneThatIsGoneBeforeItsTurnIsAConflict) {
  const RunningServer server(
      {kPaged, {{"banks", 1}}, {{"pace_us", 3000}, {"continuation_ttl_ms", 600}}});
  const std::string id = CallIdOf(Post(server.port(), "/v1/responses", Call()).json());
  Connection running(server.port());
  ASSERT_TRUE(Occupies(running));
  const Reply late = Post(server.port(), "/v1/responses", Result(id));
  EXPECT_EQ(late.status, 409);
  EXPECT_EQ(late.json()["error"]["code"], "continuation_gone");
}

}  // namespace
}  // namespace parity
