#include "suites/wire/probes/read_probes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parity::wire {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kLanes[] =
    "lanes: [{name: serial}, {name: static, served_by: {streamed: serial}}]\n";

Probes Read(const std::string& rest) { return ReadProbesText("p.yaml", kLanes + rest); }

std::string ErrorOf(const std::string& rest) {
  try {
    Read(rest);
    return "no error";
  } catch (const InvalidInput& error) {
    return error.what();
  }
}

TEST(ReadProbes, AProbeIsAskedEverywhereUnlessItSaysOtherwise) {
  const Probes probes = Read("ask: {max_tokens: 3}\nprobes: [{name: plain, ask: {prompt: Hi}}]");
  const Probe& plain = probes.probes.at(0);
  EXPECT_THAT(plain.surfaces, ElementsAre(Surface::kChat, Surface::kCompletions, Surface::kMessages,
                                          Surface::kResponses));
  EXPECT_THAT(plain.ways, ElementsAre(Way::kBuffered, Way::kStreamed));
  EXPECT_THAT(plain.lanes, ElementsAre("serial", "static"));
  EXPECT_EQ(plain.own.ask, nlohmann::json({{"prompt", "Hi"}, {"max_tokens", 3}}));
  EXPECT_FALSE(plain.fresh);
  EXPECT_EQ(probes.LaneOf("static").served_by.at(Way::kStreamed), "serial");
}

TEST(ReadProbes, StepsFormsAndPieces) {
  const Probes probes = Read(R"(probes:
- name: odd
  surfaces: [chat]
  ways: [streamed]
  raw: [a, {repeat: bc, times: 2}, {base64: /w==}]
  form: {split: 3, every_ms: 2, chunk_bytes: 5, times: 2, pipelined: true}
  first: [{hear: begun, times: 2}, {pause: 7}]
  then: [{events: 2}, {slowly: {bytes: 8, every_ms: 1}}, reset]
)");
  const Ask& ask = probes.probes.at(0).own;
  EXPECT_EQ(*ask.raw, "abcbc\xff");
  EXPECT_EQ(ask.split, 3u);
  EXPECT_EQ(ask.form.chunk_bytes, 5u);
  EXPECT_TRUE(ask.pipelined);
  EXPECT_EQ(ask.first[0].kind, Step::Kind::kHear);
  EXPECT_EQ(ask.first[0].count, 2u);
  EXPECT_EQ(ask.first[1].milliseconds, 7u);
  EXPECT_EQ(ask.then[1].kind, Step::Kind::kReadSlowly);
  EXPECT_EQ(ask.then[2].kind, Step::Kind::kReset);
}

TEST(ReadProbes, WhatStopsServersHasItsOwn) {
  const Probes probes = Read(
      "probes: [{name: stop, surfaces: [chat], ask: {prompt: a}, then: [{call: stop_server}, "
      "end]}]");
  EXPECT_TRUE(probes.probes[0].ends_server);
  EXPECT_TRUE(probes.probes[0].fresh);
}

TEST(ReadProbes, EachValueOfAMemberIsAConnection) {
  const Probes probes =
      Read("probes: [{name: a, ask: {prompt: b}, body: {c: 1}, each: {n: [null, 2], m: [{}]}}]");
  const std::vector<Ask>& after = probes.probes.at(0).after;
  ASSERT_EQ(after.size(), 3u);
  EXPECT_EQ(after[0].name, "m_0");
  EXPECT_EQ(after[1].name, "n_0");
  EXPECT_EQ(after[1].set, nlohmann::json({{"n", nullptr}}));
  EXPECT_EQ(after[2].set, nlohmann::json({{"n", 2}}));
  EXPECT_EQ(after[2].ask, probes.probes[0].own.ask);
  EXPECT_EQ(after[2].body, nlohmann::json({{"c", 1}}));
}

TEST(ReadProbes, SumsAndShares) {
  const Probes probes = Read(
      "counters: {sums: {/a: [/b, /c]}}\nmetrics: {alike: [x_total, y_total]}\n"
      "probes: [{name: a, ask: {prompt: b}, shares: {static: {static: 2, serial: 1}}}]");
  EXPECT_EQ(probes.words[kCandidateSide].counters.sums.at(0).total, "/a");
  EXPECT_THAT(probes.words[kCandidateSide].counters.sums[0].parts, ElementsAre("/b", "/c"));
  EXPECT_THAT(probes.words[kReferenceSide].metrics.alike, ElementsAre("x_total", "y_total"));
  EXPECT_EQ(probes.probes[0].shares.at("static").at("serial"), 1u);
}

