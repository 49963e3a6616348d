// The installed package: an engine that has engine.h and nothing else, and a suite of one's own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/report/files.h"
#include "gtest_parity/report/group.h"
#include "tests/consumers/stage.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

std::string Found(const Stage& stage) { return "-DCMAKE_PREFIX_PATH=" + stage.prefix(); }

TEST(Install, HasEveryRoom) {
  EXPECT_THAT(
      Stage::Whole().Files(),
      IsSupersetOf({"bin/parity", "libexec/gtest_parity/parity_host", "libexec/gtest_parity/spans",
                    "include/gtest_parity/main.h", "include/gtest_parity/engine/engine.h",
                    "include/kernels/dtype.h", "share/gtest_parity/parity.schema.json",
                    "share/gtest_parity/manifests/tiny/paged_vs_ported.yaml",
                    "share/gtest_parity/example/example_engine.c",
                    "share/bash-completion/completions/parity"}));
  EXPECT_THAT(Stage::Whole().Files(), Contains(EndsWith("cmake/gtest_parity/GTestParity.cmake")));
  EXPECT_THAT(Stage::Whole().Files(), Not(Contains(HasSubstr("include/gtest_parity/engines"))));
}

// The shipped suite, installed and moved, over the installed engines.
TEST(Install, RunsTheShippedManifests) {
  const Stage& stage = Stage::Whole();
  std::string libraries;
  for (const std::string& file : stage.Files()) {
    if (file.ends_with("/libparity_tiny.so")) {
      libraries = stage.Path(file.substr(0, file.rfind('/')));
    }
  }
  const Finished run = RunProgram(
      {stage.Path("libexec/gtest_parity/spans"),
       "--parity_manifest=" + stage.Path("share/gtest_parity/manifests/tiny/paged_vs_ported.yaml"),
       "--parity_library_path=" + libraries, "--gtest_filter=*decode_layer0_gate"},
      SuiteEnvironment({}));
  EXPECT_EQ(run.exit_code, 0) << run.Text();
}

// C alone, with a package that has nothing but the header: no GoogleTest is asked for.
class EngineTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    stage_ = std::make_unique<Stage>("engine");
    consumer_ = std::make_unique<Consumer>(std::vector<std::string>{"docs/example"});
    const Finished configured = consumer_->Configure({Found(*stage_)});
    ASSERT_EQ(configured.exit_code, 0) << configured.Text();
    EXPECT_THAT(configured.Text(),
                AllOf(Not(HasSubstr("The CXX compiler")), Not(HasSubstr("GTest"))));
    const Finished built = consumer_->BuildTarget();
    ASSERT_EQ(built.exit_code, 0) << built.Text();
  }
  static void TearDownTestSuite() {
    consumer_.reset();
    stage_.reset();
  }

  static Finished Spans(const std::string& manifest, const std::string& output) {
    return RunProgram(
        {PARITY_SPANS, "--parity_manifest=" + consumer_->Source(manifest),
         "--parity_library_path=" + consumer_->Build(""), "--parity_output=" + output},
        SuiteEnvironment({}));
  }

  static std::unique_ptr<Stage> stage_;
  static std::unique_ptr<Consumer> consumer_;
};

std::unique_ptr<Stage> EngineTest::stage_;
std::unique_ptr<Consumer> EngineTest::consumer_;

TEST_F(EngineTest, NeedsOneHeader) {
  std::vector<std::string> headers;
  for (const std::string& file : stage_->Files()) {
    if (file.ends_with(".h") && file.starts_with("include/")) headers.push_back(file);
  }
  EXPECT_THAT(headers, ::testing::ElementsAre("include/gtest_parity/engine/engine.h"));
}

TEST_F(EngineTest, DescribesItselfAsCheckedIn) {
  const Finished run = RunProgram({PARITY_COMMAND, "describe", consumer_->Build("libexample.so")});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, ReadFileIfThere(consumer_->Source("example.json")).value_or(""));
}

TEST_F(EngineTest, IsTheSameInAnotherBuild) {
  const ScratchFolder output;
  const Finished run = Spans("example.yaml", output.path());
  EXPECT_EQ(run.exit_code, 0) << run.Text();
  EXPECT_THAT(run.out, HasSubstr("exact 3/3"));
}

TEST_F(EngineTest, IsFoundOutInTheOpThatIsWrong) {
  const ScratchFolder output;
  const Finished run = Spans("example_wrong.yaml", output.path());
  EXPECT_EQ(run.exit_code, 1) << run.Text();
  EXPECT_THAT(RedCases(ReadGroup({"example_wrong", output.path(), {}}).cases),
              ::testing::UnorderedElementsAre("SpanParity/prefill_layer0_mix", "EndToEnd/prefill"));
}

