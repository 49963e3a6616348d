// Servers that are wrong on the wire, each found by the check that is for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "tests/selfproof/wire_faults.h"
#include "tests/suite/driver/subprocess.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

SuiteArguments ArgumentsOf(const std::string& run, const std::string& filter) {
  SuiteArguments arguments = {.manifest = "manifests/tiny/wire_reference_vs_ported.yaml",
                              .filter = filter};
  arguments.suite = PARITY_WIRE;
  const std::filesystem::path server = PARITY_TINY_SERVER;
  arguments.more = {"--parity_library_path=" + server.parent_path().string()};
  if (!run.empty()) arguments.more.push_back("--parity_run=" + run);
  return arguments;
}

// "Lane/serial_ids" -> the filter of that case.
std::string FilterOf(const std::string& check) {
  const std::size_t slash = check.find('/');
  return "*" + check.substr(0, slash) + ".*" + check.substr(slash);
}

// Two servers with nothing wrong, asked all that some fault needs. It must be green where a fault
// must be red, and its reference is the faults' too.
const SuiteRun& CleanRun(const std::string& run) {
  static std::map<std::string, std::unique_ptr<SuiteRun>> runs;
  std::unique_ptr<SuiteRun>& clean = runs[run];
  if (clean == nullptr) {
    std::string filter;
    for (const WireFault& fault : WireFaults()) {
      if (fault.run == run) filter += (filter.empty() ? "" : ":") + FilterOf(fault.check);
    }
    clean = std::make_unique<SuiteRun>(ArgumentsOf(run, filter));
    std::filesystem::remove_all(clean->folder() + "/transcripts/candidate");
  }
  return *clean;
}

class WireFaultsTest : public ::testing::TestWithParam<WireFault> {};

TEST_P(WireFaultsTest, IsFoundByItsCheck) {
  const WireFault& fault = GetParam();
  const SuiteRun& clean = CleanRun(fault.run);
  ASSERT_EQ(clean.exit_code(), 0) << clean.out() << clean.err();
  SuiteArguments arguments = ArgumentsOf(fault.run, FilterOf(fault.check));
  arguments.more.push_back("--parity_transcripts=" + clean.folder() + "/transcripts");
  arguments.more.push_back(std::string("--parity_candidate_config={\"server\": {\"mutant\": \"") +
                           fault.mutant + "\"}}");
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 1) << run.out() << run.err();
  const CaseResult& found = run.At(fault.check);
  EXPECT_EQ(found.outcome, Outcome::kFail) << found.verdict.summary;
  const std::string rule = std::string(": ") + fault.rule + ": ";
  EXPECT_THAT(found.verdict.findings,
              Contains(::testing::AllOf(HasSubstr(rule), ::testing::StartsWith("candidate"))));
}

INSTANTIATE_TEST_SUITE_P(wire, WireFaultsTest,
                         ::testing::ValuesIn(WireFaults().begin(), WireFaults().end()),
                         [](const auto& info) { return std::string(info.param.mutant); });

// Of those that the server lists none is left out.
TEST(WireSelfproof, EveryFaultHasItsCheck) {
  const Finished listed = RunProgram({PARITY_TINY_SERVER, "--list_mutants"}, {});
  ASSERT_EQ(listed.exit_code, 0);
  std::set<std::string> known;
  for (const WireFault& fault : WireFaults()) known.insert(fault.mutant);
  std::set<std::string> all;
  std::istringstream lines(listed.out);
  for (std::string line; std::getline(lines, line);) all.insert(line.substr(0, line.find(' ')));
  EXPECT_EQ(known, all);
}

void ExpectGreen(const SuiteRun& run) {
  EXPECT_EQ(run.exit_code(), 0) << run.out();
  EXPECT_EQ(RedCases(run.cases()), std::set<std::string>{});
  EXPECT_GT(run.cases().size(), 300u);
}

// What depends on when things happen would show in one of three. They are held to one reference:
// that it is like itself, the first candidate's servers show as well as its own would.
TEST(WireSelfproof, ServersWithNothingWrongAreGreenThreeTimes) {
  const SuiteRun first(ArgumentsOf("", ""));
  ExpectGreen(first);
  std::filesystem::remove_all(first.folder() + "/transcripts/candidate");
  SuiteArguments arguments = ArgumentsOf("", "");
  arguments.more.push_back("--parity_transcripts=" + first.folder() + "/transcripts");
  for (int i = 0; i < 2; ++i) ExpectGreen(SuiteRun(arguments));
}

}  // namespace
}  // namespace parity::testing
