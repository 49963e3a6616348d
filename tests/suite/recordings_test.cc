// The reference's recording on disk, written by one run of a suite and replayed by another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "gtest_parity/report/files.h"
#include "tests/suite/driver/manifest_text.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr char kQuick[] = "tests/suite/quick.yaml";

SuiteArguments Recording(SuiteArguments arguments, const std::string& folder) {
  arguments.more.push_back("--parity_record=" + folder);
  return arguments;
}
SuiteArguments Replaying(SuiteArguments arguments, const std::string& folder) {
  arguments.more.push_back("--parity_reference=" + folder);
  // What ran no reference cannot have asked one.
  arguments.environment["PARITY_LIBRARY_PATH"] = "/nonexistent";
  return arguments;
}

// Cases that say how the reference came to be there.
bool AreOfTheLivingReference(const std::string& test) {
  return test == "Loads/reference" || test == "Loads/reference_views";
}

// cases.jsonl without times, commands and what says where the reference came from.
std::vector<json> Evidence(const SuiteRun& run) {
  std::vector<json> lines;
  std::istringstream text(ReadFileIfThere(run.folder() + "/cases.jsonl").value_or(""));
  for (std::string line; std::getline(text, line);) {
    if (line.empty()) continue;
    json one = json::parse(line);
    if (one.value("event", "") != "finished" || AreOfTheLivingReference(one.at("test"))) continue;
    for (const char* key : {"seconds", "started", "repeat_command"}) one.erase(key);
    if (one.contains("properties")) one["properties"].erase("reference");
    json told = json::object();
    for (const auto& [key, value] : one.at("verdict").at("properties").items()) {
      if (!key.starts_with("perf.") && key != "provenance") told[key] = value;
    }
    one["verdict"]["properties"] = std::move(told);
    lines.push_back(std::move(one));
  }
  return lines;
}

struct Setting {
  const char* name;
  SuiteArguments arguments;
  int exit_code;
};

class ReplayedTest : public ::testing::TestWithParam<Setting> {};

TEST_P(ReplayedTest, EvidenceIsWhatItWasBitForBit) {
  const ScratchFolder folder;
  const SuiteRun live(Recording(GetParam().arguments, folder.Path("recording")));
  EXPECT_EQ(live.exit_code(), GetParam().exit_code) << live.out() << live.err();
  EXPECT_THAT(live.out(), HasSubstr("note: recording written to " + folder.Path("recording")));
  const SuiteRun replayed(Replaying(GetParam().arguments, folder.Path("recording")));
  EXPECT_EQ(replayed.exit_code(), GetParam().exit_code) << replayed.out() << replayed.err();
  ASSERT_THAT(Evidence(live), Not(IsEmpty()));
  EXPECT_EQ(Evidence(replayed), Evidence(live));
  EXPECT_FALSE(fs::exists(replayed.folder() + "/reference.log"));
  EXPECT_TRUE(fs::exists(live.folder() + "/reference.log"));
  for (const CaseResult& result : replayed.cases()) {
    EXPECT_THAT(PropertyOf(result, "reference"), HasSubstr(" (library "));
    EXPECT_THAT(result.repeat_command, HasSubstr("--parity_reference=" + folder.Path("recording")));
  }
  // Of the reference as they were, of the candidate anew.
  std::size_t timed = 0;
  for (const CaseResult& result : replayed.cases()) {
    const std::string then = PropertyOf(live.At(ShortName(result)), "perf.reference_us");
    EXPECT_EQ(PropertyOf(result, "perf.reference_us"), then);
    timed += then.empty() ? 0 : 1;
  }
  EXPECT_GT(timed, 0u);
  for (const CaseResult& result : live.cases()) {
    EXPECT_THAT(result.repeat_command, Not(HasSubstr("--parity_record")));
  }
}

constexpr char kSome[] = "*layer0_*:*EndToEnd*:*Domain*:*Replicated*:*Preflight*";

