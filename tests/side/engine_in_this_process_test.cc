#include "gtest_parity/side/engine_in_this_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/side/counter_side.h"

namespace parity {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(EngineInThisProcess, RunsAndIsNoEvidence) {
  EngineInThisProcess side(CounterSide({}, 2));
  EXPECT_TRUE(side.alive());
  EXPECT_FALSE(side.is_evidence());
  EXPECT_THAT(side.provenance(), HasSubstr("in process: not evidence"));
  const std::vector<Results> results = side.Run(CounterScripts(2));
  EXPECT_EQ(FloatsOf(results[1][3])[2], 12);
  EXPECT_THAT(side.MappedObjects(), testing::Contains(PARITY_FIXTURE_COUNTER));
}

TEST(EngineInThisProcess, FailureNamesRankRunAndOp) {
  EngineInThisProcess side(CounterSide({"fail", "add", 1}, 2));
  try {
    side.Run(CounterScripts(2));
    FAIL() << "an engine that fails went on";
  } catch (const SideFailure& failure) {
    EXPECT_EQ(failure.death().cause, Death::Cause::kFailed);
    EXPECT_THAT(failure.death().ranks, ElementsAre(1));
    EXPECT_EQ(failure.death().run, "b1_edge/decode#3");
    EXPECT_EQ(failure.death().op, "layer0.add");
    EXPECT_FALSE(failure.death().during_setup);
  }
}

TEST(EngineInThisProcess, FailureDuringSetup) {
  try {
    EngineInThisProcess side(CounterSide({"fail", "create", 0}));
    FAIL() << "an engine that cannot be created was";
  } catch (const SideFailure& failure) {
    EXPECT_TRUE(failure.death().during_setup);
    EXPECT_EQ(failure.death().what, "create: there is no weight for this");
  }
}

struct Setup {
  const char* name;
  void (*spoil)(SideOptions& side);
  const char* words;
};

class SetupInThisProcess : public testing::TestWithParam<Setup> {};

TEST_P(SetupInThisProcess, IsNotHeldAgainstTheSide) {
  SideOptions side = CounterSide();
  GetParam().spoil(side);
  try {
    EngineInThisProcess in_process(side);
    FAIL() << "it was set up";
  } catch (const SetupError& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().words));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Errors, SetupInThisProcess,
    testing::Values(Setup{"stale",
                          [](SideOptions& side) { side.config["mood"] = "other_description"; },
                          "the candidate's checked-in description is stale:\n/context"},
                    Setup{"no_json", [](SideOptions& side) { side.config["mood"] = "no_json"; },
                          "the candidate's engine describes itself with what is no JSON"},
                    Setup{"traits", [](SideOptions& side) { side.description.tap_only = true; },
                          "engine 'counter' is not tap_only, its description says it is"},
                    Setup{"engine", [](SideOptions& side) { side.engine = "abacus"; },
                          "no engine 'abacus', it offers: counter"},
                    Setup{"library", [](SideOptions& side) { side.library = "/nowhere.so"; },
                          "/nowhere.so: no such file"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace parity
