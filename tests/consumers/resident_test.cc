// RESIDENT groups run alone, whatever `ctest -j` says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/consumers/stage.h"

namespace parity::testing {
namespace {

struct Interval {
  std::string group;
  long long begin = 0, end = 0;
};

bool Overlap(const Interval& a, const Interval& b) { return a.begin < b.end && b.begin < a.end; }

TEST(Resident, GroupsNeverOverlapAnything) {
  const Consumer consumer({"tests/consumers/resident"});
  consumer.folder().Write("source/any.yaml", "parity: 1\n");
  const Finished configured =
      consumer.Configure({"-DCMAKE_PREFIX_PATH=" + Stage::Whole().prefix()});
  ASSERT_EQ(configured.exit_code, 0) << configured.Text();
  ASSERT_EQ(consumer.BuildTarget().exit_code, 0);
  // Without the verdict, which rightly misses their reports.
  const Finished run = consumer.CTest({"-j8", "-R", "interval", "-FC", "parity_run"});
  EXPECT_EQ(run.exit_code, 0) << run.Text();

  std::vector<Interval> intervals;
  std::ifstream file(consumer.Build("intervals/intervals"));
  for (Interval one; file >> one.group >> one.begin >> one.end;) intervals.push_back(one);
  ASSERT_EQ(intervals.size(), 4u);
  std::set<std::string> overlapping;
  for (const Interval& a : intervals) {
    for (const Interval& b : intervals) {
      if (&a != &b && Overlap(a, b)) overlapping.insert(a.group);
    }
  }
  // Those that wait for each other do overlap: CTest runs groups side by side where it may.
  EXPECT_THAT(overlapping, ::testing::UnorderedElementsAre("interval.meets_a.ranks1",
                                                           "interval.meets_b.ranks1"));
}

}  // namespace
}  // namespace parity::testing