INSTANTIATE_TEST_SUITE_P(
    settings, ReplayedTest,
    ::testing::Values(
        Setting{"Port", {.manifest = kQuick, .filter = kSome}, 0},
        Setting{
            "Drift", {.manifest = kQuick, .filter = kSome, .candidate = R"({"name": "drift"})"}, 1},
        Setting{"TwoRanks",
                {.manifest = kQuick,
                 .ranks = 2,
                 .filter = kSome,
                 .candidate = R"({"name": "wrong_rank1"})"},
                1},
        Setting{"Views",
                {.manifest = "tests/suite/seen.yaml", .filter = "*layer0_*:*EndToEnd*:*Preflight*"},
                0},
        Setting{"Decisions",
                {.manifest = "manifests/tiny/routed_vs_reordered.yaml",
                 .filter = "*EndToEnd*:*Domain*:*Preflight*"},
                0},
        // Spreads, an end-to-end allowance, and spans that do not repeat.
        Setting{"NoisyReference",
                {.manifest = kQuick,
                 .filter = "*decode_layer0_*:*EndToEnd*",
                 .reference = R"({"name": "noisy_layer0"})"},
                0}),
    [](const auto& info) { return info.param.name; });

// One recording for the tests below.
class RecordedTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<ScratchFolder>();
    const SuiteRun run(Recording(One(), Path()));
    ASSERT_EQ(run.exit_code(), 0) << run.out() << run.err();
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static SuiteArguments One() { return {.manifest = kQuick, .filter = "*decode_layer0_gate"}; }
  static std::string Path() { return folder_->Path("recording"); }
  std::string Copy() const {
    fs::remove_all(folder_->Path("copy"));
    fs::copy(Path(), folder_->Path("copy"));
    return folder_->Path("copy");
  }
  static std::map<std::string, std::string> Files(const std::string& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
      files[entry.path().filename()] = ReadFileIfThere(entry.path()).value_or("");
    }
    return files;
  }

  static std::unique_ptr<ScratchFolder> folder_;
};
std::unique_ptr<ScratchFolder> RecordedTest::folder_;

// Recorded with one case selected, it serves all.
TEST_F(RecordedTest, HoldsWhatAnyCaseNeeds) {
  const SuiteRun run(Replaying({.manifest = kQuick}, Path()));
  EXPECT_EQ(run.exit_code(), 0) << run.out() << run.err();
  EXPECT_THAT(run.cases(), SizeIs(5 + 112 + 2 + 2));
  EXPECT_THAT(run.out(), HasSubstr("note: read from " + Path() + ", recorded 20"));
  EXPECT_THAT(run.out(), HasSubstr("112 comparisons computed again by the judge"));
}

TEST_F(RecordedTest, ServesAnotherCandidate) {
  SuiteArguments arguments = One();
  arguments.candidate = R"({"name": "drift"})";
  EXPECT_EQ(SuiteRun(Replaying(arguments, Path())).exit_code(), 1);
}

TEST_F(RecordedTest, ServesWhereTheReferenceIsNot) {
  const ScratchFolder libraries;
  fs::copy(std::string(PARITY_LIBRARIES) + "/libparity_tiny_ported.so", libraries.path());
  SuiteArguments arguments = Replaying(One(), Path());
  arguments.more.push_back("--parity_library_path=" + libraries.path());
  // The driver gives the folder with all of them; this is a run without it.
  std::vector<std::string> command = SuiteCommand(arguments, "");
  std::erase(command, std::string("--parity_library_path=") + PARITY_LIBRARIES);
  const Finished with = RunProgram(command, SuiteEnvironment(arguments));
  EXPECT_EQ(with.exit_code, 0) << with.Text();
  std::erase(command, "--parity_reference=" + Path());
  const Finished without = RunProgram(command, SuiteEnvironment(arguments));
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_THAT(without.err, HasSubstr("reference.library: not found"));
}

TEST_F(RecordedTest, IsNeverRewrittenByARun) {
  const auto before = Files(Path());
  const SuiteRun again(Recording(One(), Path()));
  EXPECT_EQ(again.exit_code(), 4);
  EXPECT_THAT(again.err(), HasSubstr(Path() + " exists: a recording is never written over"));
  EXPECT_THAT(again.cases(), IsEmpty());
  SuiteArguments both = Recording(Replaying(One(), Path()), folder_->Path("new"));
  EXPECT_EQ(SuiteRun(both).exit_code(), 2);
  EXPECT_EQ(SuiteRun(Replaying(One(), Path())).exit_code(), 0);
  EXPECT_EQ(Files(Path()), before);
  EXPECT_FALSE(fs::exists(folder_->Path("new")));
}

