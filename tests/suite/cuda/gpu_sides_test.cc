// Sides on GPUs, as a user meets them when something is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kPort[] = "manifests/tiny/cuda_paged_vs_ported.yaml";

TEST(GpuSides, AKernelThatStoresNowhereCostsOneProcess) {
  const SuiteRun run({.manifest = kPort,
                      .filter = "*Preflight*:*decode_layer0_q:*decode_layer1_q:*decode_logits",
                      .more = {R"(--parity_candidate_config={"fault": "layer0.q"})"}});
  const CaseResult& lost = run.At("SpanParity/decode_layer0_q");
  EXPECT_EQ(lost.outcome, Outcome::kFail);
  EXPECT_EQ(lost.verdict.span_class, SpanClass::kBroken);
  EXPECT_THAT(lost.verdict.summary,
              AllOf(HasSubstr("device lost"), HasSubstr("cudaErrorIllegalAddress"),
                    HasSubstr("rank 0"), HasSubstr("op layer0.q")));
  EXPECT_EQ(run.At("SpanParity/decode_layer1_q").verdict.span_class, SpanClass::kIdentical);
  EXPECT_EQ(run.At("SpanParity/decode_logits").verdict.span_class, SpanClass::kIdentical);
  EXPECT_EQ(run.exit_code(), 1);
}

TEST(GpuSides, AReferenceThatLosesItsDeviceIsAnError) {
  const SuiteRun run({.manifest = kPort,
                      .filter = "*decode_layer0_q",
                      .more = {R"(--parity_reference_config={"fault": "layer0.q"})"}});
  const CaseResult& lost = run.At("SpanParity/decode_layer0_q");
  EXPECT_EQ(lost.outcome, Outcome::kError);
  EXPECT_THAT(lost.verdict.summary, HasSubstr("the reference broke: device lost: "));
  EXPECT_EQ(run.exit_code(), 4);
}

TEST(GpuSides, StagedOnesRunWhereAGpuIs) {
  const SuiteRun run({.manifest = "tests/suite/staged.yaml", .filter = "*decode_layer0_q"});
  EXPECT_EQ(run.At("SpanParity/decode_layer0_q").verdict.span_class, SpanClass::kIdentical);
  EXPECT_EQ(run.exit_code(), 0);
}

struct End {
  const char *mutant, *ranks_in, *words;
};

void PrintTo(const End& end, std::ostream* out) { *out << end.mutant << " in " << end.ranks_in; }

class RankInFrontOfACollective : public ::testing::TestWithParam<End> {};

// Rank 1 ends, or stalls, while rank 0 waits for it within NCCL.
TEST_P(RankInFrontOfACollective, IsTheOneToBlame) {
  SuiteArguments arguments = {
      .manifest = kPort,
      .ranks = 2,
      .filter = "*EndToEnd*decode:*decode_layer1_q",
      .candidate = std::string("{\"name\": \"") + GetParam().mutant +
                   "\", \"rank\": 1, \"program\": \"decode\", \"served\": true}",
      .deadline_seconds = 20};
  arguments.more = {std::string("--parity_ranks_in=") + GetParam().ranks_in};
  const SuiteRun run(arguments);
  if (run.exit_code() == 77) {
    GTEST_SKIP() << run.At("EndToEnd/decode").verdict.summary;
  }
  EXPECT_EQ(run.exit_code(), 1) << run.err();
  const CaseResult& ended = run.At("EndToEnd/decode");
  EXPECT_EQ(ended.outcome, Outcome::kFail);
  EXPECT_THAT(ended.verdict.summary, HasSubstr(GetParam().words));
  EXPECT_EQ(run.At("SpanParity/decode_layer1_q").outcome, Outcome::kPass);
}

INSTANTIATE_TEST_SUITE_P(
    Mutants, RankInFrontOfACollective,
    ::testing::Values(End{"crash", "processes", "died: signal SIGSEGV, rank 1"},
                      End{"exit77", "processes", "left: exit status 77, rank 1"},
                      End{"hang", "processes", "hung: no answer within 20 s"},
                      End{"hang", "threads", "hung: no answer within 20 s"}),
    [](const auto& info) { return std::string(info.param.mutant) + "_in_" + info.param.ranks_in; });

struct Missing {
  std::string test, visible_devices;
  std::uint32_t ranks;
  std::string words;
};

void PrintTo(const Missing& missing, std::ostream* out) { *out << missing.test; }

class MissingGpus : public ::testing::TestWithParam<Missing> {};

TEST_P(MissingGpus, BlockTheGroup) {
  const SuiteRun run({.manifest = kPort,
                      .ranks = GetParam().ranks,
                      .filter = "*decode_layer0_q",
                      .environment = {{"CUDA_VISIBLE_DEVICES", GetParam().visible_devices},
                                      {"CTEST_RESOURCE_GROUP_COUNT", "0"}}});
  const CaseResult& blocked = run.At("SpanParity/decode_layer0_q");
  EXPECT_EQ(blocked.outcome, Outcome::kBlocked);
  EXPECT_THAT(blocked.verdict.summary, HasSubstr(GetParam().words));
  EXPECT_EQ(run.exit_code(), 77);
}

INSTANTIATE_TEST_SUITE_P(
    Machines, MissingGpus,
    ::testing::Values(Missing{"None", "", 1, "no GPU is visible (CUDA_VISIBLE_DEVICES=)"},
                      Missing{"TooFew", "0", 2, "2 ranks need as many GPUs, visible: 1 (GPU-"}),
    [](const auto& info) { return info.param.test; });

}  // namespace
}  // namespace parity::testing
