#include "suites/wire/campaign/server_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "suites/wire/campaign/counters.h"
#include "suites/wire/probes/read_probes.h"
#include "tests/wire/client/scripted_server.h"

namespace parity::wire {
namespace {

using parity::testing::Peer;
using parity::testing::ScriptedServer;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr char kProbes[] = R"(
lanes: [{name: serial}]
metrics: {output_tokens: tokens_total, active: running}
limits: {settle_seconds: 30}
probes: [{name: plain, surfaces: [chat], ways: [buffered], ask: {prompt: Hi}}]
)";

// Answers the n-th scrape with the n-th text, and every further one with the last.
class ScrapedServer {
 public:
  explicit ScrapedServer(std::vector<std::string> texts)
      : texts_(std::move(texts)),
        server_([this](Peer& peer) { Answer(peer); }, static_cast<int>(texts_.size())) {}

  int port() const { return server_.port(); }
  std::size_t scrapes() const { return scrapes_; }

 private:
  void Answer(Peer& peer) {
    peer.ReadUntil("\r\n\r\n");
    const std::string& body = texts_[scrapes_++];
    peer.Send(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: " +
        std::to_string(body.size()) + "\r\n\r\n" + body);
  }

  std::vector<std::string> texts_;
  std::atomic<std::size_t> scrapes_ = 0;
  ScriptedServer server_;
};

std::string Figures(int tokens, int running) {
  return "tokens_total " + std::to_string(tokens) + "\nrunning " + std::to_string(running) + "\n";
}

// What is kept of the scrapes after a place, with `seconds` to settle.
Exchange ScrapedAfter(const ScrapedServer& server, double seconds = 30) {
  Probes probes = ReadProbesText("p.yaml", kProbes);
  probes.limits.settle_seconds = seconds;
  SessionRecord record;
  ServerWatch watch(probes, kReferenceSide, &record);
  watch.Begin(server.port(), "/stats");
  const Place place = {probes.Find("plain"), Surface::kChat, Way::kBuffered};
  watch.After(place);
  EXPECT_THAT(record.transcript.exchanges, SizeIs(1));
  return record.transcript.exchanges.at(0);
}

TEST(ServerWatch, WithoutCountersTwoReadingsOfMetricsAgree) {
  const ScrapedServer server({Figures(1, 1), Figures(3, 1), Figures(4, 0), Figures(4, 0), ""});
  EXPECT_THAT(ScrapedAfter(server).Received(), HasSubstr("tokens_total 4"));
  EXPECT_EQ(server.scrapes(), 4u);
}

TEST(ServerWatch, ARequestUnderWayIsNoRestHoweverStillTheCounters) {
  const ScrapedServer server(
      {Figures(4, 1), Figures(4, 1), Figures(4, 1), Figures(9, 0), Figures(9, 0), ""});
  EXPECT_THAT(ScrapedAfter(server).Received(), HasSubstr("tokens_total 9"));
  EXPECT_EQ(server.scrapes(), 5u);
}

// What it says then is for the rules to tell.
TEST(ServerWatch, AServerThatNeverRestsIsNotWaitedForForEver) {
  const ScrapedServer server({Figures(4, 1), Figures(4, 1), ""});
  EXPECT_THAT(ScrapedAfter(server, 0).Received(), HasSubstr("running 1"));
  EXPECT_EQ(server.scrapes(), 2u);
}

}  // namespace
}  // namespace parity::wire
