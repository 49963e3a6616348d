// `parity begin` and `parity verdict`: every registered group folded into one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/report/files.h"
#include "tests/suite/driver/manifest_text.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class VerdictTest : public ::testing::Test {
 protected:
  // Runs a manifest of one span, whole or a part of it, into a folder of its own and registers it.
  void AddGroup(const std::string& name, const std::string& candidate = "",
                const std::vector<std::string>& part = {}) {
    SuiteArguments arguments = {
        .manifest = folder_.Write(
            "one.yaml",
            ManifestText(Paged(), Ported(),
                         "spans: [{program: decode, reference: [13, 14], candidate: [13, 14]}]\n")),
        .candidate = candidate,
        .reports = false};
    arguments.more = {"--parity_output=" + folder_.Path(name), "--parity_group=" + name};
    arguments.more.insert(arguments.more.end(), part.begin(), part.end());
    Register(name);
    const SuiteRun run(arguments);
  }
  void Register(const std::string& name) {
    list_ += "{\"name\": \"" + name + "\", \"folder\": \"" + folder_.Path(name) +
             "\", \"labels\": [\"parity\"]}\n";
  }
  Finished Verdict(const std::vector<std::string>& more = {}, const Environment& settings = {}) {
    std::vector<std::string> command = {PARITY_COMMAND, "verdict",
                                        folder_.Write("groups.jsonl", list_)};
    command.insert(command.end(), more.begin(), more.end());
    return RunProgram(command, settings);
  }

  ScratchFolder folder_;
  std::string list_;
};

TEST_F(VerdictTest, PassesWhenEveryGroupDid) {
  AddGroup("one");
  AddGroup("two");
  const Finished run = Verdict();
  EXPECT_EQ(run.exit_code, 0) << run.Text();
  EXPECT_THAT(run.out, HasSubstr("exact 2/2 · hybrid 0/0"));
  EXPECT_THAT(run.out, HasSubstr("PASS"));
}

TEST_F(VerdictTest, FailsWhenAGroupLeftNothing) {
  AddGroup("one");
  Register("absent");
  const Finished run = Verdict();
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out, HasSubstr("absent"));
}

TEST_F(VerdictTest, FailsWhenAGroupDid) {
  AddGroup("one");
  AddGroup("wrong", R"({"name": "drift"})");
  const Finished run = Verdict();
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out, AllOf(HasSubstr("wrong"), HasSubstr("exact 1/2")));
}

TEST_F(VerdictTest, FailsWhenOnlyAPartOfAGroupRan) {
  AddGroup("filtered", "", {"--gtest_filter=SpanParity*:*SpanParity*"});
  AddGroup("one_rank", "", {"--parity_rank=0"});
  AddGroup("one_run", "", {"--parity_run=b1_page_edge"});
  const Finished run = Verdict();
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out,
              AllOf(HasSubstr("filtered: only a part of it ran: 1 of "),
                    HasSubstr("one_rank: only a part of it ran: --parity_rank=0\n"),
                    HasSubstr("one_run: only a part of it ran: --parity_run=b1_page_edge\n")));
}

TEST_F(VerdictTest, FailsWithoutAnyGroup) { EXPECT_EQ(Verdict().exit_code, 1); }

TEST_F(VerdictTest, DoesNotTakeAnOlderRunForThisOne) {
  AddGroup("one");
  EXPECT_EQ(RunProgram({PARITY_COMMAND, "begin", folder_.Path("begun")}).exit_code, 0);
  EXPECT_THAT(ReadFileIfThere(folder_.Path("begun")).value_or(""),
              ::testing::MatchesRegex("20..-..-..T..:..:..Z"));
  WriteFileAtomically(folder_.Path("begun"), "2999-01-01T00:00:00Z");
  const Finished run = Verdict({"--begun", folder_.Path("begun")});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out, HasSubstr("one"));
}

TEST_F(VerdictTest, TakesABlockedGroupOnlyForAReason) {
  AddGroup("one");
  SideText candidate = Ported();
  candidate.backend = "cuda";
  SuiteArguments arguments = {
      .manifest = folder_.Write("cuda.yaml", ManifestText(Paged(), candidate)), .reports = false};
  arguments.more = {"--parity_output=" + folder_.Path("blocked"), "--parity_group=blocked"};
  Register("blocked");
  EXPECT_EQ(SuiteRun(arguments).exit_code(), 77);
  const Finished without = Verdict({}, {{"PARITY_ALLOW_BLOCKED", ""}});
  EXPECT_EQ(without.exit_code, 1);
  EXPECT_THAT(without.out, HasSubstr("blocked"));
  const Finished with = Verdict({}, {{"PARITY_ALLOW_BLOCKED", "gpu=no card in this machine"}});
  EXPECT_EQ(with.exit_code, 0) << with.out;
  EXPECT_THAT(with.out, HasSubstr("no card in this machine"));
  EXPECT_EQ(Verdict({}, {{"PARITY_ALLOW_BLOCKED", "gpu"}}).exit_code, 4);
}

TEST_F(VerdictTest, RefusesAListThatIsNone) {
  list_ = "{\"name\": \"one\"}\n";
  const Finished run = Verdict();
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.err, HasSubstr("line 1 of the registered groups"));
  const Finished missing = RunProgram({PARITY_COMMAND, "verdict", "/nonexistent"});
  EXPECT_EQ(missing.exit_code, 4);
  EXPECT_THAT(missing.err, HasSubstr("/nonexistent"));
}

}  // namespace
}  // namespace parity::testing
