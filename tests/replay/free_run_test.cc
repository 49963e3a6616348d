#include "gtest_parity/replay/free_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/replay/scripted_side.h"
#include "tests/replay/small_plan.h"

namespace parity {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Two runs of a program of two ops: the first makes a choice, which the second reads.
struct ForcedWorkload {
  ForcedWorkload() {
    Description engine = SmallEngine();
    engine.tensors["choice"] = {.name = "choice", .dtype = DType::kI32, .shape = {{"rows", ""}}};
    engine.tensors["h"] = {.name = "h", .dtype = DType::kF32, .shape = {{"rows", ""}}};
    engine.programs[1].ops.push_back({"head", "head", {"choice"}, {"h"}, {}});
    plan.reference = plan.candidate = engine;
    plan.manifest.ranks.count = 1;
    DecisionPlan decision{.name = "choice", .unscored = "none", .steers = true};
    decision.forced_before = 1;
    plan.programs = {{.name = "decode", .outputs = {"h"}, .decisions = {decision}}};
    for (const char* name : {"b1/decode#0", "b1/decode#1"}) {
      workload.runs.push_back(
          {.name = name, .scenario = "b1", .program = "decode", .sequences = {{0, 0, {5}}}});
      RunEnd end;
      end.images["choice"] = end.images["h"] = {};
      recording.runs.push_back({end});
    }
    workload.runs.front().first_of_scenario = workload.runs.back().last_of_scenario = true;
    // Every choice is another one.
    side.on_instruction = [this](const Instruction& asked, Result& result) {
      if (asked.what == Do::kElements && asked.tensor.name == "choice") {
        result.elements.different = 1;
      }
      if (asked.what == Do::kRestore) result.words = why_not;
    };
  }

  FreeRunEvidence Run(Decisions decisions) {
    return RunFree(plan, plan.candidate, workload, recording, decisions, side, [](auto&&...) {})
        .programs.at("decode");
  }

  Plan plan;
  Workload workload;
  Recording recording;
  ScriptedSide side;
  std::string why_not;
};

TEST(RunFree, ComparesAChoiceBeforeItPutsTheReferencesInItsPlace) {
  ForcedWorkload forced;
  const FreeRunEvidence evidence = forced.Run(Decisions::kForced);
  EXPECT_THAT(
      forced.side.messages.at(0),
      ElementsAre("reset", "stage b1/decode#0", "run 0 1", "compare choice",
                  "restore choice recorded", "run 1 2", "compare h", "stage b1/decode#1", "run 0 1",
                  "compare choice", "restore choice recorded", "run 1 2", "compare h"));
  for (const DecisionComparison& choice : evidence.decisions) EXPECT_TRUE(choice.forced);
  for (const FinalComparison& final : evidence.finals) EXPECT_THAT(final.after, IsEmpty());
}

TEST(RunFree, WhatFollowsAChoiceThatTheSideDoesNotHoldIsNotComparable) {
  ForcedWorkload forced;
  forced.why_not = "300 is not of i8";
  const FreeRunEvidence evidence = forced.Run(Decisions::kForced);
  for (const DecisionComparison& choice : evidence.decisions) EXPECT_FALSE(choice.forced);
  ASSERT_EQ(evidence.finals.size(), 2u);
  for (const FinalComparison& final : evidence.finals) {
    EXPECT_EQ(final.after,
              "choice of b1/decode#0, which differs and cannot be forced: 300 is not of i8");
  }
}

TEST(RunFree, WhatFollowsAnotherChoiceAsServedIsNotComparable) {
  ForcedWorkload served;
  const FreeRunEvidence evidence = served.Run(Decisions::kServed);
  EXPECT_THAT(served.side.messages.at(0),
              ElementsAre("reset", "stage b1/decode#0", "whole", "compare h", "compare choice",
                          "stage b1/decode#1", "whole", "compare h", "compare choice"));
  for (const FinalComparison& final : evidence.finals) {
    EXPECT_THAT(final.after, HasSubstr("choice of b1/decode#0, which differs"));
  }
}

}  // namespace
}  // namespace parity
