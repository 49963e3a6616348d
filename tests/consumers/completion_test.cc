// Completion of the `parity` command in bash, against what its --help lists.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "tests/consumers/stage.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using Words = std::set<std::string>;

// What bash offers for the last of `words`.
Words Completed(const std::vector<std::string>& words) {
  std::string line = "parity";
  for (const std::string& word : words) line += " '" + word + "'";
  const Finished run =
      RunProgram({"bash", "-c",
                  "source " + Stage::Whole().Path("share/bash-completion/completions/parity") +
                      "; COMP_WORDS=(" + line + "); COMP_CWORD=" + std::to_string(words.size()) +
                      "; _parity; printf '%s\\n' \"${COMPREPLY[@]}\""},
                 {{"PATH", Stage::Whole().Path("bin") + ":/usr/bin:/bin"}});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  Words offered;
  std::istringstream lines(run.out);
  for (std::string one; std::getline(lines, one);) {
    if (!one.empty()) offered.insert(one);
  }
  return offered;
}

// Every word at the start of a line of `parity WORDS --help` after "Subcommands:".
Words Subcommands() {
  const Finished help = RunProgram({PARITY_COMMAND, "--help"});
  std::istringstream lines(help.out.substr(help.out.find("Subcommands:")));
  Words names;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string name;
    if (words >> name) names.insert(name);
  }
  return names;
}

TEST(Completion, OffersEverySubcommand) {
  EXPECT_THAT(Subcommands(), ::testing::IsSupersetOf({"check", "spans", "junit", "verdict"}));
  EXPECT_EQ(Completed({""}), Subcommands());
  EXPECT_EQ(Completed({"jun"}), Words{"junit"});
  EXPECT_EQ(Completed({"x"}), Words{});
}

TEST(Completion, OffersTheOptionsOfASubcommand) {
  EXPECT_EQ(Completed({"junit", "--"}), (Words{"--help", "--output"}));
  EXPECT_EQ(Completed({"junit", "some/folder", "--o"}), Words{"--output"});
  EXPECT_EQ(Completed({"-"}), Words{"--help"});
  const Finished help = RunProgram({PARITY_COMMAND, "describe", "--help"});
  for (const std::string& option : Completed({"describe", "--"})) {
    EXPECT_NE(help.out.find(option), std::string::npos) << option;
  }
}

// Files are readline's affair.
TEST(Completion, LeavesArgumentsToTheShell) { EXPECT_EQ(Completed({"check", ""}), Words{}); }

}  // namespace
}  // namespace parity::testing
