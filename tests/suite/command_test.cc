// The `parity` command: exit status and text of each subcommand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gtest_parity/report/files.h"
#include "tests/suite/driver/manifest_text.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

const std::string kPort = InSource("manifests/tiny/paged_vs_ported.yaml");

Finished Parity(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), PARITY_COMMAND);
  return RunProgram(arguments, {{"PARITY_LIBRARY_PATH", PARITY_LIBRARIES}});
}

TEST(ParityCheck, SumsUpAManifestThatIsInOrder) {
  const Finished run = Parity({"check", kPort, "--ranks", "2"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out,
            "paged_vs_ported: paged against ported, 2 ranks in threads, 112 spans in 2 programs\n");
  EXPECT_EQ(run.err, "");
}

TEST(ParityCheck, FindsLibrariesByItsOwnFlag) {
  const std::vector<std::string> bare = {PARITY_COMMAND, "check", kPort};
  const Finished without = RunProgram(bare, {{"PARITY_LIBRARY_PATH", "/nonexistent"}});
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_THAT(without.err, HasSubstr("reference.library: not found: got \"parity_tiny\""));
  std::vector<std::string> with = bare;
  with.insert(with.end(), {"--library_path", PARITY_LIBRARIES});
  EXPECT_EQ(RunProgram(with, {{"PARITY_LIBRARY_PATH", "/nonexistent"}}).exit_code, 0);
}

TEST(ParityCheck, RefusesWhatIsNoManifestAndTellsEveryError) {
  const ScratchFolder folder;
  const Finished missing = Parity({"check", folder.Path("none.yaml")});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("none.yaml: cannot be read"));
  const Finished text = Parity({"check", folder.Write("a.yaml", "just text\n")});
  EXPECT_EQ(text.exit_code, 2);
  EXPECT_THAT(text.err, HasSubstr("a.yaml:1:1: the file: got \"just text\", expected a mapping"));
  const std::string two = ManifestText(Paged(), Ported(), "wrkload: {}\njudge: {kl: -1}\n");
  const Finished both = Parity({"check", folder.Write("b.yaml", two)});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_THAT(both.err, AllOf(HasSubstr("b.yaml:6:1: unknown key: got \"wrkload\""),
                              HasSubstr("b.yaml:7:13: judge.kl")));
  EXPECT_EQ(both.out, "");
}

TEST(ParitySpans, ListsEverySpanWithItsFrontier) {
  const Finished run = Parity({"spans", kPort, "--ranks", "2"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("decode_next_token\n"
                                 "  label         next_token\n"
                                 "  reference     [55, 56) argmax\n"
                                 "  candidate     [55, 56) argmax\n"
                                 "  restored      last_row, logits\n"
                                 "  poisoned      next_token\n"
                                 "  compared      next_token\n"));
  EXPECT_EQ(Parity({"spans", "/nonexistent.yaml"}).exit_code, 2);
}

TEST(ParityDescribe, PrintsWhatIsCheckedIn) {
  const std::string config = "{\"model\": \"" + InSource("manifests/tiny/model") + "\"}";
  const Finished run = Parity({"describe", "parity_tiny", "--config", config});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(nlohmann::json::parse(run.out),
            nlohmann::json::parse(
                ReadFileIfThere(InSource("manifests/tiny/paged.f32.json")).value_or("")));
}

struct BadDescribe {
  const char* name;
  std::vector<std::string> arguments;
  const char* words;
};

class BadDescribeTest : public ::testing::TestWithParam<BadDescribe> {};

TEST_P(BadDescribeTest, Exits4AndSaysWhy) {
  std::vector<std::string> arguments = {"describe"};
  arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
  const Finished run = Parity(arguments);
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.err, AllOf(StartsWith("parity: "), HasSubstr(GetParam().words)));
  EXPECT_EQ(run.out, "");
}

INSTANTIATE_TEST_SUITE_P(
    inputs, BadDescribeTest,
    ::testing::Values(
        BadDescribe{"NoFile", {"/nonexistent.so"}, "/nonexistent.so: no such file"},
        BadDescribe{"NotALibrary", {InSource("README.md")}, "README.md"},
        BadDescribe{"NoEngine", {PARITY_FIXTURE_NO_SYMBOL}, "parity_plugin"},
        BadDescribe{"UnknownEngine",
                    {"parity_tiny", "--engine", "padeg"},
                    "no engine 'padeg', it offers: paged"},
        BadDescribe{"NoModel", {"parity_tiny"}, "config.model is missing"},
        BadDescribe{"ConfigIsNoJson", {"parity_tiny", "--config", "text"}, "not a JSON object"},
        BadDescribe{"UnknownDtype",
                    {"parity_tiny", "--config", R"({"model": "m", "dtype": "f12"})"},
                    "unknown dtype \"f12\", known are f32, bf16"}),
    [](const auto& info) { return info.param.name; });

// The model's file cut short, and one whose header claims more than there is.
TEST(ParityDescribe, TellsASafetensorsFileThatIsNoSuch) {
  const ScratchFolder folder;
  namespace fs = std::filesystem;
  fs::copy(InSource("manifests/tiny/model"), folder.Path("model"), fs::copy_options::recursive);
  const std::string weights = folder.Path("model/model.safetensors");
  const auto whole = fs::file_size(weights);
  for (const std::uintmax_t size : {whole - 1, std::uintmax_t{100}, std::uintmax_t{4}}) {
    fs::resize_file(weights, size);
    SideText candidate = Ported();
    std::string manifest = ManifestText(Paged(), candidate);
    const std::string side = Text(candidate), from = InSource("manifests/tiny/model}");
    std::string spoilt = side;
    spoilt.replace(spoilt.find(from), from.size(), folder.Path("model}"));
    manifest.replace(manifest.find(side), side.size(), spoilt);
    const SuiteRun run(
        {.manifest = folder.Write("m.yaml", manifest), .filter = "*decode_layer0_gate"});
    EXPECT_EQ(run.exit_code(), 1) << size;
    EXPECT_THAT(run.cases().at(0).verdict.summary, HasSubstr("model.safetensors")) << size;
  }
}

TEST(ParityUsage, IsToldForWhatIsNoCommand) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{}, {"bogus"}, {"check"}, {"junit"}, {"verdict"}}) {
    const Finished run = Parity(arguments);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr("Run with --help for more information."));
  }
  EXPECT_EQ(Parity({"--help"}).exit_code, 0);
}

TEST(ParityJUnit, MergesFoldersAndMissesNone) {
  const SuiteArguments arguments = {.manifest = "tests/suite/quick.yaml",
                                    .filter = "*decode_layer0_gate"};
  const SuiteRun one(arguments), other(arguments);
  const Finished merged = Parity({"junit", one.folder(), other.folder()});
  EXPECT_EQ(merged.exit_code, 0) << merged.err;
  EXPECT_THAT(merged.out, HasSubstr("<testsuites name=\"parity\" tests=\"2\" failures=\"0\""));
  const Finished missing = Parity({"junit", one.folder(), "/nonexistent/folder"});
  EXPECT_EQ(missing.exit_code, 4);
  EXPECT_THAT(missing.Text(), HasSubstr("/nonexistent/folder"));
}

}  // namespace
}  // namespace parity::testing
