// Tracked recordings: `parity golden`, and what the groups `drift` and `host_parity` say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "gtest_parity/report/files.h"
#include "gtest_parity/report/fold.h"
#include "tests/suite/driver/manifest_text.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Finished Parity(std::vector<std::string> arguments, const std::string& libraries) {
  arguments.insert(arguments.begin(), PARITY_COMMAND);
  return RunProgram(arguments, {{"PARITY_LIBRARY_PATH", libraries}});
}

Finished Update(const std::string& manifest, const std::string& golden, const std::string& reason,
                const std::string& libraries = PARITY_LIBRARIES) {
  return Parity({"golden", "update", manifest, golden, "--reason", reason}, libraries);
}

std::map<std::string, std::string> Files(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    files[entry.path().filename()] = ReadFileIfThere(entry.path()).value_or("");
  }
  return files;
}

// Both sides are the reference's engine, from two libraries. Either can be exchanged for one that
// computes otherwise, as when the reference changed and the candidate followed.
class GoldenTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<ScratchFolder>();
    for (const auto& [when, library] :
         {std::pair("then", "libparity_tiny.so"), std::pair("now", "libstale_parity_tiny.so")}) {
      fs::create_directories(Libraries(when));
      for (const char* as : {"/libparity_tiny.so", "/libparity_tiny_rebuilt.so"}) {
        fs::copy(std::string(PARITY_LIBRARIES) + "/" + library, Libraries(when) + as);
      }
      // Other bytes and the same code, so that the sides are two things.
      std::ofstream(Libraries(when) + "/libparity_tiny_rebuilt.so", std::ios::app) << "rebuilt";
    }
    const SideText rebuilt = {"parity_tiny_rebuilt", "paged",
                              InSource("manifests/tiny/paged.f32.json")};
    std::string text = ManifestText(Paged(), rebuilt, "spans: ops\n");
    text.replace(text.find("decode_steps: 2"), 15, "decode_steps: 1");
    manifest_ = folder_->Write("m.yaml", text);
    made_ = Update(manifest_, Golden(), "the first", Libraries("then"));
    ASSERT_EQ(made_.exit_code, 0) << made_.Text();
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static std::string Libraries(const std::string& when) { return folder_->Path(when); }
  static std::string Golden() { return folder_->Path("golden"); }
  std::string Copy() const {
    const std::string copy = folder_->Path("copy");
    fs::remove_all(copy);
    fs::copy(Golden(), copy);
    return copy;
  }

  // A group as CTest would run it.
  static GroupResult Group(const std::string& against, const std::string& when,
                           const std::string& output, Finished* finished = nullptr) {
    SuiteArguments arguments = {.manifest = manifest_};
    const std::string name = "spans.g.ranks1." + against;
    arguments.more = {"--parity_group=" + name, "--parity_output=" + output + "/" + name};
    if (against == "drift") arguments.more.push_back("--parity_golden=" + Golden());
    std::vector<std::string> command = SuiteCommand(arguments, "");
    std::erase(command, std::string("--parity_library_path=") + PARITY_LIBRARIES);
    command.push_back("--parity_library_path=" + Libraries(when));
    const Finished run = RunProgram(command, SuiteEnvironment(arguments));
    if (finished != nullptr) *finished = run;
    return ReadGroup({name, output + "/" + name, {"parity", against}});
  }
  static bool Passed(const GroupResult& group) {
    return !group.cases.empty() && RedCases(group.cases).empty();
  }

  static std::unique_ptr<ScratchFolder> folder_;
  static std::string manifest_;
  static Finished made_;
};
std::unique_ptr<ScratchFolder> GoldenTest::folder_;
std::string GoldenTest::manifest_;
Finished GoldenTest::made_;

TEST_F(GoldenTest, GroupsPassAsLongAsNothingChanged) {
  const ScratchFolder output;
  const GroupResult drift = Group("drift", "then", output.path());
  const GroupResult host = Group("host_parity", "then", output.path());
  const Folded folded = Fold({drift, host}, {});
  EXPECT_TRUE(folded.Passed()) << folded.Text();
  for (const CaseResult& result : drift.cases) {
    EXPECT_THAT(PropertyOf(result, "reference"), HasSubstr("golden recorded 20"));
  }
}

