// The CMake side: what parity_add_suite registers, and the GPU specification.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "gtest_parity/report/files.h"
#include "gtest_parity/report/group.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

// The consumer project that has the plugin in a subdirectory, configured and not built.
class ConsumerTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<ScratchFolder>();
    // A copy, so that nothing can be written beside the sources.
    const std::string sources = folder_->Path("sources");
    std::filesystem::copy(InSource("tests/consumers/subdirectory"), sources,
                          std::filesystem::copy_options::recursive);
    std::filesystem::copy(InSource("tests/consumers/own_spans.cc"), sources);
    std::filesystem::copy(InSource("tests/suite/quick.yaml"), sources);
    configured_ =
        RunProgram({PARITY_CMAKE, "-S", sources, "-B", folder_->Path("build"), "-G",
                    PARITY_GENERATOR, "-DCMAKE_CXX_COMPILER=" PARITY_CXX,
                    "-DCMAKE_C_COMPILER=" PARITY_CC, "-DGTEST_PARITY_SOURCE=" PARITY_SOURCE_DIR});
    ASSERT_EQ(configured_.exit_code, 0) << configured_.Text();
    const Finished shown =
        RunProgram({PARITY_CTEST, "--test-dir", folder_->Path("build"), "--show-only=json-v1"});
    ASSERT_EQ(shown.exit_code, 0) << shown.Text();
    tests_ = json::parse(shown.out).at("tests");
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static json Property(const std::string& test, const std::string& name) {
    for (const json& one : tests_) {
      if (one.at("name") != test) continue;
      for (const json& property : one.at("properties")) {
        if (property.at("name") == name) return property.at("value");
      }
      return nullptr;
    }
    throw std::out_of_range("no test " + test);
  }

  static std::unique_ptr<ScratchFolder> folder_;
  static Finished configured_;
  static json tests_;
};

std::unique_ptr<ScratchFolder> ConsumerTest::folder_;
Finished ConsumerTest::configured_;
json ConsumerTest::tests_;

TEST_F(ConsumerTest, HasItsOwnGroupsAndNoneOfThePlugins) {
  std::multiset<std::string> names;  // one begin and one verdict for the groups of all folders
  for (const json& one : tests_) names.insert(one.at("name"));
  EXPECT_THAT(names,
              UnorderedElementsAre("parity.begin", "parity.verdict", "parity.own_spans.port.ranks2",
                                   "parity.own_spans.swap.ranks2", "parity.own_spans.plain.ranks1",
                                   "parity.own_spans.more.ranks1", "parity.spans.shipped.ranks1",
                                   "parity.own_spans.tracked.ranks1.drift",
                                   "parity.own_spans.tracked.ranks1.host_parity"));
}

TEST_F(ConsumerTest, TrackedGoldenHasTwoGroupsAndTheVerdictWantsBoth) {
  const std::string file = ReadFileIfThere(folder_->Path("build/CTestTestfile.cmake")).value_or("");
  const std::vector<ExpectedGroup> groups =
      ParseExpectedGroups(ReadFileIfThere(folder_->Path("build/parity/groups.jsonl")).value_or(""));
  for (const std::string against : {"drift", "host_parity"}) {
    const std::string name = "own_spans.tracked.ranks1." + against;
    EXPECT_THAT(Property("parity." + name, "LABELS"),
                UnorderedElementsAre("parity", "own_spans", "ranks1", "host", "nightly", against));
    const std::size_t at = file.find("parity." + name);
    ASSERT_NE(at, std::string::npos);
    const std::string line = file.substr(at, file.find('\n', at) - at);
    EXPECT_THAT(line, HasSubstr("\"--parity_seed=3\""));
    const std::string golden = "\"--parity_golden\" \"" + folder_->Path("sources/golden") + "\"";
    EXPECT_EQ(line.find(golden) != std::string::npos, against == "drift") << line;
    EXPECT_THAT(groups, Contains(::testing::Field(&ExpectedGroup::name, name)));
  }
}

TEST_F(ConsumerTest, BuildsAnEngineWithoutTheRest) {
  const Finished built = RunProgram(
      {PARITY_CMAKE, "--build", folder_->Path("build"), "--target", "own_engine", "--verbose"});
  EXPECT_EQ(built.exit_code, 0) << built.Text();
  EXPECT_THAT(built.out, ::testing::Not(HasSubstr("-Wpedantic")));  // the plugin's own affair
  EXPECT_FALSE(std::filesystem::exists(folder_->Path("build/gtest_parity/bin/parity")));
}

