#include "gtest_parity/manifest/decision_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/manifest/small_descriptions.h"

namespace parity {
namespace {

using testing::ElementsAre;

// Routes by scores, then uses the route; `route` and `use` are the ops of one program.
Small Routing(const std::string& ops) {
  Small small("routing");
  small.Buffers("x scores weights h").Buffers("tokens", Role::kInput);
  small.Buffers("logits", Role::kLogits).Buffers("ids", Role::kDecision);
  small["ids"].dtype = DType::kI32;
  small["ids"].scores = "scores";
  small.Run("decode", ops);
  return small;
}

const char kApart[] = R"(
    embed embed: tokens -> x
    router router: x -> scores
    top top: scores -> ids
    weigh weigh: scores ids -> weights
    use use: x ids weights -> h
    head head: h -> logits
)";
const char kTogether[] = R"(
    embed embed: tokens -> x
    router router: x -> scores
    top_weigh top: scores -> ids weights
    use use: x ids weights -> h
    head head: h -> logits
)";
const char kInside[] = R"(
    embed embed: tokens -> x
    router router: x -> scores
    route_use use: x scores -> ids h
    head head: h -> logits
)";

DecisionPlan Only(const Plan& plan) {
  EXPECT_EQ(plan.programs.at(0).decisions.size(), 1u);
  return plan.programs.at(0).decisions.at(0);
}

TEST(DecisionPlan, ForcedBehindTheOpThatMakesIt) {
  const DecisionPlan decision = Only(PlanOf(Routing(kApart), Routing(kApart)));
  EXPECT_EQ(decision.name, "ids");
  EXPECT_EQ(decision.scores, "scores");
  EXPECT_EQ(decision.unscored, "");
  EXPECT_TRUE(decision.steers);
  EXPECT_EQ(decision.forced_before, 3u);
  EXPECT_EQ(decision.unforced, "");
}

TEST(DecisionPlan, ScoresMayBeWrittenWithIt) {
  const char ops[] = R"(
    embed embed: tokens -> x
    route route: x -> scores ids
    weigh weigh: scores ids -> weights
    use use: x ids weights -> h
    head head: h -> logits
  )";
  EXPECT_EQ(Only(PlanOf(Routing(kApart), Routing(ops))).forced_before, 2u);
}

struct Unforced {
  const char *reference, *candidate, *why;
};

TEST(DecisionPlan, WhatCannotBeForcedSaysWhy) {
  const char kTwice[] = R"(
    embed embed: tokens -> x
    router router: x -> scores
    top top: scores -> ids
    fix fix: scores -> ~ ids
    weigh weigh: scores ids -> weights
    use use: x ids weights -> h
    head head: h -> logits
  )";
  const Unforced cases[] = {
      {kApart, kTogether, "top of the candidate writes weights too, which may follow from it"},
      {kTogether, kApart, "top of the reference writes weights too, which may follow from it"},
      {kApart, kInside, "no later op of the candidate reads it"},
      {kInside, kApart, "no later op of the reference reads it"},
      {kApart, kTwice, "several ops of the candidate write it"},
  };
  for (const Unforced& at : cases) {
    const DecisionPlan decision = Only(PlanOf(Routing(at.reference), Routing(at.candidate)));
    EXPECT_TRUE(decision.steers) << at.why;
    EXPECT_EQ(decision.forced_before, 0u) << at.why;
    EXPECT_EQ(decision.unforced, at.why);
  }
}

TEST(DecisionPlan, WhatNothingReadsNeedsNoForcing) {
  const char ops[] = R"(
    embed embed: tokens -> x
    use use: x -> h scores
    head head: h -> logits
    choose choose: scores -> ids
  )";
  const DecisionPlan decision = Only(PlanOf(Routing(ops), Routing(ops)));
  EXPECT_FALSE(decision.steers);
  EXPECT_EQ(decision.forced_before, 0u);
  EXPECT_EQ(decision.unforced, "");
}

// Drafts that the next step runs: nothing in their own program reads them after they are made.
TEST(DecisionPlan, WhatAnotherRunReadsIsForcedAtTheEnd) {
  const char ops[] = R"(
    embed embed: tokens ids -> x
    use use: x -> h scores
    head head: h -> logits
    draft draft: scores -> ids
  )";
  const DecisionPlan decision = Only(PlanOf(Routing(ops), Routing(ops)));
  EXPECT_TRUE(decision.steers);
  EXPECT_EQ(decision.forced_before, 4u);
}

TEST(DecisionPlan, ScoresThatAreGoneByTheEndAreNone) {
  const char kOverwritten[] = R"(
    embed embed: tokens -> x
    router router: x -> scores
    top top: scores -> ids
    weigh weigh: ids -> weights scores
    use use: x ids weights -> h
    head head: h -> logits
  )";
  const auto unscored = [](Small reference) {
    return Only(PlanOf(reference, Routing(kApart))).unscored;
  };
  EXPECT_EQ(unscored(Routing(kOverwritten)), "the reference overwrites scores later");
  Small none = Routing(kApart), integers = Routing(kApart), scratch = Routing(kApart);
  none["ids"].scores = "";
  EXPECT_EQ(unscored(none), "the reference declares none");
  integers["scores"].dtype = DType::kI32;
  EXPECT_EQ(unscored(integers), "scores is i32, expected a float");
  scratch["scores"].role = Role::kScratch;
  EXPECT_EQ(unscored(scratch), "scores is no workspace, carry or output");
}

TEST(DecisionPlan, TapOnlySidesCannotBeStoppedAndHideTheirScores) {
  Description tapped = Routing(kApart);
  tapped.tap_only = true;
  const DecisionPlan candidate = Only(PlanOf(Routing(kApart), tapped));
  EXPECT_EQ(candidate.unforced, "the candidate is tap-only: it runs whole programs");
  EXPECT_EQ(candidate.unscored, "");
  const DecisionPlan reference = Only(PlanOf(tapped, Routing(kApart)));
  EXPECT_EQ(reference.forced_before, 3u);
  EXPECT_EQ(reference.unscored, "the reference is tap-only and shows scores only while it runs");
}

TEST(DecisionPlan, OrderIsThatOfTheCandidate) {
  const auto chain = [](const char* first, const char* second) {
    Small small("chain");
    small.Buffers("tokens", Role::kInput).Buffers("a b", Role::kDecision);
    small["a"].dtype = small["b"].dtype = DType::kI32;
    small.Buffers("logits", Role::kLogits);
    const std::string one = first, two = second;
    small.Run("decode", "draft " + one + ": tokens -> " + one + "\ndraft " + two + ": tokens -> " +
                            two + "\nhead head: a b -> logits");
    return small;
  };
  const Plan plan = PlanOf(chain("a", "b"), chain("b", "a"));
  std::vector<std::string> names;
  for (const DecisionPlan& decision : plan.programs.at(0).decisions) names.push_back(decision.name);
  EXPECT_THAT(names, ElementsAre("b", "a"));
}

}  // namespace
}  // namespace parity