TEST(ReadProbes, OneSidesWordsAndConfiguration) {
  const Probes probes = ReadProbesText("p.yaml", R"(
lanes: [{name: serial, config: {a: 1}, candidate: {config: {a: 2}, body: {lane: s}}}]
counters: {started: /s, alike: {done: /d}}
candidate: {counters: {alike: {done: /other}}}
probes: [{name: list, surfaces: [models], path: /v1/models}]
)");
  EXPECT_EQ(probes.lanes[0].config[kReferenceSide], nlohmann::json({{"a", 1}}));
  EXPECT_EQ(probes.lanes[0].config[kCandidateSide], nlohmann::json({{"a", 2}}));
  EXPECT_EQ(probes.lanes[0].body[kCandidateSide], nlohmann::json({{"lane", "s"}}));
  EXPECT_EQ(probes.words[kReferenceSide].counters.alike.at("done"), "/d");
  EXPECT_EQ(probes.words[kCandidateSide].counters.alike.at("done"), "/other");
  EXPECT_THAT(probes.probes[0].ways, ElementsAre(Way::kBuffered));
}

TEST(ReadProbes, EachErrorIsTold) {
  const std::pair<const char*, const char*> errors[] = {
      {"probes: [{name: a, asc: {}}]", "got \"asc\", expected \"ask\""},
      {"probes: [{name: A}]", "got \"A\", expected [a-z0-9_]+"},
      {"probes: [{name: a}, {name: a}]", "expected a name of its own"},
      {"probes: []", "an empty list"},
      {"probes: [{name: a, surfaces: [chta]}]", "got \"chta\", expected \"chat\""},
      {"probes: [{name: a, lanes: [seriel]}]", "got \"seriel\", expected \"serial\""},
      {"probes: [{name: a, ways: [slow]}]", "\"buffered\" or \"streamed\""},
      {"probes: [{name: a, ask: {prompt: a, stop: b}}]", "responses has no words for stop"},
      {"probes: [{name: a, surfaces: [models]}]", "no path"},
      {"probes: [{name: a, surfaces: [models], path: /a, ways: [streamed]}]", "models streamed"},
      {"probes: [{name: a, then: [{evnts: 2}]}]", "got {\"evnts\":2}, expected end, close"},
      {"probes: [{name: a, then: [{call: reboot}]}]", "expected \"stop_server\""},
      {"probes: [{name: a, same_as: b}, {name: b}]", "a probe before it"},
      {"probes: [{name: b}, {name: a, same_as: b, fresh: true}]", "as its servers are its own"},
      {"probes: [{name: a, raw: [{repeat: a, times: 999999999}]}]", "up to 256 MiB"},
      {"counters: {started: server}\nprobes: [{name: a}]", "a JSON pointer"},
      {"probes: [{name: a, served_by: {static: siral}}]", "expected one of serial, static"},
      {"probes: [{name: a, shares: {static: {siral: 1}}}]", "expected one of serial, static"},
      {"probes: [{name: a, shares: {static: serial}}]", "expected {lane: requests}"},
      {"probes: [{name: a, shares: {static: {serial: -1}}}]", "a number of requests"},
      {"probes: [{name: a, each: {n: 1}}]", "got 1, expected a list of values"},
      {"probes: [{name: a, after: [{name: text}]}]", "a connection \"text\""},
      {"counters: {sums: {/a: /b}}\nprobes: [{name: a}]", "a list of JSON pointers"},
      {"counters: {sums: {/a: [b]}}\nprobes: [{name: a}]", "got \"b\", expected a JSON pointer"}};
  for (const auto& [text, words] : errors) EXPECT_THAT(ErrorOf(text), HasSubstr(words)) << text;
}

TEST(ReadProbes, ALaneIsServedByALane) {
  try {
    ReadProbesText("p.yaml",
                   "lanes: [{name: serial, served_by: {streamed: serail}}]\n"
                   "probes: [{name: a, ask: {prompt: b}}]");
    FAIL() << "no error";
  } catch (const InvalidInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("served_by: got \"serail\", expected \"serial\""));
  }
}

// What ships is in order.
TEST(ReadProbes, TheTinyServersProbes) {
  const Probes probes = ReadProbes(PARITY_SOURCE_DIR "/manifests/tiny/wire_probes.yaml");
  EXPECT_EQ(probes.lanes.size(), 3u);
  EXPECT_NE(probes.Find("shutdown"), nullptr);
}

}  // namespace
}  // namespace parity::wire
