// The KV matrix as its user meets it: what is listed, what it covers, what it says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "gtest_parity/report/files.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr char kManifest[] = "manifests/tiny/kv_paged_vs_ported.yaml";

SuiteArguments Arguments(const std::string& filter) {
  SuiteArguments arguments = {.manifest = kManifest, .filter = filter};
  arguments.suite = PARITY_KV;
  return arguments;
}

// "Cell.Holds/shutdown_reference_to_candidate_files", of every case.
std::set<std::string> Listed() {
  SuiteArguments arguments = Arguments("");
  arguments.reports = false;
  arguments.more = {"--gtest_list_tests"};
  const SuiteRun run(arguments);
  std::set<std::string> cases;
  std::istringstream lines(run.out());
  std::string line, fixture;
  while (std::getline(lines, line)) {
    if (!line.starts_with(' ')) {
      fixture = line.substr(line.rfind('/') + 1);
    } else {
      cases.insert(fixture + line.substr(2, line.find(' ', 2) - 2));
    }
  }
  return cases;
}

TEST(KvSuite, EveryLaneHasEveryCell) {
  const std::set<std::string> listed = Listed();
  const YAML::Node lanes = YAML::LoadFile(InSource("manifests/tiny/kv_lanes.yaml"))["lanes"];
  ASSERT_GE(lanes.size(), 20u);
  for (const YAML::Node& lane : lanes) {
    for (const char* cell : {"reference_to_reference", "candidate_to_candidate",
                             "reference_to_candidate", "candidate_to_reference"}) {
      for (const char* check : {"record", "accepted", "reuse", "continuation", "files"}) {
        EXPECT_THAT(listed, Contains("Cell.Holds/" + lane["name"].as<std::string>() + "_" + cell +
                                     "_" + check));
      }
    }
  }
}

// Whether a test of that name is written anywhere below tests/.
bool IsWritten(const std::string& test) {
  const std::string suite = test.substr(0, test.find('.')), name = test.substr(suite.size() + 1);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(InSource("tests"))) {
    if (entry.path().extension() != ".cc") continue;
    const std::string text = ReadFileIfThere(entry.path().string()).value_or("");
    if (text.find("(" + suite + ", " + name + ")") != std::string::npos) return true;
  }
  return false;
}

TEST(KvCoverage, EveryCheckIsCoveredOrSaysWhyNot) {
  const YAML::Node coverage = YAML::LoadFile(InSource("suites/kv/coverage.yaml"));
  const std::set<std::string> listed = Listed();
  EXPECT_EQ(coverage.size(), 58u);
  for (int i = 1; i <= 58; ++i) {
    const std::string id = std::string("K-") + (i < 10 ? "0" : "") + std::to_string(i);
    SCOPED_TRACE(id);
    const YAML::Node row = coverage[id];
    ASSERT_TRUE(row.IsMap());
    if (row["not_covered"]) {
      EXPECT_EQ(row.size(), 1u);
      EXPECT_GT(row["not_covered"].as<std::string>().size(), 20u);
      continue;
    }
    EXPECT_TRUE(row["case"] || row["test"]);
    if (row["case"]) EXPECT_THAT(listed, Contains(row["case"].as<std::string>()));
    if (row["test"]) EXPECT_TRUE(IsWritten(row["test"].as<std::string>()));
  }
}

TEST(KvSuite, OneLaneByFilterRunsThatLaneAlone) {
  const SuiteRun run(Arguments("*Cell*/shutdown_*"));
  EXPECT_EQ(run.exit_code(), 0) << run.out() << run.err();
  EXPECT_EQ(run.cases().size(), 20u);
  EXPECT_THAT(run.out(), HasSubstr("1 lanes of"));
  const CaseResult& crossed = run.At("Cell/shutdown_reference_to_candidate_continuation");
  EXPECT_EQ(PropertyOf(crossed, "kl"), "0");
  EXPECT_EQ(PropertyOf(crossed, "cell"), "reference_to_candidate");
  EXPECT_GT(crossed.verdict.compared, 0u);
}

// The lane's own check fails, and with it nothing is said of the candidate.
TEST(KvSuite, AReferenceThatIsWrongIsAnErrorAndBlocksItsLane) {
  SuiteArguments arguments = Arguments("*Cell*/shutdown_*");
  arguments.more = {R"(--parity_reference_config={"kv": {"min_tokens": 1000}})"};
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 4) << run.out();
  EXPECT_EQ(run.At("Cell/shutdown_reference_to_reference_record").outcome, Outcome::kError);
  EXPECT_EQ(run.At("Cell/shutdown_candidate_to_candidate_reuse").outcome, Outcome::kBlocked);
}

// What is known of the reference's process is not taken for the candidate's: no SELF.
TEST(KvSuite, ACandidateThatNeverStartsFailsItsCells) {
  SuiteArguments arguments = Arguments("*Preflight*:*Cell*/shutdown_*");
  arguments.more = {R"(--parity_candidate_config={"kv": {"banks": 99}})"};
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 1) << run.out();
  EXPECT_EQ(run.At("Preflight/sides").outcome, Outcome::kFail);
  EXPECT_EQ(run.At("Cell/shutdown_reference_to_reference_reuse").outcome, Outcome::kPass);
  const CaseResult& crossed = run.At("Cell/shutdown_reference_to_candidate_reuse");
  EXPECT_EQ(crossed.outcome, Outcome::kFail);
  EXPECT_THAT(crossed.verdict.summary, HasSubstr("config.kv.banks is 99, expected 0 to 7"));
}

TEST(KvSuite, AManifestWithoutLanesIsRefused) {
  SuiteArguments arguments = Arguments("*Cell*/shutdown_*");
  arguments.manifest = "manifests/tiny/paged_vs_fused.yaml";
  const SuiteRun none(arguments);
  EXPECT_EQ(none.exit_code(), 2) << none.out();
  EXPECT_THAT(none.err(), HasSubstr("kv.lanes: got nothing, expected the lanes of a KV matrix"));
}

}  // namespace
}  // namespace parity::testing