TEST_F(GoldenTest, StaleGoldenIsDriftAndNotWantOfParity) {
  const ScratchFolder output;
  Finished told;
  const GroupResult drift = Group("drift", "now", output.path(), &told);
  const GroupResult host = Group("host_parity", "now", output.path());
  EXPECT_FALSE(Passed(drift));
  EXPECT_TRUE(Passed(host));
  EXPECT_THAT(told.out, AllOf(HasSubstr("the reference is the tracked golden " + Golden()),
                              HasSubstr("last for 'the first'; the library that the manifest names "
                                        "is another now (")));
  const Folded folded = Fold({drift, host}, {});
  EXPECT_FALSE(folded.Passed());
  EXPECT_THAT(folded.problems,
              Contains(HasSubstr("spans.g.ranks1.drift: the candidate agrees with the reference of "
                                 "today (spans.g.ranks1.host_parity passed) and not with the "
                                 "tracked golden")));
}

// Either group alone is not enough, as it is when somebody runs one label only.
TEST_F(GoldenTest, VerdictWantsBothGroups) {
  const ScratchFolder output;
  const GroupResult drift = Group("drift", "then", output.path());
  ASSERT_TRUE(Passed(drift));
  const GroupResult host =
      ReadGroup({"spans.g.ranks1.host_parity", output.Path("none"), {"host_parity"}});
  EXPECT_THAT(Fold({drift, host}, {}).problems,
              Contains(HasSubstr("spans.g.ranks1.host_parity: left no result")));
  EXPECT_THAT(Fold({drift}, {}).problems, Contains(HasSubstr("host_parity is not registered")));
}

TEST_F(GoldenTest, UpdateKeepsEveryReason) {
  const std::string copy = Copy();
  const Finished again = Update(manifest_, copy, "sums in another order", Libraries("now"));
  EXPECT_EQ(again.exit_code, 0) << again.Text();
  EXPECT_THAT(again.out, AllOf(HasSubstr(copy + ": replaced, "), HasSubstr("change 2\n")));
  const Finished check = Parity({"golden", "check", copy}, "");
  EXPECT_EQ(check.exit_code, 0) << check.Text();
  EXPECT_THAT(check.out, HasSubstr("sums in another order"));
  const std::string log = Files(copy)["golden.jsonl"];
  EXPECT_THAT(log, AllOf(HasSubstr("\"reason\":\"the first\""),
                         HasSubstr("\"reason\":\"sums in another order\"")));
  EXPECT_NE(Files(copy)["rank0.safetensors"], Files(Golden())["rank0.safetensors"]);
  for (const auto& entry : fs::directory_iterator(folder_->path())) {
    EXPECT_THAT(entry.path().string(), Not(HasSubstr("partial")));
  }
}

TEST_F(GoldenTest, CheckTellsWhatItIs) {
  const Finished check = Parity({"golden", "check", Golden()}, "");
  EXPECT_EQ(check.exit_code, 0) << check.Text();
  std::string text = check.out;
  const std::pair<const char*, const char*> patterns[] = {{"[0-9]{4}-[0-9-]+T[0-9:]+Z", "DATE"},
                                                          {"library [0-9a-f]{12}", "library HASH"},
                                                          {" on (?!DATE).*\n", " on MACHINE\n"},
                                                          {"[0-9.]+ MiB", "# MiB"}};
  for (const auto& [pattern, to] : patterns) {
    text = std::regex_replace(text, std::regex(pattern), to);
  }
  EXPECT_EQ(text, Golden() +
                      ": in order\n"
                      "  manifest   written, ranks 1, seed 24301\n"
                      "  reference  recorded DATE by paged (library HASH)\n"
                      "  made       with gtest_parity 0.1.0 on MACHINE\n"
                      "  holds      112 spans in 6 runs, # MiB\n"
                      "  changes    1, the last on DATE: the first\n");
}

TEST_F(GoldenTest, UpdateWantsAReason) {
  const auto before = Files(Golden());
  const Finished without = Parity({"golden", "update", manifest_, Golden()}, Libraries("then"));
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_THAT(without.err, HasSubstr("--reason is required"));
  const Finished blank = Update(manifest_, Golden(), " ", Libraries("then"));
  EXPECT_EQ(blank.exit_code, 2);
  EXPECT_THAT(blank.err, HasSubstr("--reason is empty, expected why the golden changes"));
  EXPECT_EQ(Files(Golden()), before);
}

