#include "suites/kv/read_lanes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suites/kv/damage_groups.h"

namespace parity::kv {
namespace {

using ::testing::HasSubstr;

constexpr char kText[] = R"(format: kvc
defaults: {kv: {banks: 2, context: 64}}
lanes:
- name: evict
  save:
    config: {kv: {context: 128}}
    requests: [{prompt: one}, {do: stop}]
  record: {count: 2, choose: {reason: 3}, fields: {tokens: 20}}
  load:
    ranks: 2
    variant: bf16
    requests: [{prompt: "one${/save/0/text}"}]
    cold: {prompt: all of it}
  answer: {cached: 20, refused: true, why: hash_mismatch, shared_risk: true, from: memory, finish: length, route: {lane: serial}}
  after: untouched
  stores: 1
  damaged: true
  index: {prompt: look}
oracles:
  lane: evict
  budget: /kv/budget_bytes
  spare_percent: 1
  in_the_way: {kv: {context: 512}}
  shared: {kv: {context: 32}}
  requests: [{prompt: both}]
exceptions:
- {id: E-1, lane: evict, check: reuse, signature: "reuse: cached", reason: both do, until: 2030-01-01}
)";

TEST(ReadLanes, AllThatALaneSays) {
  const Lanes lanes = ReadLanesText("lanes.yaml", kText);
  EXPECT_EQ(lanes.format, "kvc");
  ASSERT_EQ(lanes.lanes.size(), 1u);
  const Lane& lane = lanes.lanes.front();
  EXPECT_EQ(lane.name, "evict");
  EXPECT_EQ(lane.save.config, nlohmann::json::parse(R"({"kv": {"banks": 2, "context": 128}})"));
  EXPECT_EQ(lane.load.config, nlohmann::json::parse(R"({"kv": {"banks": 2, "context": 64}})"));
  ASSERT_EQ(lane.save.requests.size(), 2u);
  EXPECT_EQ(lane.save.requests[0].at("do"), "complete");
  EXPECT_EQ(lane.save.requests[1].at("do"), "stop");
  EXPECT_EQ(lane.load.ranks, 2u);
  EXPECT_EQ(lane.load.cold->at("prompt"), "all of it");
  EXPECT_EQ(lane.records.count, 2u);
  EXPECT_EQ(lane.records.choose.at("reason"), 3);
  EXPECT_EQ(lane.answer.cached, 20u);
  EXPECT_EQ(lane.answer.prompt, std::nullopt);
  EXPECT_EQ(lane.answer.finish, "length");
  EXPECT_EQ(lane.after, RecordAfter::kUntouched);
  EXPECT_EQ(lane.stores, 1u);
  // All that the lane can be asked.
  EXPECT_EQ(lane.damaged.size(), kDamageGroups.size());
  EXPECT_EQ(lane.load.variant, "bf16");
  EXPECT_EQ(lane.save.variant, "");
  EXPECT_TRUE(lane.answer.refused && lane.answer.shared_risk && lane.answer.from_memory);
  EXPECT_EQ(lane.answer.why, "hash_mismatch");
  EXPECT_EQ(lane.index->at("do"), "complete");
  ASSERT_EQ(lanes.exceptions.size(), 1u);
  EXPECT_EQ(lanes.exceptions.front().signature, "reuse: cached");
}

TEST(ReadLanes, AllThatOraclesSay) {
  const Oracles oracles = ReadLanesText("lanes.yaml", kText).oracles.value();
  EXPECT_EQ(oracles.lane, "evict");
  EXPECT_EQ(oracles.budget, "/kv/budget_bytes");
  EXPECT_EQ(oracles.spare_percent, 1u);
  EXPECT_EQ(oracles.in_the_way, nlohmann::json::parse(R"({"kv": {"context": 512}})"));
  EXPECT_EQ(oracles.shared, nlohmann::json::parse(R"({"kv": {"banks": 2, "context": 32}})"));
  EXPECT_EQ(oracles.requests.at(0).at("do"), "complete");
}

std::string Replaced(const std::string& from, const std::string& to) {
  std::string text = kText;
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(ReadLanes, ARefusalMayBeOfSomeCellsAlone) {
  const Lanes lanes = ReadLanesText(
      "lanes.yaml", Replaced("refused: true, why: hash_mismatch",
                             "refused: {cells: [reference_to_candidate, candidate_to_reference], "
                             "why: load_state, words: other type}"));
  const ExpectedAnswer& answer = lanes.lanes.front().answer;
  EXPECT_EQ(answer.why, "load_state");
  EXPECT_EQ(answer.words, "other type");
  EXPECT_TRUE(answer.IsRefusedIn({true, false}) && answer.IsRefusedIn({false, true}));
  EXPECT_FALSE(answer.IsRefusedIn({true, true}) || answer.IsRefusedIn({false, false}));
  const Lanes all = ReadLanesText(
      "lanes.yaml", Replaced("refused: true, why: hash_mismatch", "refused: {why: hash_mismatch}"));
  EXPECT_TRUE(all.lanes.front().answer.IsRefusedIn({true, true}));
}

TEST(ReadLanes, RecordsMayDifferAndBeDamagedInSomeWays) {
  const Lanes lanes =
      ReadLanesText("lanes.yaml", Replaced("damaged: true", "damaged: [flip, cut]")
                                      .replace(std::string(kText).find("count: 2"), 8,
                                               "count: 2, differs: [size, \"stream[0]\"]"));
  EXPECT_EQ(lanes.lanes.front().damaged, (std::vector<std::string>{"flip", "cut"}));
  EXPECT_EQ(lanes.lanes.front().records.differs, (std::vector<std::string>{"size", "stream[0]"}));
}

// What the text comes to with `from` replaced, as the message of what it throws.
std::string ErrorOf(const std::string& from, const std::string& to) {
  try {
    ReadLanesText("lanes.yaml", Replaced(from, to));
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(ReadLanes, SaysWhereAndWhatWasExpected) {
  EXPECT_THAT(ErrorOf("stores: 1", "store: 1"),
              HasSubstr("lanes.yaml:16:3: unknown key in lanes[0]: got \"store\", expected "
                        "\"stores\""));
  EXPECT_THAT(ErrorOf("name: evict", "name: Evict!"), HasSubstr("expected [a-z0-9_]+"));
  EXPECT_THAT(ErrorOf("requests: [{prompt: one}, {do: stop}]", "requests: []"),
              HasSubstr("lanes[0].save.requests: got an empty list, expected a list"));
  EXPECT_THAT(ErrorOf("{prompt: all of it}", "7"),
              HasSubstr("lanes[0].load.cold: got \"7\", expected a mapping"));
  EXPECT_THAT(ErrorOf("untouched", "removed"), HasSubstr("lanes[0].after"));
  EXPECT_THAT(ErrorOf("lane: evict,", "lane: other,"), HasSubstr("the name of a lane"));
  EXPECT_THAT(ErrorOf("lane: evict\n", "lane: other\n"),
              HasSubstr("oracles.lane: got \"other\", expected the name of a lane"));
  EXPECT_THAT(ErrorOf("budget: /kv", "budget: kv"), HasSubstr("oracles.budget"));
  EXPECT_THAT(ErrorOf("refused: true, ", ""),
              HasSubstr("lanes[0].answer.why: got \"hash_mismatch\", expected nothing, as "
                        "`refused` is not true"));
  EXPECT_THAT(
      ErrorOf("refused: true", "refused: {cells: [reference_to_reference]}"),
      HasSubstr("lanes[0].answer.refused.cells[0]: got \"reference_to_reference\", expected "
                "candidate_to_candidate, reference_to_candidate or candidate_to_reference"));
  EXPECT_THAT(ErrorOf("damaged: true", "damaged: [flap]"),
              HasSubstr("lanes[0].damaged[0]: got \"flap\", expected \"flip\""));
  EXPECT_THAT(ErrorOf("damaged: true\n  index: {prompt: look}", "damaged: [changed]"),
              HasSubstr("lanes[0].damaged[0]: got \"changed\", expected a lane with `index`"));
  EXPECT_THAT(ErrorOf("from: memory", "from: tape"), HasSubstr("lanes[0].answer.from"));
  EXPECT_THAT(ErrorOf("oracles:",
                      "- {name: evict, save: {requests: [{prompt: a}]}, load: "
                      "{requests: [{prompt: a}]}}\noracles:"),
              HasSubstr("a name that no other lane has"));
}

TEST(ReadLanes, AllErrorsAtOnce) {
  std::string text = kText;
  text.replace(text.find("after: untouched"), 16, "after: removed");
  text.replace(text.find("count: 2"), 8, "count: x");
  try {
    ReadLanesText("lanes.yaml", text);
    ADD_FAILURE();
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.diagnostics().size(), 2u) << error.what();
  }
}

TEST(ReadLanes, AFileThatIsNotThere) {
  EXPECT_THROW(ReadLanes("/nonexistent/lanes.yaml"), InvalidInput);
}

}  // namespace
}  // namespace parity::kv
