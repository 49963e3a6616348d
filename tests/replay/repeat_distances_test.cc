#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "gtest_parity/replay/span_recorder.h"

namespace parity {
namespace {

// Distances between repeats of which each is given by one number: as served, then under poison 0,
// 1, 0, 1, ... in the order that RepeatDistances expects.
RepeatDistances Of(const std::vector<float>& repeats) {
  std::vector<ElementStats> pairs;
  for (std::size_t later = 1; later < repeats.size(); ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      pairs.push_back(CompareElements(DType::kF32, &repeats[earlier], &repeats[later], 1));
    }
  }
  return RepeatDistances(std::move(pairs));
}

struct Case {
  const char* name;
  std::vector<float> repeats;  // as served first
  bool identical, follows;
};

void PrintTo(const Case& at, std::ostream* out) { *out << at.name; }

class RepeatDistancesTest : public testing::TestWithParam<Case> {};

TEST_P(RepeatDistancesTest, Verdict) {
  const RepeatDistances distances = Of(GetParam().repeats);
  EXPECT_EQ(distances.AllIdentical(), GetParam().identical);
  EXPECT_EQ(distances.FollowPoison(), GetParam().follows);
  const std::size_t n = GetParam().repeats.size();
  EXPECT_EQ(distances.pairs().size(), n * (n - 1) / 2);
}

INSTANTIATE_TEST_SUITE_P(
    Repeats, RepeatDistancesTest,
    testing::Values(Case{"exact", {1, 1, 1, 1, 1}, true, false},
                    Case{"two_repeats_are_too_few", {1, 2, 3}, false, false},
                    Case{"three_have_one_pair_alike", {1, 2, 3, 2}, false, false},
                    Case{"follows", {1, 2, 3, 2, 3}, false, true},
                    Case{"noise", {1, 2, 3, 4, 5}, false, false},
                    Case{"noise_that_agrees_under_one_poison", {1, 2, 3, 2, 4}, false, false},
                    Case{"only_as_served_differs", {1, 2, 2, 2, 2}, false, false},
                    Case{"nan_under_one_poison_with_noise", {1, NAN, 3, NAN, 4}, false, true},
                    Case{"nan_at_random", {1, NAN, 3, 2, 4}, false, false},
                    Case{"nan_always", {NAN, NAN, NAN, NAN, NAN}, true, false},
                    Case{"long_follows", {1, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3}, false, true},
                    Case{"long_with_one_slip", {1, 2, 3, 2, 3, 2, 3, 9, 3, 2, 3}, false, false},
                    Case{"none", {1}, true, false}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace parity
