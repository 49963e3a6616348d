// Stores of KV state that are wrong, each found by the check that is for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::HasSubstr;

struct KvFault {
  const char* mutant;
  const char* filter;     // of lanes
  const char* found_in;   // a case that must be red
  const char* signature;  // as an exception would name it
};

std::string FilterOf(const std::string& lanes) { return "*Preflight*:" + lanes; }

SuiteRun RunKv(const std::string& mutant, const std::string& lanes, bool reference = false) {
  SuiteArguments arguments = {.manifest = "manifests/tiny/kv_paged_vs_ported.yaml",
                              .filter = FilterOf(lanes)};
  (reference ? arguments.reference : arguments.candidate) = mutant;
  arguments.suite = PARITY_KV;
  return SuiteRun(arguments);
}

class KvFaults : public ::testing::TestWithParam<KvFault> {};

TEST_P(KvFaults, AreFoundByTheirCheck) {
  const SuiteRun run =
      RunKv(std::string(R"({"name": ")") + GetParam().mutant + R"("})", GetParam().filter);
  EXPECT_EQ(run.exit_code(), 1) << run.out();
  const CaseResult& found = run.At(std::string("Cell/") + GetParam().found_in);
  EXPECT_EQ(found.outcome, Outcome::kFail) << found.verdict.summary;
  EXPECT_EQ(PropertyOf(found, "signature"), GetParam().signature);
  // What the reference does with its own is no less right for it.
  for (const CaseResult& result : run.cases()) {
    if (SlugOf(result).find("reference_to_reference") == std::string::npos) continue;
    EXPECT_EQ(result.outcome, Outcome::kPass) << SlugOf(result);
  }
}

INSTANTIATE_TEST_SUITE_P(
    kv, KvFaults,
    ::testing::Values(
        KvFault{"kv_cached_zero", "*Cell*/shutdown_*", "shutdown_reference_to_candidate_reuse",
                "reuse: cached 0"},
        KvFault{"kv_swapped_heads", "*Cell*/shutdown_*",
                "shutdown_reference_to_candidate_continuation", "continuation: logits"},
        KvFault{"kv_position_off_by_one", "*Cell*/shutdown_*",
                "shutdown_candidate_to_candidate_continuation", "continuation: logits"},
        KvFault{"kv_keeps_stale_logits", "*Cell*/exact_frontier_*",
                "exact_frontier_reference_to_candidate_continuation", "continuation: logits"},
        KvFault{"kv_hits_not_counted", "*Cell*/shutdown_*", "shutdown_reference_to_candidate_files",
                "files: hits"},
        KvFault{"kv_rewrites_record", "*Cell*/shutdown_*", "shutdown_reference_to_candidate_files",
                "files: reason"},
        KvFault{"kv_wrong_reason", "*Cell*/shutdown_*", "shutdown_candidate_to_candidate_record",
                "record: reason"},
        KvFault{"kv_trailer_dropped", "*Cell*/tool_map_*",
                "tool_map_candidate_to_reference_accepted", "accepted: not taken up"},
        KvFault{"kv_evicts_pinned", "*Cell*/bank_pinned_*",
                "bank_pinned_candidate_to_reference_record", "record: file name"}),
    [](const auto& info) { return std::string(info.param.mutant); });

// A footer that names another model: the reference declines it, the fault takes it up.
TEST(KvDamage, AnotherModelsRecordIsNotTakenUp) {
  const SuiteRun run = RunKv(R"({"name": "kv_accepts_wrong_model"})", "*Damaged*/fingerprint_flip");
  EXPECT_EQ(run.exit_code(), 1) << run.out();
  const CaseResult& found = run.At("Damaged/fingerprint_flip");
  EXPECT_EQ(found.outcome, Outcome::kFail);
  EXPECT_THAT(found.verdict.summary, HasSubstr("identity"));
}

}  // namespace
}  // namespace parity::testing
