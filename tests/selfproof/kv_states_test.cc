// Loads of saved states that are wrong, each found by the check that is for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/selfproof/kv_faults.h"

namespace parity::testing {
namespace {

using ::testing::HasSubstr;

SuiteRun RunStates(const std::string& mutant, const std::string& lane) {
  return SuiteRun(ArgumentsOf("manifests/tiny/kv_states_paged_vs_ported.yaml", mutant, lane));
}

class LoadFaults : public ::testing::TestWithParam<KvFault> {};

TEST_P(LoadFaults, AreFoundByTheirCheck) {
  ExpectFoundByItsCheck(RunStates(GetParam().mutant, GetParam().lane), GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    kv_states, LoadFaults,
    ::testing::Values(KvFault{"state_not_restored", "prompt", "reference_to_candidate_continuation",
                              "continuation: logits"},
                      KvFault{"state_other_slot", "prompt", "reference_to_candidate_continuation",
                              "continuation: logits"},
                      KvFault{"state_stale_position", "prompt",
                              "candidate_to_candidate_continuation", "continuation: logits"},
                      KvFault{"state_any_kv_type", "other_kv_type",
                              "reference_to_candidate_accepted", "accepted: not refused"}),
    [](const auto& info) { return std::string(info.param.mutant); });

// In the cells that the lane declares to decline the record, and in no other.
TEST(StateFaults, WhatIsTakenUpAgainstTheLaneIsFound) {
  const SuiteRun run = RunStates("state_any_kv_type", "candidate_in_bf16");
  EXPECT_EQ(run.exit_code(), 1) << run.out();
  const std::string lane = "Cell/candidate_in_bf16_";
  EXPECT_EQ(PropertyOf(run.At(lane + "reference_to_candidate_accepted"), "signature"),
            "accepted: not refused");
  EXPECT_EQ(run.At(lane + "candidate_to_reference_accepted").outcome, Outcome::kPass);
  EXPECT_EQ(PropertyOf(run.At(lane + "candidate_to_reference_accepted"), "refused_as_declared"),
            "other_kv_type");
  EXPECT_EQ(run.At(lane + "candidate_to_candidate_accepted").outcome, Outcome::kPass);
}

// A refusal that leaves the process useless is not one that an operator can live with.
TEST(StateFaults, AnEngineThatDoesNotGoOnAfterARefusalIsFound) {
  const SuiteRun run = RunStates("state_refusal_sticks", "other_kv_type");
  EXPECT_EQ(run.exit_code(), 1) << run.out();
  const CaseResult& cell = run.At("Cell/other_kv_type_reference_to_candidate_continuation");
  EXPECT_EQ(cell.outcome, Outcome::kFail);
  EXPECT_THAT(cell.verdict.summary, HasSubstr("nothing can be done any more"));
}

}  // namespace
}  // namespace parity::testing
