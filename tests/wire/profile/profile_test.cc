#include "suites/wire/profile/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suites/wire/profile/places.h"
#include "tests/manifest/files.h"

namespace parity::wire {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Profile Learned() {
  Profile profile;
  profile.Learn("chat", json::parse(R"({"id": "a", "n": 1.5, "usage": null, "choices":
      [{"finish_reason": "stop", "text": "x"}], "content":
      [{"type": "text", "text": "a"}, {"type": "call", "input": {"any": 1}}]})"));
  profile.Learn("chat", json::parse(R"({"id": "b", "n": 2, "usage": {"p": 1}, "extra": true,
      "choices": [{"finish_reason": "length", "text": "y"}], "content": []})"));
  profile.LearnTransition("chat: role > finish > finished");
  return profile;
}

std::vector<std::string> ErrorsOf(const std::string& text, const std::string& kind = "chat") {
  std::vector<std::string> errors;
  for (const ProfileError& error : Learned().Check(kind, json::parse(text))) {
    errors.push_back(error.pointer + ": " + error.got);
  }
  return errors;
}

TEST(Profile, WhatWasLearnedIsInside) {
  EXPECT_THAT(ErrorsOf(R"({"id": "c", "n": 3, "usage": {"p": 7}, "choices":
      [{"finish_reason": "length", "text": ""}], "content":
      [{"type": "call", "input": {"other": [1]}}]})"),
              IsEmpty());
}

TEST(Profile, KeysAreAlwaysOrSometimesThere) {
  EXPECT_THAT(ErrorsOf(R"({"id": "c", "n": 3, "usage": null, "choices": []})"),
              ElementsAre("/content: no key \"content\""));
  EXPECT_THAT(ErrorsOf(R"({"id": "c", "n": 3, "usage": null, "choices": [], "content": [],
                           "more": 1})"),
              ElementsAre("/more: a key \"more\""));
}

TEST(Profile, TypesAndNulls) {
  EXPECT_THAT(ErrorsOf(R"({"id": null, "n": 3, "usage": [], "choices": [], "content": []})"),
              ElementsAre("/id: null", "/usage: array"));
}

TEST(Profile, ValuesOfAFew) {
  EXPECT_THAT(ErrorsOf(R"({"id": "c", "n": 3, "usage": null, "content": [], "choices":
                           [{"finish_reason": "abort", "text": "any"}]})"),
              ElementsAre("/choices/*/finish_reason: abort"));
}

TEST(Profile, ElementsOfAnotherType) {
  EXPECT_THAT(ErrorsOf(R"({"id": "c", "n": 3, "usage": null, "choices": [], "content":
                           [{"type": "image"}]})"),
              ElementsAre("/content/*{image}: an element of this type"));
}

TEST(Profile, AKindThatWasNeverSeen) {
  EXPECT_THAT(ErrorsOf("{}", "messages.ping"), ElementsAre(": \"messages.ping\""));
}

TEST(Profile, IsSavedAndLoaded) {
  const std::string saved = Learned().ToJson().dump();
  const Profile loaded = Profile::FromJson("p.json", saved);
  EXPECT_EQ(loaded.ToJson().dump(), saved);
  EXPECT_TRUE(loaded.KnowsTransition("chat: role > finish > finished"));
  EXPECT_FALSE(loaded.KnowsTransition("chat: start > finish > finished"));
}

TEST(Profile, WhatIsNoneIsTold) {
  const auto error = [](const std::string& text) {
    return ErrorOf([&] { Profile::FromJson("p.json", text); });
  };
  EXPECT_THAT(error("{"), HasSubstr("p.json"));
  EXPECT_THAT(error("{}"), HasSubstr("no profile"));
  EXPECT_THAT(error(R"({"wire_profile": 2})"), HasSubstr("got 2, expected 1"));
  EXPECT_THAT(error(R"({"wire_profile": 1, "transitions": 3, "kinds": {}})"),
              HasSubstr("no profile"));
}

}  // namespace
}  // namespace parity::wire
