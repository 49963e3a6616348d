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
