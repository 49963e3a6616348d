// Where ranks live changes nothing that is measured.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

// Every file below a folder, by its path in it.
std::map<std::string, std::string> FilesIn(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    files[std::filesystem::relative(entry.path(), folder)] = {std::istreambuf_iterator<char>(file),
                                                              {}};
  }
  return files;
}

struct Measured {
  Measured(const SuiteArguments& arguments, const std::string& in)
      : suite(With(arguments, {"--parity_ranks_in=" + in, "--parity_dump=" + dump.path()})) {}
  static SuiteArguments With(SuiteArguments arguments, const std::vector<std::string>& more) {
    arguments.more = more;
    return arguments;
  }
  ScratchFolder dump;
  SuiteRun suite;
};

struct Sides {
  const char* name;
  const char* candidate;  // mutants
  const char* reference;
  int exit_code;
};

void PrintTo(const Sides& sides, std::ostream* out) { *out << sides.name; }

auto WithoutTimes(auto properties) {
  std::erase_if(properties, [](const auto& one) { return one.first.starts_with("perf."); });
  return properties;
}

class RanksIn : public ::testing::TestWithParam<Sides> {};

INSTANTIATE_TEST_SUITE_P(Sides, RanksIn,
                         ::testing::Values(Sides{"drifting", R"({"name": "drift"})", "", 1},
                                           Sides{"noisy", "", R"({"name": "noisy"})", 0}),
                         [](const auto& info) { return std::string(info.param.name); });

// All verdicts with what they rest on, and both sides' bytes at every frontier.
TEST_P(RanksIn, ProcessesAndThreadsComeToTheSame) {
  const SuiteArguments arguments = {.manifest = "tests/suite/quick.yaml",
                                    .ranks = 2,
                                    .filter = "-*layer1*:*layer2*",
                                    .candidate = GetParam().candidate,
                                    .reference = GetParam().reference};
  const Measured threads(arguments, "threads"), processes(arguments, "processes");
  EXPECT_EQ(threads.suite.exit_code(), GetParam().exit_code) << threads.suite.out();
  EXPECT_EQ(processes.suite.exit_code(), GetParam().exit_code) << processes.suite.out();
  EXPECT_THAT(processes.suite.group().problems, IsEmpty());
  ASSERT_THAT(processes.suite.cases(), SizeIs(threads.suite.cases().size()));
  for (const CaseResult& in_threads : threads.suite.cases()) {
    SCOPED_TRACE(ShortName(in_threads));
    const Verdict& expected = in_threads.verdict;
    const Verdict& verdict = processes.suite.At(ShortName(in_threads)).verdict;
    EXPECT_EQ(verdict.outcome, expected.outcome);
    EXPECT_EQ(verdict.span_class, expected.span_class);
    EXPECT_EQ(verdict.exact, expected.exact);
    EXPECT_EQ(verdict.findings, expected.findings);
    EXPECT_EQ(verdict.summary, expected.summary);
    // The preflight's hold process ids.
    if (FixtureOf(in_threads) == "Preflight") continue;
    EXPECT_EQ(WithoutTimes(verdict.properties), WithoutTimes(expected.properties));
  }
  const auto expected = FilesIn(threads.dump.path()), dumped = FilesIn(processes.dump.path());
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(dumped.size(), expected.size());
  for (const auto& [name, bytes] : expected) {
    EXPECT_TRUE(dumped.contains(name) && dumped.at(name) == bytes) << name;
  }
}

}  // namespace
}  // namespace parity::testing