TEST_F(GoldenTest, WhatIsNoGoldenIsNotReplaced) {
  const ScratchFolder other;
  other.Write("precious.txt", "precious");
  const Finished run = Update(manifest_, other.path(), "why not", Libraries("then"));
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.err, HasSubstr("it holds no SHA256SUMS"));
  EXPECT_EQ(Files(other.path()).size(), 1u);
  // A log that is damaged would be lost.
  const std::string copy = Copy();
  std::ofstream(copy + "/golden.jsonl", std::ios::app) << "{}\n";
  EXPECT_EQ(Update(manifest_, copy, "why", Libraries("then")).exit_code, 4);
}

TEST_F(GoldenTest, ReferenceThatBreaksReplacesNothing) {
  const ScratchFolder other;
  SideText broken = Paged();
  broken.library = PARITY_FIXTURE_NO_SYMBOL;
  const std::string manifest = other.Write("m.yaml", ManifestText(broken, Ported()));
  const std::string copy = Copy();
  const auto before = Files(copy);
  const Finished run = Update(manifest, copy, "why");
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.err, HasSubstr("parity_plugin"));
  EXPECT_EQ(Files(copy), before);
}

TEST_F(GoldenTest, FileChangedPastTheLogIsRefused) {
  const std::string copy = Copy();
  fs::remove_all(folder_->Path("plain"));
  SuiteArguments arguments = {.manifest = manifest_, .filter = "*layer0_gate"};
  arguments.more = {"--parity_record=" + folder_->Path("plain")};
  SuiteRun recorded(arguments);
  // A recording is no golden.
  arguments.more = {"--parity_golden=" + folder_->Path("plain")};
  const SuiteRun plain(arguments);
  EXPECT_EQ(plain.exit_code(), 4);
  EXPECT_THAT(plain.cases().at(0).verdict.summary,
              HasSubstr("is no golden: it holds no golden.jsonl"));
  // Nor is one with another's log, whatever its sums say.
  fs::copy(copy + "/golden.jsonl", folder_->Path("plain"));
  const std::string golden = Files(copy)["SHA256SUMS"];
  const std::string line = golden.substr(golden.find("golden.jsonl") - 66, 66 + 13);
  std::string sums = Files(folder_->Path("plain"))["SHA256SUMS"];
  sums.insert(sums.find('\n') + 1, line);  // after evidence.json
  std::ofstream(folder_->Path("plain") + "/SHA256SUMS") << sums;
  const SuiteRun forged(arguments);
  EXPECT_EQ(forged.exit_code(), 4);
  EXPECT_THAT(forged.cases().at(0).verdict.summary,
              HasSubstr("golden.jsonl: its last change ends: got at "));
  // Nor is that the way to make it one.
  const Finished update = Update(manifest_, folder_->Path("plain"), "why not", Libraries("then"));
  EXPECT_EQ(update.exit_code, 4);
  EXPECT_THAT(update.err, HasSubstr("golden.jsonl: its last change ends: got at "));
}

TEST_F(GoldenTest, ThatIsShippedIsInOrder) {
  const Finished check = Parity({"golden", "check", InSource("manifests/tiny/golden")}, "");
  EXPECT_EQ(check.exit_code, 0) << check.Text();
  EXPECT_THAT(check.out, HasSubstr("manifest   paged_vs_fused_short, ranks 1"));
}

TEST_F(GoldenTest, CheckFindsDamage) {
  for (const char* name :
       {"rank0.safetensors", "evidence.json", "recording.json", "golden.jsonl"}) {
    const std::string copy = Copy();
    fs::resize_file(copy + "/" + name, fs::file_size(copy + "/" + name) - 1);
    const Finished check = Parity({"golden", "check", copy}, "");
    EXPECT_EQ(check.exit_code, 4) << name;
    EXPECT_THAT(check.err, HasSubstr(std::string(name) + ": sha256 (damaged?): got ")) << name;
  }
  EXPECT_EQ(Parity({"golden", "check", "/nonexistent"}, "").exit_code, 4);
  EXPECT_EQ(Parity({"golden"}, "").exit_code, 2);
}

}  // namespace
}  // namespace parity::testing
