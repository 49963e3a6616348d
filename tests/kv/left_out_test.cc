#include "suites/kv/left_out.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parity::kv {
namespace {

using ::testing::ElementsAre;

const std::vector<Case> kAll = {{CaseKind::kPreflight, "sides", 0, {}, {}, {}},
                                {CaseKind::kAsked, "fits", 0, {}, {}, "Policy"},
                                {CaseKind::kAsked, "score", 0, {}, {}, "Policy"},
                                {CaseKind::kAsked, "shutdown_reuse", 0, {}, {}, "Cell"}};

Manifest Without(const std::vector<KvLeftOut>& without) {
  Manifest manifest;
  manifest.path = "m.yaml";
  manifest.kv.without = without;
  return manifest;
}

std::vector<std::string> Slugs(const LeftOut& left_out) {
  std::vector<std::string> slugs;
  for (const Case& which : left_out.asked()) slugs.push_back(which.slug);
  return slugs;
}

TEST(LeftOut, NothingIsWhereNothingIsDeclared) {
  const LeftOut left_out(Without({}), kAll);
  EXPECT_EQ(left_out.asked().size(), kAll.size());
  EXPECT_TRUE(left_out.Lines().empty());
}

TEST(LeftOut, IsNeitherAskedNorForgotten) {
  const LeftOut left_out(Without({{"Policy/*", "no store", {}}, {"*/s?ore", "again", {}}}), kAll);
  EXPECT_THAT(Slugs(left_out), ElementsAre("sides", "shutdown_reuse"));
  // Each case counts once, for the first that has it.
  EXPECT_THAT(left_out.Lines(), ElementsAre("not asked: 2 cases of Policy/*: no store",
                                            "not asked: 0 cases of */s?ore: again"));
}

TEST(LeftOut, PreflightIsAlwaysAsked) {
  EXPECT_THAT(Slugs(LeftOut(Without({{"*", "all", {}}}), kAll)), ElementsAre("sides"));
}

TEST(LeftOut, APatternThatNoCaseHasIsAnError) {
  try {
    LeftOut(
        Without({{"Cell/*", "one", {}}, {"Preflight/*", "two", {4, 3}}, {"Polcy/*", "", {5, 3}}}),
        kAll);
    ADD_FAILURE();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(
        error.what(),
        "m.yaml:4:3: kv.without[1].cases: got \"Preflight/*\", expected a pattern of cases "
        "that there are, such as \"Policy/*\"\n"
        "m.yaml:5:3: kv.without[2].cases: got \"Polcy/*\", expected a pattern of cases that "
        "there are, such as \"Policy/*\"");
  }
}

}  // namespace
}  // namespace parity::kv
