#include "gtest_parity/replay/probe_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/replay/small_plan.h"

namespace parity {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

Workload OneSequence() {
  Workload workload;
  workload.runs.push_back({.name = "b1/prefill#0",
                           .scenario = "b1",
                           .program = "prefill",
                           .first_of_scenario = true,
                           .last_of_scenario = true,
                           .kept = "first",
                           .sequences = {{0, 0, {5, 99, 7}}}});
  return workload;
}

TEST(ProbeRuns, AreEachProgramOnceOnTwoShortSequences) {
  const std::vector<WorkloadRun> runs = ProbeRuns(OneSequence(), SmallEngine());
  ASSERT_THAT(runs, SizeIs(2));
  EXPECT_EQ(runs[0].program, "prefill");
  EXPECT_THAT(runs[0].sequences[0].tokens, ElementsAre(5, 99, 7, 5));
  EXPECT_THAT(runs[0].sequences[1].tokens, ElementsAre(99, 7, 5));
  EXPECT_EQ(runs[1].program, "decode");
  EXPECT_EQ(runs[1].sequences[1].past, 3u);
  EXPECT_THAT(runs[1].sequences[1].tokens, SizeIs(1));
}

TEST(ProbeRuns, AreOfOneSequenceWhereTheEngineTakesNoMore) {
  Description one = SmallEngine();
  one.var_max["seqs"] = 1;
  EXPECT_THAT(ProbeRuns(OneSequence(), one)[0].sequences, SizeIs(1));
}

TEST(ProbeRuns, LeaveOutAProgramThatThereIsNot) {
  Description decode_only = SmallEngine();
  decode_only.programs.erase(decode_only.programs.begin());
  const std::vector<WorkloadRun> runs = ProbeRuns(OneSequence(), decode_only);
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_EQ(runs[0].sequences[1].past, 0u);
}

}  // namespace
}  // namespace parity
