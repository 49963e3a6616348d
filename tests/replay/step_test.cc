#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "gtest_parity/replay/workload.h"
#include "tests/replay/small_plan.h"

namespace parity {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

WorkloadRun RunOf(std::vector<WorkloadRun::Sequence> sequences) {
  WorkloadRun run;
  run.name = "b2/decode#0";
  run.program = "decode";
  run.sequences = std::move(sequences);
  return run;
}

TEST(StepFor, RowsOfAllSequencesEndToEnd) {
  const auto step = StepFor(RunOf({{0, 5, {7, 8}}, {3, 0, {9}}}), SmallEngine(), 1);
  EXPECT_EQ(step->program, "decode");
  EXPECT_EQ(step->run, "b2/decode#0");
  EXPECT_THAT(step->tokens, ElementsAre(7, 8, 9));
  EXPECT_THAT(step->positions, ElementsAre(5, 6, 0));
  ASSERT_EQ(step->sequences.size(), 2u);
  EXPECT_EQ(step->sequences[0].past, 5u);
  EXPECT_EQ(step->sequences[0].rows, 2u);
  EXPECT_EQ(step->sequences[1].slot, 3u);
}

TEST(StepFor, NoPagesWhereThereIsNoPaging) {
  Description engine = SmallEngine();
  engine.paging.reset();
  EXPECT_THAT(StepFor(RunOf({{0, 5, {7, 8}}}), engine, 1)->sequences[0].pages, IsEmpty());
}

// Over a whole workload: as many pages as needed, of nobody else, and kept as a sequence grows.
TEST(StepFor, BlockTables) {
  WorkloadOptions options;
  options.batches = {8};
  const Description engine = SmallEngine();
  const Workload workload = MakeWorkload(options, engine);
  std::map<std::string, std::map<std::uint32_t, std::vector<std::int32_t>>> tables;
  for (const WorkloadRun& run : workload.runs) {
    std::set<std::int32_t> taken;
    const auto step = StepFor(run, engine, workload.seed);
    for (const Step::Sequence& at : step->sequences) {
      EXPECT_EQ(at.pages.size(), (at.past + at.rows + 15) / 16);
      for (const std::int32_t page : at.pages) {
        EXPECT_GE(page, 0);
        EXPECT_LT(page, 64);
        EXPECT_TRUE(taken.insert(page).second) << run.name << " shares page " << page;
      }
      std::vector<std::int32_t>& before = tables[run.scenario][at.slot];
      ASSERT_LE(before.size(), at.pages.size());
      EXPECT_TRUE(std::equal(before.begin(), before.end(), at.pages.begin()));
      before = at.pages;
    }
  }
  // A kernel that takes pages to be ascending or contiguous is found out.
  std::size_t descents = 0, gaps = 0;
  for (const auto& [slot, pages] : tables.at("b8_page_edge")) {
    for (std::size_t i = 1; i < pages.size(); ++i) {
      descents += pages[i] < pages[i - 1];
      gaps += pages[i] != pages[i - 1] + 1;
    }
  }
  EXPECT_GT(descents, 0u);
  EXPECT_GT(gaps, 4u);
}

TEST(StepFor, SeedMovesThePages) {
  const WorkloadRun run = RunOf({{0, 100, {1}}});
  const Description engine = SmallEngine();
  EXPECT_EQ(StepFor(run, engine, 1)->sequences[0].pages,
            StepFor(run, engine, 1)->sequences[0].pages);
  EXPECT_NE(StepFor(run, engine, 1)->sequences[0].pages,
            StepFor(run, engine, 2)->sequences[0].pages);
}

TEST(StepFor, EachSideHasItsOwnPageSize) {
  Description engine = SmallEngine();
  engine.paging = Paging{4, 256};
  const auto step = StepFor(RunOf({{0, 16, {1}}}), engine, 1);
  EXPECT_EQ(step->sequences[0].pages.size(), 5u);
}

std::string ErrorOf(const WorkloadRun& run, const Description& engine) {
  try {
    StepFor(run, engine, 1);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(StepFor, MoreThanTheSideHas) {
  Description engine = SmallEngine();  // 8 pages of 16 tokens for each of 8 sequences
  EXPECT_EQ(ErrorOf(RunOf({{7, 127, {1}}}), engine), "");
  EXPECT_THAT(ErrorOf(RunOf({{7, 128, {1}}}), engine),
              HasSubstr("b2/decode#0: a sequence needs 9 pages, engine 'small' has 8 for each"));
  EXPECT_THAT(ErrorOf(RunOf({{8, 0, {1}}}), engine),
              HasSubstr("b2/decode#0: a sequence in slot 8, engine 'small' has 8"));
  engine.paging.reset();
  EXPECT_THAT(ErrorOf(RunOf({{8, 0, {1}}}), engine), HasSubstr("slot 8"));
}

}  // namespace
}  // namespace parity
