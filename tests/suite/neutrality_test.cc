// Whether a side comes to the same while it is looked at: run in stretches, with snapshots between.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

const char kServedOnly[] = R"({"name": "round", "served": true})";

TEST(Neutrality, OfSidesThatAreOneInWholeRunsAndInStretches) {
  const SuiteRun run({.manifest = "tests/suite/quick.yaml", .filter = "*_neutrality:*layer0_gate"});
  for (const char* side : {"reference", "candidate"}) {
    const CaseResult& result = run.At(std::string("Preflight/") + side + "_neutrality");
    EXPECT_EQ(result.outcome, Outcome::kPass);
    // Logits and next token of prefill and decode; once, repeated twice and looked at.
    EXPECT_EQ(result.verdict.summary, "observer neutrality: 4 results unmoved, in 8 runs");
    EXPECT_EQ(result.verdict.compared, 0u);
  }
}

TEST(Neutrality, OfACandidateThatIsAnotherAsServedFails) {
  const SuiteRun run({.manifest = "tests/suite/quick.yaml",
                      .filter = "*_neutrality:*layer0_gate",
                      .candidate = kServedOnly});
  EXPECT_EQ(run.exit_code(), 1);
  EXPECT_EQ(RedCases(run.cases()), std::set<std::string>{"Preflight/candidate_neutrality"});
  const Verdict& verdict = run.At("Preflight/candidate_neutrality").verdict;
  EXPECT_THAT(verdict.summary, HasSubstr("with 126 snapshots, "));
  EXPECT_THAT(verdict.findings, Contains(HasSubstr("results move as soon as somebody looks at h at "
                                                   "embed of prefill")));
}

TEST(Neutrality, OfAReferenceThatIsAnotherAsServedIsAnError) {
  const SuiteRun run({.manifest = "tests/suite/ported_vs_paged.yaml",
                      .filter = "*_neutrality:*layer0_gate",
                      .reference = kServedOnly});
  EXPECT_EQ(run.exit_code(), 4);
  EXPECT_EQ(RedCases(run.cases()), std::set<std::string>{"Preflight/reference_neutrality"});
}

}  // namespace
}  // namespace parity::testing
