#include "gtest_parity/judge/finding.h"

#include <gtest/gtest.h>

#include "tests/judge/evidence_builder.h"

namespace parity {
namespace {

TEST(Coordinates, AreRowMajor) {
  EXPECT_EQ(Coordinates({4, 16}, 0), "[0, 0]");
  EXPECT_EQ(Coordinates({4, 16}, 63), "[3, 15]");
  EXPECT_EQ(Coordinates({2, 3, 4}, 17), "[1, 1, 1]");
  EXPECT_EQ(Coordinates({8}, 7), "[7]");
}

TEST(Coordinates, OutsideTheShapeAreFlat) {
  EXPECT_EQ(Coordinates({4, 16}, 64), "[#64]");
  EXPECT_EQ(Coordinates({}, 0), "[#0]");
  EXPECT_EQ(Coordinates({4, 0}, 3), "[#3]");
}

TEST(Finding, LeavesEmptyPartsOut) {
  Finding finding;
  finding.what = "differs";
  EXPECT_EQ(finding.Text(), "differs");
  finding.where = Where("", "b1/decode#0", -1, "attn");
  finding.allowed = "every bit";
  EXPECT_EQ(finding.Text(), "b1/decode#0, attn: differs, allowed every bit");
}

TEST(DeathText, NamesWhatIsKnown) {
  Death death = testing::Died(Death::Cause::kSignal, "signal SIGSEGV");
  EXPECT_EQ(death.Text(), "died: signal SIGSEGV, rank 1, b1/decode#3, op layer0.attention");
  death.ranks = {0, 2};
  death.run.clear();
  death.op.clear();
  EXPECT_EQ(death.Text(), "died: signal SIGSEGV, ranks 0 2, while loading");
  death.ranks.clear();
  death.during_setup = true;
  death.run = "b1/prefill#0";
  EXPECT_EQ(death.Text(), "died: signal SIGSEGV, rank not known, b1/prefill#0, during setup");
}

}  // namespace
}  // namespace parity