TEST_F(RecordedTest, EnginesInTheJudgesProcessAreNotRecorded) {
  SuiteArguments arguments = Recording(One(), folder_->Path("new"));
  arguments.more.push_back("--parity_in_process");
  EXPECT_EQ(SuiteRun(arguments).exit_code(), 2);
  EXPECT_FALSE(fs::exists(folder_->Path("new")));
}

TEST_F(RecordedTest, ReferenceThatBreaksLeavesNone) {
  SuiteArguments arguments = Recording(One(), folder_->Path("new"));
  arguments.reference = R"({"name": "crash", "program": "decode"})";
  EXPECT_EQ(SuiteRun(arguments).exit_code(), 4);
  EXPECT_FALSE(fs::exists(folder_->Path("new")));
  for (const auto& entry : fs::directory_iterator(folder_->path())) {
    EXPECT_THAT(entry.path().string(), Not(HasSubstr("partial")));
  }
}

TEST_F(RecordedTest, RecordingThatCannotBeWrittenIsAnErrorOfTheHarness) {
  const SuiteRun run(Recording(One(), "/proc/recording"));
  EXPECT_EQ(run.exit_code(), 4);
  EXPECT_THAT(run.cases().at(0).verdict.summary, HasSubstr("cannot make a folder beside /proc/"));
}

// Each refusal is every case's ERROR, with the reason.
void ExpectRefused(const SuiteRun& run, const std::string& words) {
  EXPECT_EQ(run.exit_code(), 4) << run.out() << run.err();
  ASSERT_THAT(run.cases(), Not(IsEmpty()));
  for (const CaseResult& result : run.cases()) {
    EXPECT_EQ(result.outcome, Outcome::kError) << result.FullName();
    EXPECT_THAT(result.verdict.summary,
                AllOf(HasSubstr("the recording is refused: "), HasSubstr(words)));
  }
}

TEST_F(RecordedTest, RefusalIsEveryCasesError) {
  SuiteArguments all = {.manifest = kQuick};
  all.more = {"--parity_seed=7"};
  const SuiteRun run(Replaying(all, Path()));
  EXPECT_THAT(run.cases(), SizeIs(5 + 112 + 2 + 2));
  ExpectRefused(run, "workload/seed: got 24301, expected 7");
}

TEST_F(RecordedTest, OfOtherRanksIsRefused) {
  SuiteArguments arguments = Replaying(One(), Path());
  arguments.ranks = 2;
  ExpectRefused(SuiteRun(arguments), "ranks: got 1, expected 2");
}

TEST_F(RecordedTest, OfAnotherManifestIsRefused) {
  const ScratchFolder other;
  SuiteArguments arguments = Replaying(One(), Path());
  arguments.manifest = other.Write("m.yaml", ManifestText(Paged(), Ported()));
  ExpectRefused(SuiteRun(arguments), "manifest: got \"quick\", expected \"written\"");
}

TEST_F(RecordedTest, OfAnotherModelIsRefused) {
  const ScratchFolder other;
  fs::copy(InSource("manifests/tiny/model"), other.Path("model"), fs::copy_options::recursive);
  std::fstream weights(other.Path("model/model.safetensors"),
                       std::ios::in | std::ios::out | std::ios::binary);
  weights.seekp(-1, std::ios::end);
  weights.put(1);
  weights.close();
  SuiteArguments arguments = Replaying(One(), Path());
  arguments.more.push_back("--parity_reference_config={\"model\": \"" + other.Path("model") +
                           "\"}");
  ExpectRefused(SuiteRun(arguments), "reference/weights: got ");
}

// The same model elsewhere is the same model.
TEST_F(RecordedTest, ModelMayLieElsewhere) {
  const ScratchFolder other;
  fs::copy(InSource("manifests/tiny/model"), other.Path("model"), fs::copy_options::recursive);
  SuiteArguments arguments = Replaying(One(), Path());
  for (const char* side : {"reference", "candidate"}) {
    arguments.more.push_back(std::string("--parity_") + side + "_config={\"model\": \"" +
                             other.Path("model") + "\"}");
  }
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 0) << run.out();
}

