// Wrong stores of KV state behind HTTP: what crosses it is enough to find them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

struct ServedFault {
  const char* mutant;
  const char* lane;
  const char* found_in;   // a check of a cell of that lane that must be red
  const char* signature;  // as an exception would name it
};

class ServedFaults : public ::testing::TestWithParam<ServedFault> {};

TEST_P(ServedFaults, AreFoundByTheirCheck) {
  const ServedFault& fault = GetParam();
  const std::string lane = fault.lane;
  SuiteArguments arguments = {.manifest = "manifests/tiny/kv_servers.yaml",
                              .filter = "*Preflight*:*Cell*/" + lane + "_*",
                              .candidate = std::string(R"({"name": ")") + fault.mutant + R"("})"};
  arguments.suite = PARITY_KV;
  arguments.more = {"--parity_library_path=" +
                    std::filesystem::path(PARITY_TINY_SERVER).parent_path().string()};
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 1) << run.out();
  const CaseResult& found = run.At("Cell/" + lane + "_" + fault.found_in);
  EXPECT_EQ(found.outcome, Outcome::kFail) << found.verdict.summary;
  EXPECT_EQ(PropertyOf(found, "signature"), fault.signature);
  for (const CaseResult& result : run.cases()) {
    if (SlugOf(result).find("reference_to_reference") == std::string::npos) continue;
    EXPECT_EQ(result.outcome, Outcome::kPass) << SlugOf(result);
  }
}

INSTANTIATE_TEST_SUITE_P(
    kv_servers, ServedFaults,
    ::testing::Values(ServedFault{"kv_cached_zero", "shutdown", "reference_to_candidate_reuse",
                                  "reuse: cached 0"},
                      ServedFault{"kv_swapped_heads", "shutdown",
                                  "reference_to_candidate_continuation", "continuation: logits"},
                      ServedFault{"kv_keeps_stale_logits", "exact_frontier",
                                  "reference_to_candidate_continuation", "continuation: logits"},
                      ServedFault{"kv_hits_not_counted", "shutdown", "reference_to_candidate_files",
                                  "files: hits"},
                      ServedFault{"kv_wrong_reason", "shutdown", "candidate_to_candidate_record",
                                  "record: reason"},
                      ServedFault{"kv_trailer_dropped", "tool_map",
                                  "candidate_to_reference_accepted", "accepted: not taken up"}),
    [](const auto& info) { return std::string(info.param.mutant); });

}  // namespace
}  // namespace parity::testing
