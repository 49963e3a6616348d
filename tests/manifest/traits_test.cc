// How an engine may be driven, as its description says, and what that leaves out of a plan.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/manifest/files.h"
#include "tests/manifest/small_descriptions.h"

namespace parity {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Description ReadWith(const std::string& traits) {
  const std::string text = R"({"parity_description": 1, "engine": "e", )" + traits + R"(
    "context": 8, "vars": {"rows": {"max": 4}, "seqs": {"max": 2}},
    "buffers": {"tokens": {"dtype": "i32", "shape": ["rows"], "role": "input"},
                "out": {"dtype": "f32", "shape": ["seqs", 4], "role": "output"}},
    "programs": [{"name": "decode", "ops": [
      {"op": "o", "label": "o", "reads": ["tokens"], "writes": ["out"]}]}]})";
  return ReadDescription(JsonSource("d.json", text), 1);
}

TEST(Traits, AreReadFromADescription) {
  EXPECT_FALSE(ReadWith("").sequential || ReadWith("").tap_only);
  EXPECT_TRUE(ReadWith(R"("traits": ["sequential"],)").sequential);
  EXPECT_FALSE(ReadWith(R"("traits": ["sequential"],)").tap_only);
  const Description both = ReadWith(R"("traits": ["tap_only", "sequential"],)");
  EXPECT_TRUE(both.sequential && both.tap_only);
}

TEST(Traits, OfAnotherNameAreAnError) {
  EXPECT_THAT(ErrorOf([] { ReadWith(R"("traits": ["tap_only", "serial"],)"); }),
              AllOf(HasSubstr("unknown trait"), HasSubstr("\"serial\""),
                    HasSubstr("\"sequential\" or \"tap_only\"")));
}

// Appends to a cache and attends to it.
Description Attention(const std::string& engine) {
  return Small(engine)
      .Buffers("k x")
      .Buffers("tokens", Role::kInput)
      .Buffers("out", Role::kOutput)
      .States("cache")
      .Run("decode", R"(
        project k: tokens -> k
        append append: k -> ~ cache
        attend attend: k cache -> x
        head head: x -> out)");
}

TEST(Traits, StatesOfATapOnlySideAreNamedAsNotComparedAndSpansCloseWithoutThem) {
  for (const bool candidate : {false, true}) {
    Description reference = Attention("one"), other = Attention("other");
    (candidate ? other : reference).tap_only = true;
    const Plan plan = PlanOf(reference, other, "project append attend head");
    ASSERT_THAT(plan.spans, SizeIs(3));
    const Span& span = plan.spans[1];
    EXPECT_EQ(span.label, "append .. attend");
    EXPECT_THAT(Compared(span), ElementsAre("x"));
    EXPECT_EQ(Find(span, "cache"), nullptr);
    ASSERT_THAT(span.not_compared, SizeIs(2));
    EXPECT_EQ(span.not_compared[0].reason, std::string("a state of the ") +
                                               (candidate ? "candidate" : "reference") +
                                               ", which is tap-only: nothing reaches it");
    EXPECT_THAT(plan.programs[0].states, IsEmpty());
    EXPECT_THAT(plan.programs[0].outputs, ElementsAre("out"));
  }
}

TEST(Traits, OfASequentialSideLeaveNothingOut) {
  Description reference = Attention("one"), other = Attention("other");
  other.sequential = true;
  const Plan plan = PlanOf(reference, other, "project append attend head");
  EXPECT_THAT(plan.spans, SizeIs(4));
  EXPECT_THAT(plan.programs[0].states, ElementsAre("cache"));
}

// Two layers turned by angles that one side computes once and for all, the other as it goes.
Small Turned(const std::string& engine, const std::string& angles) {
  Small small(engine);
  small.Buffers("h x").Buffers("tokens positions", Role::kInput).Buffers("out", Role::kOutput);
  if (!angles.empty()) small.Buffers("angles");
  small.Run("decode", "embed embed: tokens -> h \n" + angles + R"(
    turn layer0: )" + (angles.empty() ? "positions" : "angles") +
                          R"( -> ~ h
    turn layer1: )" + (angles.empty() ? "positions" : "angles") +
                          R"( -> ~ h
    head head: h -> out)");
  return small;
}

TEST(Traits, WhatASideAloneMakesOfInputsDoesNotJoinSpansThatAreReplayedInOrder) {
  const std::string angles = "angles angles: positions -> angles";
  for (const bool candidate : {false, true}) {
    Description ours = Turned("one", candidate ? "" : angles);
    Description theirs = Turned("other", candidate ? angles : "");
    EXPECT_THAT(PlanOf(ours, theirs).spans, SizeIs(1));
    (candidate ? ours : theirs).tap_only = true;
    const Plan plan = PlanOf(ours, theirs);
    ASSERT_THAT(plan.spans, SizeIs(2));
    EXPECT_EQ(plan.spans[0].slug, candidate ? "decode_layer0" : "decode_angles_to_layer0");
    EXPECT_EQ(plan.spans[1].slug, "decode_layer1");
    for (const Span& span : plan.spans) {
      EXPECT_THAT(Compared(span), ElementsAre("h"));
      ASSERT_THAT(span.not_compared, SizeIs(1));
      EXPECT_EQ(span.not_compared[0].name, "angles");
      EXPECT_EQ(span.not_compared[0].read_before_span, span.slug == "decode_layer1");
    }
  }
}

// What is computed from a shared value, or written in two places, is not what it would be anyway.
TEST(Traits, WhatASideAloneMakesOfAnythingElseJoinsSpansInEveryOrder) {
  for (const char* angles :
       {"angles angles: positions h -> angles",
        "angles angles: positions -> angles \n more more: -> ~ angles",
        "angles angles: positions -> angles \n angles again: positions -> angles"}) {
    Description ours = Turned("one", angles), theirs = Turned("other", "");
    theirs.tap_only = true;
    EXPECT_THAT(PlanOf(ours, theirs).spans, SizeIs(1)) << angles;
  }
}

TEST(Traits, WhatRanksHoldAlikeIsAskedOnlyOfWhatATapOnlySideLeaves) {
  Description reference = Attention("one"), other = Attention("other");
  for (Description* side : {&reference, &other}) {
    side->tensors.at("x").replicated = side->tensors.at("out").replicated = true;
  }
  EXPECT_THAT(PlanOf(reference, other).programs[0].replicated, ElementsAre("out", "x"));
  other.tap_only = true;
  EXPECT_THAT(PlanOf(reference, other).programs[0].replicated, ElementsAre("out"));
}

}  // namespace
}  // namespace parity
