#include "gtest_parity/manifest/diagnostics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parity {
namespace {

TEST(Diagnostics, OneLineHasFileLineColumnWhatGotAndExpected) {
  const Diagnostic full{"m.yaml", {3, 7}, "judge.kl", "\"x\"", "a number above 0"};
  EXPECT_EQ(full.Text(), "m.yaml:3:7: judge.kl: got \"x\", expected a number above 0");
  const Diagnostic bare{"m.yaml", {}, "cannot be read", "", ""};
  EXPECT_EQ(bare.Text(), "m.yaml: cannot be read");
  const Diagnostic expected{"m.yaml", {1, 1}, "missing", "", "a name"};
  EXPECT_EQ(expected.Text(), "m.yaml:1:1: missing: expected a name");
}

TEST(Diagnostics, ThrowsAllInTheOrderOfLines) {
  Diagnostics errors;
  EXPECT_NO_THROW(errors.ThrowIfAny());
  errors.Add({"f", {9, 1}, "late", "", ""});
  errors.Add({"f", {2, 1}, "early", "", ""});
  try {
    errors.ThrowIfAny();
    FAIL() << "must throw";
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(), "f:2:1: early\nf:9:1: late");
    EXPECT_EQ(error.diagnostics().size(), 2u);
  }
}

TEST(NearestName, TakesSlipsAndNothingElse) {
  const std::vector<std::string> known = {"workload", "judge", "spans", "ranks"};
  EXPECT_EQ(NearestName("worklaod", known), "workload");
  EXPECT_EQ(NearestName("span", known), "spans");
  EXPECT_EQ(NearestName("jugde", known), "judge");
  EXPECT_EQ(NearestName("zebra", known), "");
  EXPECT_EQ(NearestName("", known), "");
  EXPECT_EQ(NearestName("q", {"k", "v"}), "k");
}

TEST(ExpectedName, ListsAFewWhereNoneIsNear) {
  EXPECT_EQ(ExpectedName("wrkload", {"workload", "judge"}), "\"workload\"");
  EXPECT_EQ(ExpectedName("zebra", {"workload", "judge"}), "one of workload, judge");
  EXPECT_EQ(ExpectedName("zebra", {"allowed"}), "allowed");
  EXPECT_EQ(ExpectedName("zebra", {}), "none: none is declared");
  EXPECT_THAT(ExpectedName("zebra", std::vector<std::string>(40, "workload")),
              testing::HasSubstr("and 28 more"));
}

TEST(Quoted, IsShortened) {
  EXPECT_EQ(Quoted("a"), "\"a\"");
  EXPECT_LT(Quoted(std::string(1000, 'x')).size(), 80u);
}

}  // namespace
}  // namespace parity