TEST_F(ConsumerTest, GroupsCarryTheirProperties) {
  const std::string port = "parity.own_spans.port.ranks2", plain = "parity.own_spans.plain.ranks1";
  EXPECT_THAT(Property(port, "LABELS"),
              UnorderedElementsAre("parity", "own_spans", "ranks2", "host", "nightly"));
  EXPECT_THAT(Property(plain, "LABELS"),
              UnorderedElementsAre("parity", "own_spans", "ranks1", "host"));
  EXPECT_EQ(Property(port, "SKIP_RETURN_CODE"), 77);
  EXPECT_EQ(Property(port, "TIMEOUT"), 77.0);
  EXPECT_GT(Property(plain, "TIMEOUT"), 600.0);  // the deadline of the protocol itself
  EXPECT_EQ(Property(port, "PROCESSORS"), 2);
  EXPECT_EQ(Property(port, "FIXTURES_REQUIRED"), json({"parity_run"}));
  EXPECT_EQ(Property("parity.begin", "FIXTURES_SETUP"), json({"parity_run"}));
  EXPECT_EQ(Property("parity.verdict", "FIXTURES_CLEANUP"), json({"parity_run"}));
  EXPECT_EQ(Property(port, "RESOURCE_GROUPS"), nullptr);
  EXPECT_EQ(Property(port, "RUN_SERIAL"), nullptr);
  for (const char* pattern : {"SKIP_REGULAR_EXPRESSION", "PASS_REGULAR_EXPRESSION"}) {
    EXPECT_EQ(Property(port, pattern), nullptr);
  }
}

TEST_F(ConsumerTest, GpuGroupsAskForOneGpuPerRank) {
  const std::string swap = "parity.own_spans.swap.ranks2";
  EXPECT_THAT(Property(swap, "LABELS"), Contains("gpu"));
  const json groups = Property(swap, "RESOURCE_GROUPS");
  ASSERT_EQ(groups.size(), 2u) << groups;
  for (const json& group : groups) {
    EXPECT_EQ(group.at("requirements"), json::parse(R"([{".type": "gpus", "slots": 1}])"));
  }
  EXPECT_EQ(Property(swap, "RESOURCE_LOCK"), json({"parity_gpu"}));
  EXPECT_EQ(Property(swap, "RUN_SERIAL"), true);
}

TEST_F(ConsumerTest, GpuGroupsShareNoLockWhereTheMachineIsSpecified) {
  const ScratchFolder build;
  const Finished configured =
      RunProgram({PARITY_CMAKE, "-S", folder_->Path("sources"), "-B", build.path(), "-G",
                  PARITY_GENERATOR, "-DCMAKE_CXX_COMPILER=" PARITY_CXX,
                  "-DCMAKE_C_COMPILER=" PARITY_CC, "-DGTEST_PARITY_SOURCE=" PARITY_SOURCE_DIR,
                  "-DCTEST_RESOURCE_SPEC_FILE=" + build.Path("gpus.json")});
  ASSERT_EQ(configured.exit_code, 0) << configured.Text();
  const std::string tests = ReadFileIfThere(build.Path("CTestTestfile.cmake")).value_or("");
  EXPECT_THAT(tests, AllOf(HasSubstr("RESOURCE_GROUPS"), Not(HasSubstr("RESOURCE_LOCK"))));
}

TEST_F(ConsumerTest, GroupsRunTheSuiteWithManifestFolderAndHost) {
  // CTest lists no command of a program that is not built: what CMake wrote for it.
  const std::string file = ReadFileIfThere(folder_->Path("build/CTestTestfile.cmake")).value_or("");
  const std::size_t at = file.find("parity.own_spans.port.ranks2");
  ASSERT_NE(at, std::string::npos);
  const std::string line = file.substr(at, file.find('\n', at) - at);
  for (const std::string& word :
       {folder_->Path("sources/quick.yaml"), folder_->Path("build/parity/own_spans.port.ranks2"),
        folder_->Path("build/gtest_parity/lib"), std::string("\"--parity_seed=3\""),
        // A suite of another project does not lie beside it.
        folder_->Path("build/gtest_parity/bin/parity_host")}) {
    EXPECT_THAT(line, HasSubstr(word));
  }
}

TEST_F(ConsumerTest, VerdictKnowsTheGroups) {
  const std::string list = folder_->Path("build/parity/groups.jsonl");
  const std::string file = ReadFileIfThere(folder_->Path("build/CTestTestfile.cmake")).value_or("");
  EXPECT_THAT(file, HasSubstr("\"verdict\" \"" + list + "\""));
  const std::vector<ExpectedGroup> groups = ParseExpectedGroups(ReadFileIfThere(list).value_or(""));
  ASSERT_EQ(groups.size(), 7u);
  EXPECT_EQ(groups[0].name, "own_spans.port.ranks2");
  EXPECT_EQ(groups[0].folder, folder_->Path("build/parity/own_spans.port.ranks2"));
  EXPECT_THAT(groups[0].labels, Contains("nightly"));
}

struct BadCall {
  const char* name;
  std::string arguments;
  const char* words;
};

class BadCallTest : public ::testing::TestWithParam<BadCall> {};

TEST_P(BadCallTest, IsAConfigureError) {
  const ScratchFolder folder;
  const std::string script =
      folder.Write("call.cmake", "cmake_minimum_required(VERSION 3.25)\ninclude(" +
                                     InSource("ctest/GTestParity.cmake") + ")\nparity_add_suite(" +
                                     GetParam().arguments + ")\n");
  const Finished run =
      RunProgram({PARITY_CMAKE, "-DPARITY_OUTPUT_ROOT=" + folder.Path("parity"), "-P", script});
  EXPECT_NE(run.exit_code, 0);
  EXPECT_THAT(run.err, HasSubstr(GetParam().words));
}

