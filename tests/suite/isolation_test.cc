// A judge that is started badly, and an engine that dies in a process of its own, as a user meets
// them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Isolation, OfAJudgeWithoutStandardStreams) {
  const ScratchFolder folder;
  const SuiteArguments arguments = {
      .manifest = "tests/suite/quick.yaml", .ranks = 2, .filter = "*Preflight*:*decode_layer0_*"};
  std::vector<std::string> command = {"/bin/sh", "-c", "exec \"$@\" <&- >&- 2>&-", "sh"};
  for (const std::string& word : SuiteCommand(arguments, folder.path())) command.push_back(word);
  EXPECT_EQ(RunProgram(command, SuiteEnvironment(arguments)).exit_code, 0);
  const GroupResult group = ReadGroup({"group", folder.path(), {}});
  EXPECT_THAT(group.problems, IsEmpty());
  EXPECT_GT(group.cases.size(), 10u);
}

struct End {
  const char* mutant;
  const char* words;
  double deadline_seconds = 120;
};

class RankThatEnds : public ::testing::TestWithParam<End> {};

INSTANTIATE_TEST_SUITE_P(Mutants, RankThatEnds,
                         ::testing::Values(End{"crash", "died: signal SIGSEGV, rank 1"},
                                           End{"exit77", "left: exit status 77, rank 1"},
                                           End{"hang", "hung: no answer within 6 s, rank 1", 6}),
                         [](const auto& info) { return std::string(info.param.mutant); });

// In a process per rank: the rank is named, on every case that it costs, and the rest goes on.
TEST_P(RankThatEnds, InAProcessOfItsOwn) {
  SuiteArguments arguments = {.manifest = "tests/suite/quick.yaml",
                              .ranks = 2,
                              .filter =
                                  "*decode_layer1_attention:*decode_layer1_o:*Replicated*decode_h:"
                                  "*Domain*decode_next_token",
                              .candidate = std::string("{\"name\": \"") + GetParam().mutant +
                                           "\", \"rank\": 1, \"program\": \"decode\"}",
                              .deadline_seconds = GetParam().deadline_seconds};
  arguments.more = {"--parity_ranks_in=processes"};
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 1) << run.err();
  EXPECT_THAT(run.group().problems, IsEmpty());
  for (const char* name :
       {"SpanParity/decode_layer1_attention", "Replicated/decode_h", "Domain/decode_next_token"}) {
    const CaseResult& result = run.At(name);
    EXPECT_EQ(result.outcome, Outcome::kFail) << name;
    EXPECT_THAT(result.verdict.summary, HasSubstr(GetParam().words)) << name;
    EXPECT_EQ(PropertyOf(result, "rank"), "1") << name;
    EXPECT_THAT(PropertyOf(result, "run"), HasSubstr("decode#")) << name;
  }
  EXPECT_EQ(run.At("SpanParity/decode_layer1_o").outcome, Outcome::kPass);
}

}  // namespace
}  // namespace parity::testing
