#include "gtest_parity/replay/run_end.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/replay/small_plan.h"

namespace parity {
namespace {

using testing::ElementsAre;

// One scenario: two sequences, of which the second goes no further than the first run.
Workload TwoRuns() {
  Workload workload;
  workload.seed = 11;
  WorkloadRun first, last;
  first.program = last.program = "decode";
  first.scenario = last.scenario = "b2";
  first.first_of_scenario = last.last_of_scenario = true;
  first.sequences = {{0, 0, std::vector<std::int32_t>(10)}, {1, 0, std::vector<std::int32_t>(5)}};
  last.sequences = {{0, 10, std::vector<std::int32_t>(9)}};
  workload.runs = {first, last};
  return workload;
}

// 64 pages of 16 tokens of 2 heads of 3 numbers.
const Tensor kState = PagedState({{"64", ""}, {"16", ""}, {"4", "ranks"}, {"3", ""}});

TEST(WrittenStateRanges, RowsOfTheTokensOfEverySequence) {
  const Workload workload = TwoRuns();
  const Description engine = SmallEngine();
  const ElementRanges ranges = WrittenStateRanges(kState, engine, workload, 1, 2);
  // The expected set, token by token.
  std::vector<bool> written(64 * 16 * 6);
  const auto mark = [&](const WorkloadRun& run, std::size_t sequence, std::uint64_t length) {
    const auto pages = StepFor(run, engine, workload.seed)->sequences[sequence].pages;
    for (std::uint64_t token = 0; token < length; ++token) {
      const auto page = static_cast<std::uint64_t>(pages[token / 16]);
      for (std::uint64_t i = 0; i < 6; ++i) written[(page * 16 + token % 16) * 6 + i] = true;
    }
  };
  mark(workload.runs[1], 0, 19);
  mark(workload.runs[0], 1, 5);
  std::vector<bool> found(written.size());
  std::uint64_t end = 0;
  for (const ElementRun& run : ranges) {
    EXPECT_GE(run.first, end) << "ascending and disjoint";
    end = run.first + run.count;
    for (std::uint64_t i = run.first; i < end; ++i) found.at(i) = true;
  }
  EXPECT_EQ(found, written);
}

TEST(WrittenStateRanges, OtherScenariosDoNotCount) {
  Workload workload = TwoRuns();
  const ElementRanges alone = WrittenStateRanges(kState, SmallEngine(), workload, 1, 2);
  WorkloadRun before = workload.runs[0];
  before.scenario = "b1";
  before.first_of_scenario = before.last_of_scenario = true;
  before.sequences = {{5, 0, std::vector<std::int32_t>(50)}};
  workload.runs.insert(workload.runs.begin(), before);
  EXPECT_EQ(WrittenStateRanges(kState, SmallEngine(), workload, 2, 2), alone);
}

TEST(WrittenStateRanges, WholeStatesThatAreNotPaged) {
  const Workload workload = TwoRuns();
  const Description engine = SmallEngine();
  EXPECT_THAT(
      WrittenStateRanges(PagedState({{"seqs", ""}, {"7", ""}}, false), engine, workload, 1, 1),
      ElementsAre(ElementRun{0, 7}));
  // Axis 1 is not a page's tokens.
  EXPECT_THAT(WrittenStateRanges(PagedState({{"64", ""}, {"8", ""}}), engine, workload, 1, 1),
              ElementsAre(ElementRun{0, 512}));
  Description unpaged = engine;
  unpaged.paging.reset();
  EXPECT_THAT(WrittenStateRanges(kState, unpaged, workload, 1, 1),
              ElementsAre(ElementRun{0, 64 * 16 * 12}));
}

// A state whose shape follows the step shows only the step's sequences: one that ends early is
// looked at when it ends.
TEST(IsDue, WhenASequenceIsThereForTheLastTime) {
  Workload workload = TwoRuns();
  const Tensor fixed = PagedState({{"64", ""}, {"16", ""}});
  const Tensor moving = PagedState({{"kv_tokens", ""}, {"16", ""}}, false);
  EXPECT_FALSE(IsDue(fixed, workload, 0));
  EXPECT_TRUE(IsDue(fixed, workload, 1));
  EXPECT_TRUE(IsDue(moving, workload, 0)) << "the second sequence ends here";
  EXPECT_TRUE(IsDue(moving, workload, 1));
  workload.runs[1].sequences.push_back({1, 5, {7}});
  EXPECT_FALSE(IsDue(moving, workload, 0));
}

}  // namespace
}  // namespace parity
