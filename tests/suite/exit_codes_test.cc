// What a suite's exit status says, by what it is run with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/suite/driver/manifest_text.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::ResultOf;
using ::testing::SizeIs;

const char kOneSpan[] = "*Preflight*:*decode_layer0_gate";

SuiteArguments Quick() { return {.manifest = "tests/suite/quick.yaml", .filter = kOneSpan}; }

auto AllAre(Outcome outcome) {
  return AllOf(Not(IsEmpty()), Each(ResultOf([](const CaseResult& one) { return one.outcome; },
                                             ::testing::Eq(outcome))));
}

TEST(ExitCode, Is0WhenEverySelectedCasePasses) {
  const SuiteRun run(Quick());
  EXPECT_EQ(run.exit_code(), 0) << run.err();
  EXPECT_THAT(run.cases(), AllOf(SizeIs(6), AllAre(Outcome::kPass)));
  EXPECT_EQ(run.group().info->exit_code, 0);
}

TEST(ExitCode, Is1WhenACaseFails) {
  SuiteArguments arguments = Quick();
  arguments.candidate = R"({"name": "drift"})";
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 1);
  EXPECT_EQ(RedCases(run.cases()), std::set<std::string>{"SpanParity/decode_layer0_gate"});
  EXPECT_EQ(run.group().info->exit_code, 1);
}

TEST(ExitCode, Is3WhenNothingWasCompared) {
  SuiteArguments arguments = Quick();
  arguments.filter = "*Preflight*";
  EXPECT_EQ(SuiteRun(arguments).exit_code(), 3);
}

TEST(ExitCode, Is3WhenBothSidesAreOne) {
  const SuiteRun run({.manifest = "tests/suite/paged_vs_paged.yaml", .filter = "*decode_*"});
  EXPECT_EQ(run.exit_code(), 3);
  EXPECT_THAT(run.cases(), AllAre(Outcome::kSelf));
  EXPECT_THAT(run.out(), HasSubstr("SELF: "));
  EXPECT_THAT(run.cases().front().verdict.summary, HasSubstr("both sides are the same thing"));
}

TEST(ExitCode, Is2ForAnUnknownFlag) {
  for (const char* flag : {"--parity_ouptut=x", "--bogus", "stray"}) {
    SuiteArguments arguments = Quick();
    arguments.reports = false;
    arguments.more = {flag};
    const SuiteRun run(arguments);
    EXPECT_EQ(run.exit_code(), 2) << flag;
    EXPECT_THAT(run.err(), HasSubstr(flag));
    EXPECT_THAT(run.out(), Not(HasSubstr("OK")));
  }
}

TEST(ExitCode, Is2WithoutAManifest) {
  const Finished run = RunProgram({PARITY_SPANS});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("--parity_manifest=FILE"));
}

TEST(ExitCode, Is2ForAFilterThatSelectsNothing) {
  SuiteArguments arguments = Quick();
  arguments.filter = "*no_such_span*";
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 2);
  EXPECT_THAT(run.err(), HasSubstr("no case is selected by the filter or in this shard"));
}

TEST(ExitCode, Is2ForAnEmptyShard) {
  SuiteArguments arguments = Quick();
  arguments.filter = "*decode_layer0_gate";
  arguments.reports = false;
  arguments.environment = {{"GTEST_TOTAL_SHARDS", "2"}, {"GTEST_SHARD_INDEX", "1"}};
  EXPECT_EQ(SuiteRun(arguments).exit_code(), 2);
}

TEST(ExitCode, Is0ForHelp) {
  const Finished run = RunProgram({PARITY_SPANS, "--help"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, HasSubstr("--parity_manifest"));
}

// A manifest that asks for a device that this build cannot drive.
TEST(ExitCode, Is77WhenEveryCaseIsBlockedAnd1WhereThatIsRequired) {
  const ScratchFolder folder;
  SideText candidate = Ported();
  candidate.backend = "cuda";
  SuiteArguments arguments = Quick();
  arguments.manifest = folder.Write("cuda.yaml", ManifestText(Paged(), candidate));
  arguments.filter = "*decode_layer0_gate";
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 77) << run.out() << run.err();
  EXPECT_THAT(run.cases(), AllAre(Outcome::kBlocked));
  arguments.environment = {{"PARITY_REQUIRE", "gpu"}};
  EXPECT_EQ(SuiteRun(arguments).exit_code(), 1);
}

// An engine in the judge's own process that calls exit(0) must not make a green run.
TEST(ExitCode, Is4WhenTheProcessEndsWithoutAVerdict) {
  SuiteArguments arguments = Quick();
  arguments.filter = "*decode_layer1_attention";
  arguments.candidate = R"({"name": "exit0"})";
  arguments.more = {"--parity_in_process"};
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 4);
  EXPECT_THAT(run.err(), HasSubstr("ended without a verdict"));
}

// A side whose engine keeps its GPU to itself, where none is visible.
TEST(ExitCode, Is77WhenAStagedSideHasNoGpu) {
  const SuiteRun run({.manifest = "tests/suite/staged.yaml",
                      .filter = kOneSpan,
                      .environment = {{"CUDA_VISIBLE_DEVICES", ""}}});
  EXPECT_EQ(run.exit_code(), 77);
  const CaseResult& blocked = run.At("SpanParity/decode_layer0_gate");
  EXPECT_EQ(blocked.outcome, Outcome::kBlocked);
  EXPECT_EQ(PropertyOf(blocked, "needs"), "gpu");
}

}  // namespace
}  // namespace parity::testing
