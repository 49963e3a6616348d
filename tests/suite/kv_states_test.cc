// Engines that are asked by saved states, as their user meets it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/report/files.h"
#include "tests/suite/driver/golden.h"
#include "tests/suite/driver/manifest_text.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

SuiteArguments Arguments(const std::string& manifest, const std::string& filter) {
  SuiteArguments arguments = {.manifest = manifest, .filter = filter};
  arguments.suite = PARITY_KV;
  return arguments;
}

constexpr char kManifest[] = "manifests/tiny/kv_states_paged_vs_ported.yaml";

TEST(KvStates, WhatIsDeclaredRefusedAndWhatIsNotAskedIsTold) {
  const SuiteRun run(Arguments(kManifest,
                               "*Preflight*:*Cell*/candidate_in_bf16_*:*Cell*/prompt_*:"
                               "*Damaged*/prompt_trailing:*Damaged*/prompt_unreadable"));
  EXPECT_EQ(run.exit_code(), 0) << run.out();
  EXPECT_THAT(run.out(),
              HasSubstr("note: not asked: 10 cases of Policy/*: an engine that is asked"));
  const CaseResult& refused = run.At("Cell/candidate_in_bf16_reference_to_candidate_accepted");
  EXPECT_EQ(PropertyOf(refused, "refused_as_declared"), "other_kv_type");
  const std::string text = ReadFileIfThere(run.folder() + "/kv_matrix.txt").value_or("");
  EXPECT_TRUE(MatchesGolden("kv_states_matrix.txt", text));
}

TEST(KvStates, WhatIsLeftOutIsNoCase) {
  SuiteArguments arguments = Arguments(kManifest, "");
  arguments.reports = false;
  arguments.more = {"--gtest_list_tests"};
  const SuiteRun run(arguments);
  EXPECT_THAT(run.out(), Not(HasSubstr("Policy")));
  EXPECT_THAT(run.out(), HasSubstr("IsTakenAlike/prompt_flip"));
}

std::string Lanes(const ScratchFolder& folder, const std::string& lane) {
  return folder.Write("lanes.yaml", "format: " + InSource("manifests/tiny/state_payload.yaml") +
                                        "\nlanes:\n" + lane);
}

constexpr char kLane[] =
    "- {name: one, after: untouched, save: {requests: [{prompt: And God said, max_tokens: 0, "
    "store: "
    "true}]}, load: {requests: [{prompt: [\"${/save/0/tokens}\", \" Let\"], max_tokens: 4, "
    "ignore_end: true}]}";

SuiteRun RunOf(const SideText& reference, const SideText& candidate, const std::string& more = "}",
               const std::string& filter = "*") {
  const ScratchFolder folder;
  const std::string kv = "kv: {by: states, lanes: " + Lanes(folder, kLane + more) + "}\n";
  return SuiteRun(
      Arguments(folder.Write("m.yaml", ManifestText(reference, candidate, kv)), filter));
}

SideText Contiguous() {
  return {"parity_tiny_contiguous", "contiguous", InSource("manifests/tiny/contiguous.f32.json")};
}

TEST(KvStates, AReferenceWithoutStatesBlocksEverything) {
  const SuiteRun run = RunOf(Contiguous(), Ported());
  EXPECT_EQ(run.exit_code(), 77) << run.out();
  const CaseResult& cell = run.At("Cell/one_reference_to_reference_reuse");
  EXPECT_EQ(cell.outcome, Outcome::kBlocked);
  EXPECT_THAT(cell.verdict.summary, HasSubstr("the engine does not load states"));
}

TEST(KvStates, ACandidateAloneWithoutStatesFails) {
  const SuiteRun run = RunOf(Paged(), Contiguous());
  EXPECT_EQ(run.exit_code(), 1) << run.out();
  EXPECT_EQ(run.At("Cell/one_reference_to_candidate_reuse").outcome, Outcome::kFail);
}

// What is refused though no lane says so, and what no refusal could be declared for.
TEST(KvStates, ARefusalThatIsNotDeclaredFails) {
  SideText bf16 = Ported();
  bf16.description = InSource("manifests/tiny/ported.bf16.json");
  const ScratchFolder folder;
  const std::string kv =
      "kv: {by: states, lanes: " + Lanes(folder, std::string(kLane) + "}") + "}\n";
  std::string text = ManifestText(Paged(), bf16, kv);
  text.replace(text.rfind("dtype: f32"), 10, "dtype: bf16");
  const SuiteRun run(Arguments(folder.Write("m.yaml", text), "*Cell*"));
  EXPECT_EQ(run.exit_code(), 1) << run.out();
  for (const char* cell :
       {"one_reference_to_candidate_accepted", "one_candidate_to_reference_accepted"}) {
    const CaseResult& crossed = run.At(std::string("Cell/") + cell);
    EXPECT_EQ(crossed.outcome, Outcome::kFail);
    EXPECT_EQ(PropertyOf(crossed, "signature"), "accepted: refused other_kv_type");
  }
  EXPECT_EQ(run.At("Cell/one_candidate_to_candidate_record").outcome, Outcome::kFail);
}

TEST(KvStates, ADifferenceThatIsDeclaredMustBeThere) {
  const SuiteRun run = RunOf(Paged(), Ported(), ", record: {differs: [payload]}}", "*Cell*");
  EXPECT_EQ(run.exit_code(), 1) << run.out();
  EXPECT_EQ(PropertyOf(run.At("Cell/one_candidate_to_candidate_record"), "signature"),
            "record: payload does not differ");
}

TEST(KvStates, AServerIsNotAskedByStates) {
  const ScratchFolder folder;
  const std::string lanes = Lanes(folder, std::string(kLane) + "}");
  const SuiteRun run(Arguments(
      folder.Write(
          "m.yaml",
          "parity: 1\nname: written\nreference: " + Text(Paged()) +
              "\ncandidate: {server: {command: [/bin/true, \"{kv_folder}\", \"{port}\"]}}\n"
              "kv: {by: states, lanes: " +
              lanes + "}\n"),
      "*"));
  EXPECT_EQ(run.exit_code(), 2) << run.out();
  EXPECT_THAT(run.err(), HasSubstr("candidate.server: got a server, expected an engine plugin, as "
                                   "kv.by is states"));
}

}  // namespace
}  // namespace parity::testing
