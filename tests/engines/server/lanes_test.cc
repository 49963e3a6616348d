// Who is served where, who is turned away, and what becomes of those who leave.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "gtest_parity/engines/tiny/server/routing.h"
#include "tests/engines/server/wire_client.h"

namespace parity {
namespace {

using json = nlohmann::ordered_json;
using testing::HasSubstr;

json Prompt(const std::string& text, int tokens, bool stream = false) {
  return {{"prompt", text}, {"max_tokens", tokens}, {"stream", stream}};
}

// Of an answer that is under way for a while.
json Long(const std::string& text, bool stream = true) {
  json body = {{"messages", {{{"role", "user"}, {"content", text}}}},
               {"max_tokens", 400},
               {"stream", stream},
               {"parity", {{"ignore_end", true}, {"lane", "continuous"}}}};
  return body;
}

// At rest what was begun has ended somehow, and nothing is left.
void ExpectBalance(const json& stats) {
  std::uint64_t ended = 0;
  for (const auto& [name, count] : stats["outcomes"].items()) ended += count.get<std::uint64_t>();
  EXPECT_EQ(stats["started"], ended) << stats;
  for (const char* key : {"running", "queue_depth", "clients", "inflight_body_bytes"}) {
    EXPECT_EQ(stats[key], 0) << stats;
  }
}

bool IsAtRest(const json& stats) {
  return stats["running"] == 0 && stats["queue_depth"] == 0 && stats["clients"] == 0;
}

TEST(Routing, EveryRequestHasALane) {
  using namespace tiny_server;
  for (int bits = 0; bits < 1 << 12; ++bits) {
    const auto bit = [bits](int which) { return (bits >> which & 1) != 0; };
    Needs needs;
    needs.streaming = bit(0);
    needs.thinking = bit(1);
    needs.stop_scan = bit(2);
    needs.tool_scan = bit(3);
    needs.image = bit(4);
    needs.prefill_only = bit(5);
    needs.serial_frontier = bit(6);
    needs.bank_frontier = bit(7);
    if (bit(8)) needs.asked = ServedLane::kStatic;
    const LaneSet lanes{bit(9), bit(10), bit(11) ? 10u : 0u};
    const Route route = RouteOf(needs, lanes, 11);
    if (bit(8)) {
      EXPECT_EQ(route.lane, ServedLane::kStatic);
      continue;
    }
    EXPECT_TRUE(lanes.continuous || route.lane != ServedLane::kContinuous) << bits;
    if (route.lane == ServedLane::kStatic) {
      EXPECT_TRUE(lanes.gathered) << bits;
      EXPECT_FALSE(needs.streaming || needs.thinking || needs.stop_scan || needs.image) << bits;
    }
    if (needs.serial_frontier || needs.prefill_only) {
      EXPECT_TRUE(route.lane == ServedLane::kSerial || route.reason == Reason::kBankFrontier);
    }
  }
}

TEST(Lanes, RequestsAreServedWhereTheyBelong) {
  const RunningServer server({});
  const auto moved = [&](const char* path, const json& body, const char* surface,
                         const char* lane) {
    const json before = Stats(server.port());
    const Reply reply = Post(server.port(), path, body);
    EXPECT_EQ(reply.status, 200) << reply.body;
    const json after = Stats(server.port());
    for (const auto& [name, count] : after["routes"][surface].items()) {
      const int expected = before["routes"][surface][name].get<int>() + (name == lane ? 1 : 0);
      EXPECT_EQ(count, expected) << body << name;
    }
  };
  moved("/v1/completions", Prompt("a", 2), "completions", "continuous");
  moved("/v1/completions", Prompt("a", 0), "completions", "serial");
  json call = {{"messages", {{{"role", "user"}, {"content", "a"}}}},
               {"tools", {{{"type", "function"}, {"function", {{"name", "f"}}}}}}};
  moved("/v1/chat/completions", call, "chat", "serial");
  call["stream"] = true;
  moved("/v1/chat/completions", call, "chat", "continuous");
  moved("/v1/responses", {{"input", "a"}, {"parity", json::object()}}, "responses", "serial");
  ExpectBalance(StatsWhen(server.port(), IsAtRest));
}

TEST(Lanes, ABatchIsGatheredOrServedAlone) {
  const RunningServer server(
      {kPaged, json::object(), {{"continuous", false}, {"gather_ms", 1000}}});
  const json alone = Post(server.port(), "/v1/completions", Prompt("One", 6)).json();
  auto other = std::async(std::launch::async, [&] {
    return Post(server.port(), "/v1/completions", Prompt("Two", 9)).json();
  });
  const json first = Post(server.port(), "/v1/completions", Prompt("One", 6)).json();
  EXPECT_EQ(first["choices"][0]["text"], alone["choices"][0]["text"]);
  EXPECT_EQ(other.get()["usage"]["completion_tokens"], 9);
  EXPECT_EQ(first["parity"]["route"]["lane"], "static");
  EXPECT_EQ(alone["parity"]["route"]["lane"], "serial");
  const json stats = StatsWhen(server.port(), IsAtRest);
  EXPECT_EQ(stats["static_batches"], 1);
  EXPECT_EQ(stats["routes"]["completions"]["static"], 2);
  EXPECT_EQ(stats["routes"]["completions"]["serial"], 1);
  EXPECT_EQ(stats["route_decisions"]["gathered_alone"], 1);
  EXPECT_EQ(stats["route_decisions"]["gathered"], 3);
  ExpectBalance(stats);
}

TEST(Lanes, RequestsJoinARunningBatch) {
  const RunningServer server({kPaged, json::object(), {{"pace_us", 2000}}});
  Connection first(server.port());
  first.Send(RequestText("POST", "/v1/chat/completions", Long("Long").dump()));
  ASSERT_TRUE(first.ReadUntil("content"));
  const Reply second = Post(server.port(), "/v1/completions", Prompt("Two", 5));
  EXPECT_EQ(second.json()["usage"]["completion_tokens"], 5);
  EXPECT_EQ(Stats(server.port())["running"], 1);
  const Reply whole = first.ReadAll();
  EXPECT_TRUE(whole.whole);
  EXPECT_EQ(EventsIn(whole.body).back().data, "[DONE]");
}

TEST(Lanes, TheFirstEventComesBeforeTheLastToken) {
  const RunningServer server({kPaged, json::object(), {{"pace_us", 20000}}});
  Connection connection(server.port());
  connection.Send(RequestText("POST", "/v1/completions", Prompt("In", 10, true).dump()));
  ASSERT_TRUE(connection.ReadUntil("text_completion"));
  EXPECT_LT(Stats(server.port())["generated_tokens"], 10);
  EXPECT_TRUE(connection.ReadAll().whole);
}

TEST(Lanes, MetricsAndStatsAgreeWithUsage) {
  const RunningServer server({});
  std::uint64_t prompt = 0, cached = 0, output = 0;
  for (const char* text : {"One", "Two", "One"}) {
    const json usage = Post(server.port(), "/v1/completions", Prompt(text, 4)).json()["usage"];
    prompt += usage["prompt_tokens"].get<std::uint64_t>();
    cached += usage["prompt_tokens_details"]["cached_tokens"].get<std::uint64_t>();
    output += usage["completion_tokens"].get<std::uint64_t>();
  }
  const json stats = StatsWhen(server.port(), IsAtRest);
  EXPECT_EQ(stats["prompt_tokens_cached"], cached);
  EXPECT_EQ(stats["prompt_tokens_computed"], prompt - cached);
  EXPECT_EQ(stats["generated_tokens"], output);
  ExpectBalance(stats);
  const Reply metrics = Fetch(server.port(), "GET", "/metrics");
  EXPECT_EQ(metrics.headers.at("content-type"), "text/plain; version=0.0.4");
  EXPECT_THAT(metrics.body, HasSubstr("# TYPE parity_tiny_generated_tokens_total counter\n"
                                      "parity_tiny_generated_tokens_total " +
                                      std::to_string(output) + "\n"));
  EXPECT_THAT(metrics.body, HasSubstr("parity_tiny_requests_total{outcome=\"completed\"} 3\n"));
  const RunningServer without({kPaged, json::object(), {{"gathered", false}}});
  EXPECT_THAT(Fetch(without.port(), "GET", "/metrics").body,
              testing::Not(HasSubstr("static_batches")));
}

class Disconnects : public testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(All, Disconnects, testing::Bool(),
                         [](const auto& test) { return test.param ? "streamed" : "whole"; });

TEST_P(Disconnects, AClientThatGoesFreesItsSession) {
  const RunningServer server({kPaged, {{"banks", 1}}, {{"pace_us", 3000}}});
  const json body = Long("Gone", GetParam());
  {
    Connection connection(server.port());
    connection.Send(RequestText("POST", "/v1/chat/completions", body.dump()));
    StatsWhen(server.port(), [](const json& stats) { return stats["generated_tokens"] >= 3; });
  }
  const json stats = StatsWhen(server.port(), IsAtRest);
  EXPECT_EQ(stats["outcomes"]["canceled"], 1);
  EXPECT_LT(stats["generated_tokens"], 400);
  ExpectBalance(stats);
  const Reply next = Post(server.port(), "/v1/completions", Prompt("Next", 2));
  EXPECT_EQ(next.status, 200) << next.body;
}

TEST(Disconnects, AQueuedRequestIsTakenBack) {
  const RunningServer server({kPaged, {{"banks", 1}}, {{"pace_us", 3000}}});
  Connection running(server.port());
  running.Send(RequestText("POST", "/v1/chat/completions", Long("Runs").dump()));
  ASSERT_TRUE(running.ReadUntil("content"));
  {
    Connection waiting(server.port());
    waiting.Send(RequestText("POST", "/v1/chat/completions", Long("Waits", false).dump()));
    EXPECT_EQ(StatsWhen(server.port(),
                        [](const json& stats) { return stats["queue_depth"] == 1; })["queue_depth"],
              1);
  }
  const json stats =
      StatsWhen(server.port(), [](const json& stats) { return stats["queue_depth"] == 0; });
  EXPECT_EQ(stats["outcomes"]["canceled"], 1);
  EXPECT_EQ(stats["running"], 1);
}

TEST(Disconnects, AHalfCloseIsNone) {
  const RunningServer server({kPaged, json::object(), {{"pace_us", 5000}}});
  Connection connection(server.port());
  connection.Send(RequestText("POST", "/v1/completions", Prompt("In", 12).dump()));
  connection.EndSending();
  const Reply reply = connection.ReadAll();
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.json()["usage"]["completion_tokens"], 12);
}

// The server's shed of that name is one more, and tells when to come back.
void ExpectShed(int port, const Reply& reply, int status, const char* retry, const char* name) {
  EXPECT_EQ(reply.status, status) << reply.body;
  ASSERT_TRUE(reply.headers.contains("retry-after"));
  EXPECT_EQ(reply.headers.at("retry-after"), retry);
  EXPECT_EQ(Stats(port)["sheds"][name], 1);
}

TEST(Sheds, TooManyClients) {
  const RunningServer server({kPaged, json::object(), {{"pace_us", 3000}, {"max_clients", 1}}});
  Connection running(server.port());
  running.Send(RequestText("POST", "/v1/chat/completions", Long("Runs").dump()));
  ASSERT_TRUE(running.ReadUntil("content"));
  const Reply openai = Post(server.port(), "/v1/completions", Prompt("No", 1));
  ExpectShed(server.port(), openai, 503, "10", "clients");
  EXPECT_EQ(openai.json()["error"]["type"], "server_error");
  const Reply anthropic =
      Post(server.port(), "/v1/messages",
           {{"messages", {{{"role", "user"}, {"content", "a"}}}}, {"max_tokens", 1}});
  EXPECT_EQ(anthropic.json()["error"]["type"], "overloaded_error");
}

TEST(Sheds, TheQueueIsFullOrTooOld) {
  const RunningServer server(
      {kPaged, {{"banks", 1}}, {{"pace_us", 3000}, {"max_queue", 1}, {"queue_age_ms", 300}}});
  Connection running(server.port()), waiting(server.port());
  running.Send(RequestText("POST", "/v1/chat/completions", Long("Runs").dump()));
  ASSERT_TRUE(running.ReadUntil("content"));
  waiting.Send(RequestText("POST", "/v1/chat/completions", Long("Waits").dump()));
  StatsWhen(server.port(), [](const json& stats) { return stats["queue_depth"] == 1; });
  const Reply third = Post(server.port(), "/v1/chat/completions", Long("No"));
  ExpectShed(server.port(), third, 429, "5", "queue_depth");
  EXPECT_EQ(third.json()["error"]["type"], "rate_limit_error");
  ExpectShed(server.port(), waiting.ReadAll(), 503, "5", "queue_age");
  EXPECT_EQ(Stats(server.port())["outcomes"]["refused"], 1);
}

TEST(Sheds, BodiesAreTooLarge) {
  const RunningServer server(
      {kPaged, json::object(), {{"max_inflight_body_bytes", 1000}, {"max_body_bytes", 2000}}});
  const Reply reply = Post(server.port(), "/v1/completions", Prompt(std::string(1500, 'x'), 1));
  ExpectShed(server.port(), reply, 429, "5", "queue_bytes");
  EXPECT_EQ(Post(server.port(), "/v1/completions", Prompt(std::string(3000, 'x'), 1)).status, 413);
}

TEST(Sheds, ASlowReaderIsDropped) {
  const RunningServer server(
      {kPaged, json::object(), {{"backlog_events", 20}, {"send_buffer_bytes", 2048}}});
  Connection slow(server.port());
  slow.Send(RequestText("POST", "/v1/chat/completions", Long("Slow").dump()));
  const json stats = StatsWhen(server.port(), [](const json& stats) {
    return stats["sheds"]["slow_reader"] == 1 || IsAtRest(stats);
  });
  // Where the kernel takes the whole answer nobody is slow.
  if (stats["sheds"]["slow_reader"] == 0)
    GTEST_SKIP() << "the answer fits into the kernel's buffers";
  EXPECT_EQ(stats["outcomes"]["canceled"], 1);
  EXPECT_FALSE(slow.ReadAll().whole);
}

TEST(Failures, AnErrorOfTheEngineEndsAStreamNatively) {
  const RunningServer server({kPaged, json::object(), {{"fail_after_tokens", 3}}});
  const Reply stream = Post(server.port(), "/v1/completions", Prompt("In", 9, true));
  const std::vector<Event> events = EventsIn(stream.body);
  EXPECT_EQ(events.back().name, "error");
  EXPECT_THAT(stream.body, testing::Not(HasSubstr("[DONE]")));
  const Reply whole =
      Post(server.port(), "/v1/messages", {{"messages", {{{"role", "user"}, {"content", "a"}}}}});
  EXPECT_EQ(whole.status, 500);
  EXPECT_EQ(whole.json()["error"]["type"], "api_error");
  const json stats = StatsWhen(server.port(), IsAtRest);
  EXPECT_EQ(stats["outcomes"]["failed"], 2);
  ExpectBalance(stats);
}

TEST(Shutdown, AnswersHaveTheGraceToEnd) {
  RunningServer server({kPaged, json::object(), {{"pace_us", 5000}, {"grace_ms", 20000}}});
  Connection connection(server.port());
  connection.Send(RequestText("POST", "/v1/completions", Prompt("In", 20, true).dump()));
  ASSERT_TRUE(connection.ReadUntil("text_completion"));
  server.Signal();
  const Reply reply = connection.ReadAll();
  EXPECT_TRUE(reply.whole);
  EXPECT_EQ(EventsIn(reply.body).back().data, "[DONE]");
  EXPECT_EQ(server.Wait(), 0);
}

TEST(Shutdown, StreamsEndWithAnErrorAndNewcomersAreTold) {
  RunningServer server({kPaged, json::object(), {{"pace_us", 20000}, {"grace_ms", 700}}});
  Connection connection(server.port());
  connection.Send(RequestText("POST", "/v1/chat/completions", Long("Runs").dump()));
  ASSERT_TRUE(connection.ReadUntil("content"));
  server.Signal();
  // Until the signal has been seen requests are served.
  Reply late;
  do {
    late = Post(server.port(), "/v1/completions", Prompt("No", 1));
  } while (late.status == 200);
  EXPECT_EQ(late.status, 503);
  EXPECT_FALSE(late.headers.contains("retry-after"));
  const Reply reply = connection.ReadAll();
  EXPECT_TRUE(reply.whole);
  EXPECT_EQ(EventsIn(reply.body).back().name, "error");
  EXPECT_EQ(server.Wait(), 0);
}

}  // namespace
}  // namespace parity
