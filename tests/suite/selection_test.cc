// Whatever selects and orders the cases, each comes to the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

// Two spans differ, and both programs end to end: outcomes of more than one kind.
SuiteArguments Drifting() {
  return {.manifest = "tests/suite/quick.yaml", .candidate = R"({"name": "drift"})"};
}

// Outcome, class and comparisons of each case.
using Told = std::map<std::string, std::string>;

Told TellAll(const SuiteRun& run) {
  Told told;
  for (const CaseResult& result : run.cases()) {
    const Verdict& verdict = result.verdict;
    std::string text(NameOf(result.outcome));
    if (verdict.span_class) text += " " + std::string(NameOf(*verdict.span_class));
    text += " " + std::to_string(verdict.compared) + "/" + std::to_string(verdict.expected);
    told[result.FullName()] = text + " " + PropertyOf(result, "nrmse");
  }
  return told;
}

const Told& FullRun() {
  static const Told told = TellAll(SuiteRun(Drifting()));
  return told;
}

Told Of(const Told& all, const Told& names) {
  Told some;
  for (const auto& [name, unused] : names) some[name] = all.at(name);
  return some;
}

TEST(Selection, TheFullRunHasOutcomesOfBothKinds) {
  EXPECT_EQ(FullRun().size(), 5u + 112 + 2 + 2);
  EXPECT_THAT(FullRun().at("quick/SpanParity.Matches/decode_layer0_gate"),
              HasSubstr("FAIL different"));
  EXPECT_THAT(FullRun().at("quick/SpanParity.Matches/decode_layer0_up"),
              HasSubstr("PASS identical"));
  EXPECT_THAT(FullRun().at("quick/EndToEnd.Matches/prefill"), HasSubstr("FAIL"));
}

TEST(Selection, ShuffledCasesComeToTheSame) {
  SuiteArguments arguments = Drifting();
  arguments.more = {"--gtest_shuffle", "--gtest_random_seed=7"};
  EXPECT_EQ(TellAll(SuiteRun(arguments)), FullRun());
}

TEST(Selection, ShardsComeToTheSameTogether) {
  const ScratchFolder folder;
  Told together;
  for (const char* index : {"0", "1"}) {
    SuiteArguments arguments = Drifting();
    arguments.reports = false;
    arguments.more = {"--parity_output=" + folder.path(), "--parity_group=shards"};
    arguments.environment = {{"GTEST_TOTAL_SHARDS", "2"}, {"GTEST_SHARD_INDEX", index}};
    const SuiteRun run(arguments);
    const GroupResult shard = ReadGroup({"shards", folder.Path(std::string("shard_") + index), {}});
    EXPECT_THAT(shard.problems, ::testing::IsEmpty());
    for (const CaseResult& result : shard.cases) {
      EXPECT_TRUE(together.emplace(result.FullName(), NameOf(result.outcome)).second);
    }
  }
  ASSERT_EQ(together.size(), FullRun().size());
  for (const auto& [name, outcome] : together) {
    EXPECT_THAT(FullRun().at(name), ::testing::StartsWith(outcome + " ")) << name;
  }
}

// A case alone: what it needs is recorded for it, and no more.
TEST(Selection, CasesOneByOneComeToTheSame) {
  for (const char* name :
       {"quick/SpanParity.Matches/decode_layer0_gate", "quick/SpanParity.Matches/prefill_embed",
        "quick/EndToEnd.Matches/decode", "quick/Domain.Holds/prefill_next_token",
        "quick/Preflight.Loads/sides"}) {
    SuiteArguments arguments = Drifting();
    arguments.filter = name;
    const Told told = TellAll(SuiteRun(arguments));
    ASSERT_EQ(told.size(), 1u) << name;
    EXPECT_EQ(told, Of(FullRun(), told));
  }
}

// Recording follows the filter: one span keeps less than the whole suite.
TEST(Selection, OnlyWhatTheFilterSelectsIsRecorded) {
  SuiteArguments arguments = {.manifest = "tests/suite/quick.yaml",
                              .filter = "*decode_layer0_attention:*Preflight.Loads/reference"};
  const SuiteRun one(arguments);
  arguments.filter = "*decode_layer*:*Preflight.Loads/reference";
  const SuiteRun many(arguments);
  EXPECT_EQ(one.exit_code(), 0);
  EXPECT_EQ(many.exit_code(), 0);
  const auto kibibytes = [](const SuiteRun& run) {
    const std::string& summary = run.At("Preflight/reference").verdict.summary;
    EXPECT_THAT(summary, HasSubstr("recorded "));
    return std::stoul(summary.substr(summary.find("recorded ") + 9));
  };
  EXPECT_LT(kibibytes(one), kibibytes(many));
}

TEST(Listing, NamesCasesAndStartsNoHost) {
  SuiteArguments arguments = {.manifest = "tests/suite/quick.yaml", .reports = false};
  arguments.more = {"--gtest_list_tests", "--parity_host=/nonexistent"};
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 0) << run.err();
  EXPECT_THAT(run.out(), HasSubstr("quick/SpanParity.\n"));
  EXPECT_THAT(run.out(), HasSubstr("  Matches/decode_layer0_attention"));
  EXPECT_THAT(run.out(), HasSubstr("quick/EndToEnd.\n  Matches/prefill"));
  EXPECT_THAT(run.out(), Not(HasSubstr("GetParam() = 0x")));
  EXPECT_EQ(run.err(), "");
}

TEST(Listing, OfAKernelSwapHasTheNamesThatTheManifestGives) {
  SuiteArguments arguments = {.manifest = "manifests/tiny/paged_vs_fused.yaml", .reports = false};
  arguments.more = {"--gtest_list_tests",
                    "--gtest_filter=paged_vs_fused/SpanParity.Matches/decode_layer0_attention"};
  const SuiteRun run(arguments);
  EXPECT_THAT(run.out(),
              HasSubstr("paged_vs_fused/SpanParity.\n  Matches/decode_layer0_attention"));
}

// Nothing of a case's own flags reaches the other cases.
TEST(Selection, RunsAndRanksCanBeChosen) {
  SuiteArguments arguments = {.manifest = "tests/suite/quick.yaml",
                              .ranks = 2,
                              .filter = "*decode_layer1_attention",
                              .candidate = R"({"name": "wrong_rank1"})"};
  arguments.more = {"--parity_rank=0"};
  EXPECT_EQ(SuiteRun(arguments).exit_code(), 0);
  arguments.more = {"--parity_rank=1", "--parity_run=b1_chunk_edge/decode"};
  const SuiteRun wrong(arguments);
  EXPECT_EQ(wrong.exit_code(), 1);
  for (const std::string& finding :
       wrong.At("SpanParity/decode_layer1_attention").verdict.findings) {
    EXPECT_THAT(finding, HasSubstr("b1_chunk_edge/decode"));
  }
}

}  // namespace
}  // namespace parity::testing
