// Wrong stores of KV state behind HTTP: what crosses it is enough to find them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/selfproof/kv_faults.h"

namespace parity::testing {
namespace {

class ServedFaults : public ::testing::TestWithParam<KvFault> {};

TEST_P(ServedFaults, AreFoundByTheirCheck) {
  const KvFault& fault = GetParam();
  SuiteArguments arguments =
      ArgumentsOf("manifests/tiny/kv_servers.yaml", fault.mutant, fault.lane);
  arguments.more = {"--parity_library_path=" +
                    std::filesystem::path(PARITY_TINY_SERVER).parent_path().string()};
  ExpectFoundByItsCheck(SuiteRun(arguments), fault);
}

INSTANTIATE_TEST_SUITE_P(
    kv_servers, ServedFaults,
    ::testing::Values(
        KvFault{"kv_cached_zero", "shutdown", "reference_to_candidate_reuse", "reuse: cached 0"},
        KvFault{"kv_swapped_heads", "shutdown", "reference_to_candidate_continuation",
                "continuation: logits"},
        KvFault{"kv_keeps_stale_logits", "exact_frontier", "reference_to_candidate_continuation",
                "continuation: logits"},
        KvFault{"kv_hits_not_counted", "shutdown", "reference_to_candidate_files", "files: hits"},
        KvFault{"kv_wrong_reason", "shutdown", "candidate_to_candidate_record", "record: reason"},
        KvFault{"kv_trailer_dropped", "tool_map", "candidate_to_reference_accepted",
                "accepted: not taken up"}),
    [](const auto& info) { return std::string(info.param.mutant); });

}  // namespace
}  // namespace parity::testing