const std::string kManifest = "MANIFEST " + InSource("tests/suite/quick.yaml");

INSTANTIATE_TEST_SUITE_P(
    calls, BadCallTest,
    ::testing::Values(BadCall{"UnknownArgument", "NAME a SUITE b " + kManifest + " RNAKS 2",
                              "unknown arguments: RNAKS;2"},
                      BadCall{"NoName", "SUITE b " + kManifest, "NAME is missing"},
                      BadCall{"NoSuite", "NAME a " + kManifest, "SUITE is missing"},
                      BadCall{"NoManifest", "NAME a SUITE b", "MANIFEST is missing"},
                      BadCall{"NoSuchManifest", "NAME a SUITE b MANIFEST /nonexistent.yaml",
                              "no manifest /nonexistent.yaml"}),
    [](const auto& info) { return info.param.name; });

class ResourceSpecTest : public ::testing::Test {
 protected:
  // With a program that stands for nvidia-smi.
  json SpecWith(const std::string& script) {
    const std::string smi = folder_.Write("smi", "#!/bin/sh\n" + script);
    chmod(smi.c_str(), 0755);
    const Finished run =
        RunProgram({PARITY_CMAKE, "-DOUTPUT=" + folder_.Path("gpus.json"), "-DNVIDIA_SMI=" + smi,
                    "-P", InSource("ctest/resource_spec.cmake")});
    EXPECT_EQ(run.exit_code, 0) << run.Text();
    return json::parse(ReadFileIfThere(folder_.Path("gpus.json")).value_or(""));
  }

  ScratchFolder folder_;
};

TEST_F(ResourceSpecTest, HasOneSlotForEachGpu) {
  EXPECT_EQ(SpecWith("test \"$1\" = --query-gpu=uuid && printf 'GPU-0A-f1\\nGPU-77\\n'"),
            json::parse(R"({
    "version": {"major": 1, "minor": 0},
    "local": [{"gpus": [{"id": "gpu_0a_f1", "slots": 1}, {"id": "gpu_77", "slots": 1}]}]})"));
}

TEST_F(ResourceSpecTest, HasNoGpuWhereNoneAnswers) {
  const json none =
      json::parse(R"({"version": {"major": 1, "minor": 0}, "local": [{"gpus": []}]})");
  EXPECT_EQ(SpecWith("echo 'No devices were found 404'; exit 6"), none);
  const Finished run =
      RunProgram({PARITY_CMAKE, "-DOUTPUT=" + folder_.Path("gpus.json"),
                  "-DNVIDIA_SMI=/nonexistent", "-P", InSource("ctest/resource_spec.cmake")});
  EXPECT_EQ(run.exit_code, 0) << run.Text();
  EXPECT_EQ(json::parse(ReadFileIfThere(folder_.Path("gpus.json")).value_or("")), none);
}

TEST_F(ResourceSpecTest, AsksForAnOutput) {
  const Finished run = RunProgram({PARITY_CMAKE, "-P", InSource("ctest/resource_spec.cmake")});
  EXPECT_NE(run.exit_code, 0);
  EXPECT_THAT(run.err, HasSubstr("-DOUTPUT=FILE"));
}

// What CTest itself makes of it.
TEST_F(ResourceSpecTest, IsOneThatCTestTakes) {
  SpecWith("printf 'GPU-77\\n'");
  folder_.Write("CTestTestfile.cmake",
                "add_test(t /bin/true)\nset_tests_properties(t PROPERTIES RESOURCE_GROUPS "
                "\"2,gpus:1\")\n");
  const Finished run = RunProgram({PARITY_CTEST, "--test-dir", folder_.path(),
                                   "--resource-spec-file", folder_.Path("gpus.json")});
  EXPECT_NE(run.exit_code, 0);
  EXPECT_THAT(run.Text(), HasSubstr("Insufficient resources"));
}

// Without a specification CTest hands out nothing: what keeps two groups off one GPU is the lock.
TEST_F(ResourceSpecTest, IsReplacedByALock) {
  const std::string log = folder_.Path("log");
  folder_.Write("group.sh", "echo begin >>" + log + "; sleep 0.3; echo end >>" + log + "\n");
  std::string tests;
  for (const char* name : {"one", "two", "three"}) {
    tests += std::string("add_test(") + name + " /bin/sh " + folder_.Path("group.sh") +
             ")\nset_tests_properties(" + name +
             " PROPERTIES RESOURCE_GROUPS \"1,gpus:1\" RESOURCE_LOCK parity_gpu)\n";
  }
  folder_.Write("CTestTestfile.cmake", tests);
  const Finished run = RunProgram({PARITY_CTEST, "--test-dir", folder_.path(), "-j3"});
  EXPECT_EQ(run.exit_code, 0) << run.Text();
  EXPECT_EQ(ReadFileIfThere(log).value_or(""), "begin\nend\nbegin\nend\nbegin\nend\n");
}

}  // namespace
}  // namespace parity::testing