// A project of C++ whose suite and engines are its own, through CTest.
class SuiteTest : public ::testing::Test {
 protected:
  SuiteTest() : consumer_({"tests/consumers/suite", "tests/consumers/own_spans.cc"}) {
    std::filesystem::copy(InSource("docs/example"), consumer_.Source("example"));
  }
  Consumer consumer_;
};

TEST_F(SuiteTest, BuildsRunsAndIsToldInOneVerdict) {
  const Finished configured = consumer_.Configure({Found(Stage::Whole())});
  ASSERT_EQ(configured.exit_code, 0) << configured.Text();
  const Finished built = consumer_.BuildTarget();
  ASSERT_EQ(built.exit_code, 0) << built.Text();
  const Finished run = consumer_.CTest({"-L", "parity", "--verbose"});
  EXPECT_EQ(run.exit_code, 0) << run.Text();
  EXPECT_THAT(run.out, HasSubstr("100% tests passed, 0 tests failed out of 4"));
  const GroupResult own = ReadGroup(
      {"own_spans.example.ranks1", consumer_.Build("parity/own_spans.example.ranks1"), {}});
  EXPECT_THAT(own.problems, ::testing::IsEmpty());
  std::vector<std::string> tests;
  for (const CaseResult& result : own.cases) tests.push_back(result.test);
  EXPECT_THAT(tests, IsSupersetOf({"Matches/prefill_embed", "IsIdentical/prefill_embed"}));
  EXPECT_THAT(tests, Not(Contains("Matches/prefill")));
}

TEST_F(SuiteTest, IsToldWhereTheSuiteItNamesIsNone) {
  const std::string file = consumer_.Source("CMakeLists.txt");
  WriteFileAtomically(file,
                      ReadFileIfThere(file).value_or("") +
                          "parity_add_suite(NAME x SUITE spnas MANIFEST example/example.yaml)\n");
  const Finished configured = consumer_.Configure({Found(Stage::Whole())});
  EXPECT_NE(configured.exit_code, 0);
  EXPECT_THAT(configured.err, HasSubstr("parity_add_suite: no suite spnas"));
}

// An engine over an installation that the project names.
class LlamaTest : public ::testing::Test {
 protected:
  Finished Configure(const std::string& root) {
    return consumer_.Configure({Found(Stage::Whole()), "-DLLAMA_ROOT=" + root});
  }
  Consumer consumer_{{"tests/consumers/llama_cpp"}};
};

TEST_F(LlamaTest, IsToldWhatIsNotThere) {
  const ScratchFolder root;
  EXPECT_THAT(Configure(root.Path("none")).err,
              AllOf(HasSubstr("parity_add_llama_cpp_engine: ROOT"),
                    HasSubstr("expected the folder of an installed llama.cpp")));
  EXPECT_THAT(Configure(root.path()).err, HasSubstr("no llama.h in include/ of"));
  root.Write("include/llama.h", "");
  EXPECT_THAT(Configure(root.path()).err, HasSubstr("no libllama in lib/ of"));
}

#ifdef PARITY_LLAMA_ROOT
TEST_F(LlamaTest, BuildsAnEngineOverTheInstallationThatItNames) {
  const Finished configured = Configure(PARITY_LLAMA_ROOT);
  ASSERT_EQ(configured.exit_code, 0) << configured.Text();
  const Finished built = consumer_.BuildTarget();
  ASSERT_EQ(built.exit_code, 0) << built.Text();
  const Finished run = RunProgram({PARITY_COMMAND, "describe", consumer_.Build("libmine.so"),
                                   "--config", R"({"model": "/nowhere.gguf"})"});
  EXPECT_THAT(run.err, HasSubstr("config.model: no file \"/nowhere.gguf\""));
}
#endif

// What find_package says where it cannot give what is asked.
struct NotFound {
  const char* name;
  const char* call;
  const char* words;
};

class NotFoundTest : public ::testing::TestWithParam<NotFound> {};

TEST_P(NotFoundTest, SaysWhy) {
  static const Stage engine_only("engine");
  const Consumer consumer({});
  WriteFileAtomically(consumer.Source("CMakeLists.txt"),
                      "cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES NONE)\n" +
                          std::string(GetParam().call) + "\n");
  const Finished configured = consumer.Configure({Found(engine_only)});
  EXPECT_NE(configured.exit_code, 0);
  EXPECT_THAT(configured.err, HasSubstr(GetParam().words));
}

INSTANTIATE_TEST_SUITE_P(
    calls, NotFoundTest,
    ::testing::Values(NotFound{"LibrariesThatAreNotInstalled",
                               "find_package(gtest_parity CONFIG REQUIRED)",
                               "only its component `engine` is installed"},
                      NotFound{"UnknownComponent",
                               "find_package(gtest_parity CONFIG REQUIRED COMPONENTS enigne)",
                               "unknown component enigne"},
                      NotFound{"AnotherVersion", "find_package(gtest_parity 7.0 CONFIG REQUIRED)",
                               "version: 0.1.0"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace parity::testing
