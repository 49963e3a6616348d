#include "suites/wire/client/play.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "tests/wire/client/scripted_server.h"

namespace parity::wire {
namespace {

using parity::testing::Peer;
using parity::testing::ScriptedServer;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kHead[] = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
constexpr char kWhole[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
constexpr char kClosing[] = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}";
constexpr char kStream[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";

Step Send(const std::string& bytes, std::uint64_t split = 0) {
  return {Step::Kind::kSend, bytes, split};
}

Script Asking(std::vector<Step> then) {
  Script script;
  script.methods = {"GET"};
  script.steps = {Send(kHead)};
  script.steps.insert(script.steps.end(), then.begin(), then.end());
  return script;
}

std::vector<EventKind> KindsOf(const std::vector<ConnectionEvent>& events) {
  std::vector<EventKind> kinds;
  for (const ConnectionEvent& event : events) {
    if (kinds.empty() || kinds.back() != event.kind) kinds.push_back(event.kind);
  }
  return kinds;
}

std::string Joined(const std::vector<ConnectionEvent>& events, EventKind kind) {
  Exchange exchange;
  exchange.events = events;
  return kind == EventKind::kSent ? exchange.Sent() : exchange.Received();
}

TEST(Play, KeepsAllThatWasSentAndRead) {
  ScriptedServer server([](Peer& peer) {
    peer.ReadUntil("\r\n\r\n");
    peer.Send(kClosing);
  });
  const auto events = Play(server.port(), {Asking({{Step::Kind::kAwaitEnd}})})[0];
  EXPECT_THAT(KindsOf(events),
              ElementsAre(EventKind::kSent, EventKind::kReceived, EventKind::kPeerClosed));
  EXPECT_EQ(Joined(events, EventKind::kSent), kHead);
  EXPECT_EQ(Joined(events, EventKind::kReceived), kClosing);
  for (std::size_t i = 1; i < events.size(); ++i) EXPECT_GE(events[i].at_us, events[i - 1].at_us);
}

TEST(Play, AKeptConnectionEndsWithItsAnswer) {
  ScriptedServer server([](Peer& peer) {
    peer.ReadUntil("\r\n\r\n");
    peer.Send(kWhole);
    peer.ReadAll();
  });
  const auto events = Play(server.port(), {Asking({{Step::Kind::kAwaitEnd}})})[0];
  EXPECT_EQ(events.back().kind, EventKind::kClosed);
}

TEST(Play, AServerThatSaysItWillCloseAndDoesNotIsWaitedFor) {
  ScriptedServer server([](Peer& peer) {
    peer.ReadUntil("\r\n\r\n");
    peer.Send(kClosing);
    peer.ReadAll();
  });
  Script script = Asking({{Step::Kind::kAwaitEnd}});
  script.seconds = 0.2;
  EXPECT_EQ(Play(server.port(), {script})[0].back().kind, EventKind::kTimedOut);
}

TEST(Play, WritesInPieces) {
  std::string got;
  {
    ScriptedServer server([&](Peer& peer) {
      got = peer.ReadUntil("\r\n\r\n");
      peer.Send(kClosing);
    });
    Script script = Asking({{Step::Kind::kAwaitEnd}});
    script.steps[0].count = 1;
    const auto events = Play(server.port(), {script})[0];
    std::size_t writes = 0;
    for (const ConnectionEvent& event : events) writes += event.kind == EventKind::kSent ? 1 : 0;
    EXPECT_EQ(writes, std::string(kHead).size());
  }
  EXPECT_EQ(got, kHead);
}

TEST(Play, LeavesAfterSoManyEvents) {
  ScriptedServer server([](Peer& peer) {
    peer.ReadUntil("\r\n\r\n");
    peer.Send(std::string(kStream) + "data: 1\n\ndata: 2\n\ndata: 3");
    peer.ReadAll();
  });
  const auto events =
      Play(server.port(), {Asking({{Step::Kind::kAwaitEvents, "", 2}, {Step::Kind::kClose}})})[0];
  EXPECT_THAT(Joined(events, EventKind::kReceived), HasSubstr("data: 2\n\n"));
  EXPECT_EQ(events.back().kind, EventKind::kClosed);
}

TEST(Play, AHalfClosedClientStillReads) {
  ScriptedServer server([](Peer& peer) {
    peer.ReadAll();
    peer.Send(kClosing);
  });
  const auto events =
      Play(server.port(), {Asking({{Step::Kind::kHalfClose}, {Step::Kind::kAwaitEnd}})})[0];
  EXPECT_THAT(KindsOf(events), ElementsAre(EventKind::kSent, EventKind::kHalfClosed,
                                           EventKind::kReceived, EventKind::kPeerClosed));
}

TEST(Play, AResetIsTold) {
  ScriptedServer server([](Peer& peer) {
    peer.ReadUntil("\r\n\r\n");
    peer.Reset();
  });
  const auto events = Play(server.port(), {Asking({{Step::Kind::kAwaitEnd}})})[0];
  EXPECT_EQ(events.back().kind, EventKind::kReset);
}

TEST(Play, NobodyThereIsTold) {
  int port = 0;
  {
    port = ScriptedServer([](Peer&) {}, 0).port();
  }
  const auto events = Play(port, {Asking({{Step::Kind::kAwaitEnd}})})[0];
  EXPECT_THAT(KindsOf(events), ElementsAre(EventKind::kRefused));
}

TEST(Play, ASilentServerIsGivenUp) {
  ScriptedServer server([](Peer& peer) { peer.ReadAll(); });
  Script script = Asking({{Step::Kind::kAwaitBytes, "", 1}});
  script.seconds = 0.2;
  EXPECT_EQ(Play(server.port(), {script})[0].back().kind, EventKind::kTimedOut);
}

TEST(Play, AnEarlyAnswerIsReadThoughMoreWasToBeSent) {
  ScriptedServer server([](Peer& peer) {
    peer.ReadUntil("\r\n\r\n");
    peer.Send("HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    peer.ReadAll();
  });
  Script script = Asking(
      {{Step::Kind::kAwaitBytes, "", 1}, Send(std::string(1 << 20, 'a')), {Step::Kind::kClose}});
  EXPECT_THAT(Joined(Play(server.port(), {script})[0], EventKind::kReceived), HasSubstr("413"));
}

TEST(Play, SlowReadersGetEveryByte) {
  const std::string body(3000, 'x');
  ScriptedServer server([&](Peer& peer) {
    peer.ReadUntil("\r\n\r\n");
    peer.Send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + body);
  });
  const auto events = Play(server.port(), {Asking({{Step::Kind::kReadSlowly, "", 500, 1}})})[0];
  EXPECT_THAT(Joined(events, EventKind::kReceived), HasSubstr(body));
  for (const ConnectionEvent& event : events) EXPECT_LE(event.bytes.size(), 500u);
}

TEST(Play, ConnectionsMeet) {
  std::atomic<int> at_once = 0, most = 0;
  ScriptedServer server(
      [&](Peer& peer) {
        peer.ReadUntil("\r\n\r\n");
        most = std::max<int>(most, ++at_once);
        while (most < 2) std::this_thread::yield();
        peer.Send(kClosing);
      },
      2);
  Script script = Asking({{Step::Kind::kAwaitEnd}});
  script.steps.insert(script.steps.begin(),
                      {{Step::Kind::kTell, "here"}, {Step::Kind::kHear, "here", 2}});
  for (const auto& events : Play(server.port(), {script, script})) {
    EXPECT_EQ(events.back().kind, EventKind::kPeerClosed);
  }
}

TEST(Play, WhoHearsNothingGivesUp) {
  ScriptedServer server([](Peer&) {}, 0);
  Script script = Asking({{Step::Kind::kAwaitEnd}});
  script.seconds = 0.1;
  script.steps.insert(script.steps.begin(), {{Step::Kind::kHear, "never told"}});
  // Nothing listens for connections either; what counts is that it comes back.
  const auto events = Play(server.port(), {script})[0];
  EXPECT_THAT(events.back().kind, ::testing::AnyOf(EventKind::kTimedOut, EventKind::kRefused));
}

TEST(Play, CallsByName) {
  ScriptedServer server([](Peer& peer) {
    peer.ReadUntil("\r\n\r\n");
    peer.Send(kClosing);
  });
  int calls = 0;
  Play(server.port(), {Asking({{Step::Kind::kCall, "stop"}, {Step::Kind::kAwaitEnd}})},
       {{"stop", [&] { ++calls; }}});
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace parity::wire
