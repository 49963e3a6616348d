#include "suites/kv/answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parity::kv {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const json kWhole = json::parse(R"({
  "ids": [7, 9], "text": " a", "finish": "length", "tool_calls": [],
  "usage": {"prompt": 12, "cached": 8, "computed": 4, "output": 2},
  "route": {"surface": "chat", "lane": "serial"},
  "restored": {"key": "ab", "tokens": 8, "from": "disk"},
  "ran": {"ops": 30, "rows": 6},
  "events": [{"event": "refuse", "why": "exceeds_context"}, {"event": "hit"}, {"event": "store"}]})");

TEST(Answer, IsReadWhole) {
  const Answer answer = ParseAnswer(kWhole.dump());
  EXPECT_THAT(answer.ids, ElementsAre(7, 9));
  EXPECT_EQ(answer.finish, "length");
  EXPECT_EQ(answer.prompt, 12u);
  EXPECT_EQ(answer.cached, 8u);
  EXPECT_EQ(answer.computed, 4u);
  EXPECT_EQ(answer.output, 2u);
  EXPECT_EQ(answer.restored_key, "ab");
  EXPECT_EQ(answer.restored_from, "disk");
  EXPECT_EQ(answer.ops, 30u);
  EXPECT_EQ(answer.rows, 6u);
  EXPECT_THAT(answer.refusals, ElementsAre("exceeds_context"));
  EXPECT_EQ(answer.hits, 1u);
}

TEST(Answer, NothingRestored) {
  json whole = kWhole;
  whole["restored"] = nullptr;
  EXPECT_EQ(ParseAnswer(whole.dump()).restored_key, "");
}

// What is missing is named: a number that defaults to 0 would be a count.
TEST(Answer, EveryPartIsNeeded) {
  for (const char* part :
       {"ids", "text", "finish", "usage", "route", "restored", "ran", "events"}) {
    json whole = kWhole;
    whole.erase(part);
    try {
      ParseAnswer(whole.dump());
      ADD_FAILURE() << part;
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), HasSubstr(part));
    }
  }
  EXPECT_THROW(ParseAnswer("no JSON"), std::runtime_error);
}

TEST(Answer, WhatIsUntoldIsNotNeeded) {
  json whole = kWhole;
  for (const char* part : {"ids", "route", "restored", "ran", "events"}) {
    whole.erase(part);
    whole["untold"].push_back(part);
  }
  const Answer answer = ParseAnswer(whole.dump());
  for (const char* part : {"ids", "route", "restored", "ran", "events", "hits", "refusals"}) {
    EXPECT_FALSE(answer.Tells(part)) << part;
  }
  EXPECT_TRUE(answer.Tells("cached"));
  EXPECT_FALSE(answer.ShowsLogits());
}

TEST(Answer, AnEngineCannotExcuseItself) {
  json whole = kWhole;
  whole.erase("ran");
  whole["untold"] = {"ran"};
  EXPECT_THROW(ParseAnswer(WithEverythingTold(whole.dump())), std::runtime_error);
  EXPECT_EQ(WithEverythingTold(kWhole.dump()), kWhole.dump());
  EXPECT_EQ(WithEverythingTold("untold"), "untold");
}

}  // namespace
}  // namespace parity::kv
