#include "suites/kv/read_lanes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
    requests: [{prompt: "one${/save/0/text}"}]
    cold: {prompt: all of it}
  answer: {cached: 20, finish: length, route: {lane: serial}}
  after: untouched
  stores: 1
  damaged: true
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
  EXPECT_TRUE(lane.damaged);
  ASSERT_EQ(lanes.exceptions.size(), 1u);
  EXPECT_EQ(lanes.exceptions.front().signature, "reuse: cached");
}

// What the text comes to with `from` replaced, as the message of what it throws.
std::string ErrorOf(const std::string& from, const std::string& to) {
  std::string text = kText;
  text.replace(text.find(from), from.size(), to);
  try {
    ReadLanesText("lanes.yaml", text);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(ReadLanes, SaysWhereAndWhatWasExpected) {
  EXPECT_THAT(ErrorOf("stores: 1", "store: 1"),
              HasSubstr("lanes.yaml:15:3: unknown key in lanes[0]: got \"store\", expected "
                        "\"stores\""));
  EXPECT_THAT(ErrorOf("name: evict", "name: Evict!"), HasSubstr("expected [a-z0-9_]+"));
  EXPECT_THAT(ErrorOf("requests: [{prompt: one}, {do: stop}]", "requests: []"),
              HasSubstr("lanes[0].save.requests: got an empty list, expected a list"));
  EXPECT_THAT(ErrorOf("{prompt: all of it}", "7"),
              HasSubstr("lanes[0].load.cold: got \"7\", expected a mapping"));
  EXPECT_THAT(ErrorOf("untouched", "removed"), HasSubstr("lanes[0].after"));
  EXPECT_THAT(ErrorOf("lane: evict,", "lane: other,"), HasSubstr("the name of a lane"));
  EXPECT_THAT(ErrorOf("exceptions:",
                      "- {name: evict, save: {requests: [{prompt: a}]}, load: "
                      "{requests: [{prompt: a}]}}\nexceptions:"),
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
