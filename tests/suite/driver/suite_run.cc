#include "tests/suite/driver/suite_run.h"

#include <sstream>
#include <stdexcept>

namespace parity::testing {
namespace {

constexpr char kGroup[] = "group";

std::string NumberText(double number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

std::string MutantConfig(const std::string& mutant) { return "{\"mutant\": " + mutant + "}"; }

}  // namespace

std::string InSource(const std::string& path) {
  return path.starts_with("/") ? path : PARITY_SOURCE_DIR "/" + path;
}

std::vector<std::string> SuiteCommand(const SuiteArguments& arguments, const std::string& output) {
  std::vector<std::string> command = {
      arguments.suite, "--parity_manifest=" + InSource(arguments.manifest),
      "--parity_library_path=" PARITY_LIBRARIES,
      "--parity_ranks=" + std::to_string(arguments.ranks),
      "--parity_deadline=" + NumberText(arguments.deadline_seconds)};
  if (!output.empty()) {
    command.push_back("--parity_output=" + output);
    command.push_back(std::string("--parity_group=") + kGroup);
  }
  if (!arguments.filter.empty()) command.push_back("--gtest_filter=" + arguments.filter);
  if (!arguments.candidate.empty()) {
    command.push_back("--parity_candidate_config=" + MutantConfig(arguments.candidate));
  }
  if (!arguments.reference.empty()) {
    command.push_back("--parity_reference_config=" + MutantConfig(arguments.reference));
  }
  command.insert(command.end(), arguments.more.begin(), arguments.more.end());
  return command;
}

Environment SuiteEnvironment(const SuiteArguments& arguments) {
  // What the machine's own environment says must not change what a run comes to.
  Environment environment = {{"ASAN_OPTIONS", "handle_segv=0:detect_leaks=0"},
                             {"PARITY_ALLOW_BLOCKED", ""},
                             {"PARITY_REQUIRE", ""},
                             {"GTEST_TOTAL_SHARDS", "1"},
                             {"GTEST_SHARD_INDEX", "0"}};
  for (const auto& [name, value] : arguments.environment) environment[name] = value;
  return environment;
}

SuiteRun::SuiteRun(const SuiteArguments& arguments) {
  const std::string output = arguments.reports ? folder_.path() : "";
  finished_ = RunProgram(SuiteCommand(arguments, output), SuiteEnvironment(arguments));
  if (arguments.reports) group_ = ReadGroup({kGroup, folder_.path(), {}});
}

const CaseResult& SuiteRun::At(const std::string& name) const {
  for (const CaseResult& result : cases()) {
    if (ShortName(result) == name) return result;
  }
  throw std::out_of_range("case " + name + " did not run; the suite said:\n" + finished_.Text());
}

std::string FixtureOf(const CaseResult& result) {
  return result.suite.substr(result.suite.rfind('/') + 1);
}

std::string SlugOf(const CaseResult& result) {
  return result.test.substr(result.test.rfind('/') + 1);
}

std::string ShortName(const CaseResult& result) { return FixtureOf(result) + "/" + SlugOf(result); }

std::set<std::string> RedCases(const std::vector<CaseResult>& cases) {
  std::set<std::string> red;
  for (const CaseResult& result : cases) {
    if (!Passes(result.outcome)) red.insert(ShortName(result));
  }
  return red;
}

std::string PropertyOf(const CaseResult& result, const std::string& key) {
  for (const auto& [name, value] : AllProperties(result)) {
    if (name == key) return value;
  }
  return "";
}

}  // namespace parity::testing
