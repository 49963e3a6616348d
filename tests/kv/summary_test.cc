#include "suites/kv/summary.h"

#include <gtest/gtest.h>

#include "tests/golden_file.h"

namespace parity::kv {
namespace {

constexpr CellOutcomes kPass = {Outcome::kPass, Outcome::kPass, Outcome::kPass, Outcome::kPass,
                                Outcome::kPass};

CellOutcomes With(Check check, Outcome outcome) {
  CellOutcomes cell = kPass;
  cell[static_cast<std::size_t>(check)] = outcome;
  return cell;
}

Damaged Of(const std::string& slug, const DamageOutcome& reference,
           const DamageOutcome& candidate) {
  Damaged damaged;
  damaged.harm.slug = slug;
  damaged.reference = reference;
  damaged.candidate = candidate;
  return damaged;
}

TEST(Summary, ACellIsItsFirstOutcomeThatDoesNotPass) {
  EXPECT_EQ(CellText(kPass), "PASS");
  EXPECT_EQ(CellText(With(Check::kReuse, Outcome::kPassStar)), "PASS*");
  CellOutcomes cell = With(Check::kReuse, Outcome::kFail);
  cell[0] = Outcome::kPassStar;
  cell[4] = Outcome::kFail;
  EXPECT_EQ(CellText(cell), "FAIL reuse, files");
  EXPECT_EQ(CellText(CellOutcomes{}), "NOT_COMPARED record, accepted, reuse, continuation, files");
}

TEST(Summary, AsItIsWritten) {
  const DamageOutcome refused = {"", {"hash_mismatch"}, 0, true, "kept"};
  const DamageOutcome missed = {"", {}, 0, true, "kept"};
  const DamageOutcome unharmed = {"", {}, 40, true, "written"};
  const DamageOutcome risk = {"", {}, 40, false, "written"};
  Damaged half = Of("cut_at_text", refused, refused);
  half.candidate.reset();
  const std::vector<Damaged> all = {
      Of("flip_text", refused, refused), Of("flip_hits", unharmed, unharmed),
      Of("flip_payload", risk, risk),    Of("cut_at_start", missed, missed),
      Of("cut_at_magic", refused, risk), half};
  const std::vector<LaneRow> lanes = {
      {"shutdown", {kPass, kPass, With(Check::kContinuation, Outcome::kFail), kPass}, {}},
      {"bank_partial", {With(Check::kReuse, Outcome::kPassStar), kPass, kPass, kPass}, {}},
      {"other_type",
       {kPass, kPass, With(Check::kAccepted, Outcome::kFail), kPass},
       {false, false, true, true}}};
  EXPECT_TRUE(testing::MatchesGoldenFile(
      PARITY_SOURCE_DIR "/tests/kv/golden/kv_matrix.txt",
      SummaryText("mine", lanes, {{"shutdown", &all}},
                  {{"budget_at", Outcome::kPass, "1 of a record of 100"}})));
}

}  // namespace
}  // namespace parity::kv
