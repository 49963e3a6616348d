// Loads of saved states that are wrong, each found by the check that is for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::HasSubstr;

SuiteRun RunStates(const std::string& mutant, const std::string& lane) {
  SuiteArguments arguments = {.manifest = "manifests/tiny/kv_states_paged_vs_ported.yaml",
                              .filter = "*Preflight*:*Cell*/" + lane + "_*",
                              .candidate = R"({"name": ")" + mutant + R"("})"};
  arguments.suite = PARITY_KV;
  return SuiteRun(arguments);
}

struct StateFault {
  const char* mutant;
  const char* lane;
  const char* found_in;   // a check of a cell of that lane that must be red
  const char* signature;  // as an exception would name it
};

class LoadFaults : public ::testing::TestWithParam<StateFault> {};

TEST_P(LoadFaults, AreFoundByTheirCheck) {
  const StateFault& fault = GetParam();
  const SuiteRun run = RunStates(fault.mutant, fault.lane);
  EXPECT_EQ(run.exit_code(), 1) << run.out();
  const CaseResult& found = run.At(std::string("Cell/") + fault.lane + "_" + fault.found_in);
  EXPECT_EQ(found.outcome, Outcome::kFail) << found.verdict.summary;
  EXPECT_EQ(PropertyOf(found, "signature"), fault.signature);
  for (const CaseResult& result : run.cases()) {
    if (SlugOf(result).find("reference_to_reference") == std::string::npos) continue;
    EXPECT_EQ(result.outcome, Outcome::kPass) << SlugOf(result);
  }
}

INSTANTIATE_TEST_SUITE_P(
    kv_states, LoadFaults,
    ::testing::Values(StateFault{"state_not_restored", "prompt",
                                 "reference_to_candidate_continuation", "continuation: logits"},
                      StateFault{"state_other_slot", "prompt",
                                 "reference_to_candidate_continuation", "continuation: logits"},
                      StateFault{"state_stale_position", "prompt",
                                 "candidate_to_candidate_continuation", "continuation: logits"},
                      StateFault{"state_any_kv_type", "other_kv_type",
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