// The two engines in a folder of their own, where they can be changed.
class CopiedEngines {
 public:
  CopiedEngines() {
    for (const char* name : {"libparity_tiny.so", "libparity_tiny_ported.so"}) {
      fs::copy(std::string(PARITY_LIBRARIES) + "/" + name, folder.path());
    }
  }
  Finished Run(const SuiteArguments& arguments) const {
    std::vector<std::string> command = SuiteCommand(arguments, folder.Path("output"));
    std::erase(command, std::string("--parity_library_path=") + PARITY_LIBRARIES);
    command.push_back("--parity_library_path=" + folder.path());
    return RunProgram(command, SuiteEnvironment(arguments));
  }

  const ScratchFolder folder;
};

TEST_F(RecordedTest, OfAnotherEngineLibraryIsRefused) {
  const CopiedEngines engines;
  const std::string library = engines.folder.Path("libparity_tiny.so");
  std::ofstream(library, std::ios::app) << "rebuilt";
  const Finished run = engines.Run(Replaying(One(), Path()));
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.out, AllOf(HasSubstr("is of another engine library: got "),
                             HasSubstr("(" + library + ")")));
}

TEST_F(RecordedTest, OfAnotherFileThatTheLibraryLoadsIsRefused) {
  const CopiedEngines engines;
  engines.folder.Write("libmath.so", "as it was");
  engines.folder.Write("libparity_tiny.so.impl.json", R"({"files": ["libmath.so"]})");
  const std::string recording = engines.folder.Path("recording");
  ASSERT_EQ(engines.Run(Recording(One(), recording)).exit_code, 0);
  EXPECT_EQ(engines.Run(Replaying(One(), recording)).exit_code, 0);
  engines.folder.Write("libmath.so", "updated");
  const Finished after = engines.Run(Replaying(One(), recording));
  EXPECT_EQ(after.exit_code, 4);
  EXPECT_THAT(after.out, HasSubstr("is of another engine library: other bytes of libmath.so ("));
}

// One case of each kind of damage; tests/replay has them all.
TEST_F(RecordedTest, DamagedRecordingIsRefused) {
  const std::pair<const char*, const char*> cases[] = {
      {"rank0.safetensors", "rank0.safetensors: a safetensors file: got "},
      {"evidence.json", "evidence.json: sha256 (damaged?): got "},
      {"recording.json", "recording.json: sha256 (damaged?): got "},
      {"SHA256SUMS", "SHA256SUMS: a line: got"}};
  for (const auto& [name, words] : cases) {
    const std::string copy = Copy();
    fs::resize_file(copy + "/" + name, fs::file_size(copy + "/" + name) - 9);
    ExpectRefused(SuiteRun(Replaying(One(), copy)), words);
  }
  ExpectRefused(SuiteRun(Replaying(One(), folder_->Path("none"))), "none: no recording: No such");
}

TEST_F(RecordedTest, OfTheCandidateItselfIsSelf) {
  const ScratchFolder other;
  SuiteArguments arguments = {.manifest = "tests/suite/paged_vs_paged.yaml",
                              .filter = "*Preflight*:*decode_layer0_gate"};
  const SuiteRun live(Recording(arguments, other.Path("recording")));
  const SuiteRun replayed(Replaying(arguments, other.Path("recording")));
  EXPECT_EQ(live.At("Preflight/sides").outcome, Outcome::kSelf);
  EXPECT_EQ(Evidence(replayed), Evidence(live));
}

TEST_F(RecordedTest, ListingReadsNoMoreThanTheIndex) {
  const std::string copy = Copy();
  fs::resize_file(copy + "/rank0.safetensors", 3);
  SuiteArguments arguments = Replaying({.manifest = kQuick}, copy);
  arguments.reports = false;
  arguments.more.push_back("--gtest_list_tests");
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 0) << run.err();
  EXPECT_THAT(run.out(), HasSubstr("Matches/decode_layer0_attention"));
}

}  // namespace
}  // namespace parity::testing
