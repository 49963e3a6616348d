// Stores of KV state that are wrong, each found by the check that is for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

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

// Taken up or not, it is told for what it is: changed since it was seen.
TEST(KvDamage, AChangeBehindTheIndexIsSeen) {
  const SuiteRun run = RunKv(R"({"name": "kv_trusts_index"})", "*Damaged*/fingerprint_changed");
  EXPECT_EQ(run.exit_code(), 1) << run.out();
  const CaseResult& found = run.At("Damaged/fingerprint_changed");
  EXPECT_EQ(found.outcome, Outcome::kFail);
  EXPECT_THAT(found.verdict.summary, HasSubstr("refused changed_during_lookup"));
}

struct StoreFault {
  const char* mutant;
  const char* oracle;
  const char* words;
};

class KvStoreFaults : public ::testing::TestWithParam<StoreFault> {};

// The one oracle that is for it; all others stand.
TEST_P(KvStoreFaults, AreFoundByTheirOracle) {
  const SuiteRun run = RunKv(std::string(R"({"name": ")") + GetParam().mutant + R"("})", "*Store*");
  EXPECT_EQ(run.exit_code(), 1) << run.out();
  const std::string name = std::string("Store/") + GetParam().oracle;
  EXPECT_EQ(RedCases(run.cases()), std::set<std::string>{name});
  EXPECT_THAT(run.At(name).verdict.summary, HasSubstr(GetParam().words));
}

INSTANTIATE_TEST_SUITE_P(
    kv, KvStoreFaults,
    ::testing::Values(StoreFault{"kv_budget_grows", "budget_below", "got 1, expected 0"},
                      StoreFault{"kv_unlinks_first", "killed_writer",
                                 "was to replace: got nothing, expected what it was"}),
    [](const auto& info) { return std::string(info.param.mutant); });

// Where the reference's own store does not stand it, nothing is held against the candidate.
TEST(KvStore, AReferenceThatDoesNotStandIsAnError) {
  SuiteArguments arguments = {.manifest = "manifests/tiny/kv_paged_vs_ported.yaml",
                              .filter = FilterOf("*Store*/budget_below")};
  arguments.more = {R"(--parity_reference_config={"kv": {"min_tokens": 1000}})"};
  arguments.suite = PARITY_KV;
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 4) << run.out();
  EXPECT_EQ(run.At("Store/budget_below").outcome, Outcome::kError);
}

}  // namespace
}  // namespace parity::testing
