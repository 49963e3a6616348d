// The KV matrix as its user meets it: what is listed, what it covers, what it says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "gtest_parity/report/files.h"
#include "tests/suite/driver/golden.h"
#include "tests/suite/driver/manifest_text.h"
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
    if (row["case"]) {
      EXPECT_THAT(listed, Contains(row["case"].as<std::string>()));
    }
    if (row["test"]) {
      EXPECT_TRUE(IsWritten(row["test"].as<std::string>()));
    }
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

// What a written manifest says of the suite, with the variants of the shipped one.
std::string ManifestTextOfKv(const std::string& lanes) {
  const std::string bf16 = InSource("manifests/tiny/");
  return "kv: {lanes: " + lanes + ", variants: {bf16: {reference: {config: {dtype: bf16}, " +
         "description: " + bf16 + "paged.bf16.json}, candidate: {config: {dtype: bf16}, " +
         "description: " + bf16 + "ported.bf16.json}}, other_model: {reference: " +
         "{other_weights: /model}, candidate: {other_weights: /model}}}}\n";
}

SideText Contiguous() {
  return {"parity_tiny_contiguous", "contiguous", InSource("manifests/tiny/contiguous.f32.json")};
}

SuiteRun RunOf(const SideText& reference, const SideText& candidate) {
  const ScratchFolder folder;
  SuiteArguments arguments = Arguments("*Preflight*:*Cell*/shutdown_*:*Policy*/fits:*budget_at");
  const std::string kv = ManifestTextOfKv(InSource("manifests/tiny/kv_lanes.yaml"));
  arguments.manifest = folder.Write("m.yaml", ManifestText(reference, candidate, kv));
  return SuiteRun(arguments);
}

// Nothing can be held against a candidate where the reference does not serve.
TEST(KvSuite, AReferenceThatDoesNotServeBlocksEverything) {
  const SuiteRun run = RunOf(Contiguous(), Ported());
  EXPECT_EQ(run.exit_code(), 77) << run.out();
  ASSERT_FALSE(run.cases().empty());
  for (const CaseResult& result : run.cases()) {
    EXPECT_EQ(result.outcome, Outcome::kBlocked) << ShortName(result);
    EXPECT_EQ(PropertyOf(result, "needs"), "serve");
    EXPECT_THAT(result.verdict.summary, HasSubstr("the engine does not serve requests"));
  }
}

TEST(KvSuite, ACandidateAloneThatDoesNotServeFails) {
  const SuiteRun run = RunOf(Paged(), Contiguous());
  EXPECT_EQ(run.exit_code(), 1) << run.out();
  ASSERT_FALSE(run.cases().empty());
  for (const CaseResult& result : run.cases()) {
    EXPECT_EQ(result.outcome, Outcome::kFail) << ShortName(result);
  }
}

// The weights of the one are taken for the other's, and a payload that nothing hashes is believed.
TEST(KvSuite, WhatNobodyCanNoticeIsListedAsARisk) {
  const SuiteRun run(Arguments("*Cell*/other_model_reference*:*Damaged*/fingerprint_flip"));
  EXPECT_EQ(run.exit_code(), 0) << run.out();
  EXPECT_THAT(run.out(), HasSubstr("note: shared risk: lane other_model: both take up"));
  EXPECT_THAT(run.out(), HasSubstr("note: shared risk: lane fingerprint: both take up and answer "
                                   "otherwise: flip_burst_payload_layer_data\n"));
  EXPECT_EQ(PropertyOf(run.At("Damaged/fingerprint_flip"), "shared_risk"),
            "flip_burst_payload_layer_data");
}

TEST(KvSuite, TheMatrixLiesBesideTheReports) {
  const SuiteRun run(Arguments("*Cell*/bank_*:*Cell*/*history*:*Damaged*/*_name:*Store*/budget*"));
  EXPECT_EQ(run.exit_code(), 0) << run.out();
  const std::string text = ReadFileIfThere(run.folder() + "/kv_matrix.txt").value_or("");
  EXPECT_TRUE(MatchesGolden("kv_matrix.txt", text));
}

// A copy of the lanes with an exception, whatever `until` says.
SuiteRun RunWithException(const std::string& signature, const std::string& until,
                          const std::string& candidate) {
  const ScratchFolder folder;
  const std::string lanes =
      ReadFileIfThere(InSource("manifests/tiny/kv_lanes.yaml")).value_or("") +
      "\nexceptions:\n- {id: E-1, lane: bank_partial, check: record, signature: \"" + signature +
      "\", reason: another body, until: " + until + "}\n";
  const std::string kv = ManifestTextOfKv(folder.Write("lanes.yaml", lanes));
  SuiteArguments arguments = Arguments("*Preflight*:*Cell*/bank_partial_*");
  arguments.manifest = folder.Write("m.yaml", ManifestText(Paged(), Ported(), kv));
  arguments.candidate = candidate;
  return SuiteRun(arguments);
}

constexpr char kOtherBody[] = R"({"name": "kv_other_body"})";
constexpr char kDiffers[] = "Cell/bank_partial_candidate_to_candidate_record";

TEST(KvException, StandsForAnotherPayloadAsLongAsItIsLoadedAlike) {
  const SuiteRun run = RunWithException("record: payload.ctx", "2999-01-01", kOtherBody);
  EXPECT_EQ(run.exit_code(), 0) << run.out();
  for (const char* cell : {kDiffers, "Cell/bank_partial_candidate_to_reference_record"}) {
    EXPECT_EQ(run.At(cell).outcome, Outcome::kPassStar);
    EXPECT_EQ(PropertyOf(run.At(cell), "exception"), "E-1");
  }
  EXPECT_EQ(run.At("Cell/bank_partial_candidate_to_reference_continuation").outcome,
            Outcome::kPass);
}

TEST(KvException, IsForItsExactSignature) {
  const SuiteRun run = RunWithException("record: payload.layers", "2999-01-01", kOtherBody);
  EXPECT_EQ(run.exit_code(), 1) << run.out();
  EXPECT_EQ(run.At(kDiffers).outcome, Outcome::kFail);
}

TEST(KvException, Expires) {
  const SuiteRun run = RunWithException("record: payload.ctx", "2020-01-01", kOtherBody);
  EXPECT_EQ(run.exit_code(), 1) << run.out();
  EXPECT_THAT(run.At(kDiffers).verdict.summary,
              HasSubstr("exception E-1 has expired, its last day was 2020-01-01"));
}

TEST(KvException, IsRefusedOnceItNoLongerReproduces) {
  const SuiteRun run = RunWithException("record: payload.ctx", "2999-01-01", "");
  EXPECT_EQ(run.exit_code(), 1) << run.out();
  EXPECT_THAT(run.At(kDiffers).verdict.summary,
              HasSubstr("exception E-1 stopped reproducing: the candidate does not show"));
}

}  // namespace
}  // namespace parity::testing
