// A buffer that is not on every rank what all should hold alike.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::HasSubstr;

class Replicated : public ::testing::TestWithParam<const char*> {};

TEST_P(Replicated, DifferenceIsTraced) {
  SuiteArguments arguments = {.manifest = "tests/suite/quick.yaml",
                              .ranks = 2,
                              .filter = "*Replicated*prefill_cos:*Replicated*prefill_logits",
                              .candidate = R"({"name": "wrong_rank1", "label": "rope_rows"})"};
  arguments.more = {std::string("--parity_ranks_in=") + GetParam()};
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 1) << run.err();
  const CaseResult& apart = run.At("Replicated/prefill_cos");
  EXPECT_EQ(apart.outcome, Outcome::kFail);
  EXPECT_EQ(PropertyOf(apart, "rank"), "1");
  EXPECT_THAT(apart.verdict.summary,
              HasSubstr("rank 1 differs from rank 0 in 512 of 512 elements, first at [0, 0]: 1.125 "
                        "against 1"));
}

INSTANTIATE_TEST_SUITE_P(Ranks, Replicated, ::testing::Values("threads", "processes"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace parity::testing
