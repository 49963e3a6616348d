// The suite `wire` as a user runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/suite/driver/subprocess.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr char kPlain[] = "*Probe.*/serial_chat_plain:*SurfaceRules.*/serial_chat_*";

SuiteArguments Arguments(const std::string& filter, std::vector<std::string> more = {}) {
  SuiteArguments arguments = {.manifest = "manifests/tiny/wire_reference_vs_ported.yaml",
                              .filter = filter};
  arguments.suite = PARITY_WIRE;
  const std::filesystem::path server = PARITY_TINY_SERVER;
  arguments.more = {"--parity_library_path=" + server.parent_path().string(),
                    "--parity_run=chat/plain"};
  arguments.more.insert(arguments.more.end(), more.begin(), more.end());
  return arguments;
}

std::string ReadText(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void WriteText(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

std::string Replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
  return text;
}

// "Probe.IsAnsweredAlike/serial_chat_plain"
std::set<std::string> Listed() {
  std::vector<std::string> command = SuiteCommand(Arguments(""), "");
  command.push_back("--gtest_list_tests");
  const Finished finished = RunProgram(command, {});
  std::set<std::string> listed;
  std::istringstream lines(finished.out);
  std::string fixture;
  for (std::string line; std::getline(lines, line);) {
    const std::string name = line.substr(0, line.find("  #"));
    if (!line.starts_with("  ")) {
      fixture = name.substr(name.find('/') + 1);
    } else {
      listed.insert(fixture + name.substr(2));
    }
  }
  return listed;
}

TEST(WireCoverage, TheNamedCasesAreListed) {
  const std::set<std::string> listed = Listed();
  std::size_t named = 0;
  for (const auto& row : YAML::LoadFile(InSource("suites/wire/coverage.yaml"))) {
    const YAML::Node which = row.second["case"];
    if (!which) continue;
    ++named;
    EXPECT_THAT(listed, Contains(which.as<std::string>())) << row.first;
  }
  EXPECT_GT(named, 30u);
}

TEST(WireSuite, TranscriptsAreJudgedWithoutServers) {
  const SuiteRun live(Arguments(kPlain));
  ASSERT_EQ(live.exit_code(), 0) << live.out() << live.err();
  const std::string kept = live.folder() + "/transcripts";
  const SuiteRun again(Arguments(kPlain, {"--parity_transcripts=" + kept}));
  EXPECT_EQ(again.exit_code(), 0) << again.out() << again.err();
  EXPECT_EQ(again.cases().size(), live.cases().size());
  EXPECT_THAT(again.out(), HasSubstr("no server of the candidate ran"));
  // What a person mends or breaks in them is seen.
  const std::string file = kept + "/candidate/serial.jsonl", text = ReadText(file);
  WriteText(file, Replaced(text, "chat.completion.chunk", "chat.completion.chank"));
  const SuiteRun broken(Arguments(kPlain, {"--parity_transcripts=" + kept}));
  EXPECT_EQ(broken.exit_code(), 1) << broken.out();
  EXPECT_EQ(broken.At("SurfaceRules/serial_chat_stream").outcome, Outcome::kFail);
}

TEST(WireSuite, ATranscriptThatLacksACaseIsAnError) {
  const SuiteRun live(Arguments(kPlain));
  const std::string kept = live.folder() + "/transcripts";
  const std::string file = kept + "/candidate/serial.jsonl";
  WriteText(file, Replaced(ReadText(file), "chat/plain/streamed", "chat/plain/strained"));
  const SuiteRun run(Arguments(kPlain, {"--parity_transcripts=" + kept}));
  EXPECT_EQ(run.exit_code(), 4) << run.out();
  EXPECT_THAT(run.out(), HasSubstr("a selected case is not in it"));
  std::filesystem::remove_all(kept);
  const SuiteRun nothing(Arguments(kPlain, {"--parity_transcripts=" + kept}));
  EXPECT_NE(nothing.exit_code(), 0);
  EXPECT_THAT(nothing.err(), HasSubstr("no transcripts"));
}

TEST(WireSuite, WhatNothingWasAskedForIsNotCompared) {
  SuiteArguments arguments = Arguments(kPlain);
  arguments.more.back() = "--parity_run=nothing_of_that_name";
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 3) << run.out();
  EXPECT_EQ(run.At("Probe/serial_chat_plain").outcome, Outcome::kNotCompared);
}

TEST(WireSuite, AServerThatDoesNotStartIsItsSidesAffair) {
  const char* kBad = R"({"server": {"no_such_option": 1}})";
  const SuiteRun candidate(Arguments(kPlain, {std::string("--parity_candidate_config=") + kBad}));
  EXPECT_EQ(candidate.exit_code(), 1) << candidate.out();
  EXPECT_EQ(candidate.At("Probe/serial_chat_plain").outcome, Outcome::kFail);
  EXPECT_THAT(candidate.out(), HasSubstr("before it was ready"));
  const SuiteRun reference(Arguments(kPlain, {std::string("--parity_reference_config=") + kBad}));
  EXPECT_EQ(reference.exit_code(), 4) << reference.out();
  EXPECT_EQ(reference.At("Probe/serial_chat_plain").outcome, Outcome::kError);
}

// The tiny manifest with other classified refusals.
std::string ManifestWith(const std::string& refusals, const std::string& folder) {
  const std::string tiny = InSource("manifests/tiny");
  std::string text = ReadText(tiny + "/wire_reference_vs_ported.yaml");
  text = Replaced(text, "{path: model}", "{path: " + tiny + "/model}");
  text = Replaced(text, "wire_probes.yaml", tiny + "/wire_probes.yaml");
  text = Replaced(text, "wire_refusals.yaml", folder + "/refusals.yaml");
  WriteText(folder + "/refusals.yaml", refusals);
  WriteText(folder + "/manifest.yaml", text);
  return folder + "/manifest.yaml";
}

TEST(WireSuite, ARefusalOfOneSideFailsUnlessItIsClassified) {
  // Too small for any question.
  const std::string small = R"(--parity_candidate_config={"server": {"max_body_bytes": 20}})";
  const char* kFilter = "*Probe.*/serial_chat_plain:*SurfaceRules.*/serial_chat_equal:*Refusals*";
  const SuiteRun bare(Arguments(kFilter, {small}));
  EXPECT_EQ(bare.exit_code(), 1) << bare.out();
  EXPECT_THAT(bare.At("Probe/serial_chat_plain").verdict.findings,
              Contains(HasSubstr("refusal: request 0: got 413")));
  const ScratchFolder scratch;
  std::string refusals = "refusals:\n";
  for (const char* way : {"buffered", "streamed"}) {
    refusals += std::string("- {case: chat/plain/") + way +
                ", side: candidate, reason: small, until: 2999-01-01}\n";
  }
  SuiteArguments arguments = Arguments(kFilter, {small});
  arguments.manifest = ManifestWith(refusals, scratch.path());
  const SuiteRun classified(arguments);
  EXPECT_EQ(classified.exit_code(), 0) << classified.out();
  // Without the small limit nothing is refused, and the entries are stale.
  arguments.more.pop_back();
  const SuiteRun stale(arguments);
  EXPECT_EQ(stale.exit_code(), 1) << stale.out();
  EXPECT_EQ(stale.At("Probe/serial_chat_plain").outcome, Outcome::kPass);
  EXPECT_EQ(stale.At("Refusals/all").outcome, Outcome::kFail);
}

constexpr char kDeadly[] = R"(
- {name: first, surfaces: [models], path: /v1/models}
- {name: die, surfaces: [other], path: /die, method: POST, raw: now}
- {name: next, surfaces: [models], path: /v1/models}
- {name: crash, surfaces: [other], path: /crash, method: POST, raw: now}
- {name: again, surfaces: [other], path: /die, method: POST, raw: now}
- {name: last, surfaces: [models], path: /v1/models}
)";

// Of the tiny server, which answers 404 where the fixture dies; `mortal`: the fixture's side.
std::string ManifestOfMortals(const std::string& folder, const std::string& mortal,
                              const std::string& probes) {
  WriteText(folder + "/probes.yaml",
            "limits: {seconds: 1, settle_seconds: 1}\nlanes: [{name: only}]\nprobes:" + probes);
  const std::string other = mortal == "candidate" ? "reference" : "candidate";
  WriteText(folder + "/manifest.yaml",
            R"(parity: 1
name: mortals
)" + other + R"(:
  name: tiny
  config: {model: {path: )" +
                InSource("manifests/tiny/model") + R"(}, dtype: f32}
  server: {command: [parity_tiny_server, --plugin, "{library:parity_tiny}", --engine, paged, --port, "{port}", --config, "{config}"]}
)" + mortal + R"(:
  name: mortal
  server: {command: [)" +
                std::string(PARITY_PYTHON) + ", " + InSource("tests/server/fixture_server.py") +
                R"(, "{port}"], environment: [PATH]}
wire: {probes: probes.yaml}
)");
  return folder + "/manifest.yaml";
}

SuiteArguments MortalArguments(const ScratchFolder& scratch, const std::string& mortal,
                               const std::string& probes) {
  SuiteArguments arguments = Arguments("");
  arguments.more.pop_back();
  arguments.manifest = ManifestOfMortals(scratch.path(), mortal, probes);
  return arguments;
}

TEST(WireSuite, ACandidateThatDiesFailsThereAndIsStartedAgain) {
  const ScratchFolder scratch;
  const SuiteRun run(MortalArguments(scratch, "candidate", kDeadly));
  EXPECT_EQ(run.exit_code(), 1) << run.out() << run.err();
  EXPECT_THAT(run.At("Probe/only_other_die").verdict.findings,
              Contains(HasSubstr("death: got exit status 7")));
  EXPECT_THAT(run.At("Probe/only_other_crash").verdict.findings,
              Contains(HasSubstr("death: got signal SIGSEGV")));
  for (const char* alive : {"first", "next"}) {
    EXPECT_EQ(run.At(std::string("Probe/only_models_") + alive).outcome, Outcome::kPass);
  }
  EXPECT_THAT(run.At("Probe/only_models_last").verdict.findings,
              Contains(HasSubstr("not run: it died 3 times before")));
}

constexpr char kOneDeath[] = R"(
- {name: first, surfaces: [models], path: /v1/models}
- {name: die, surfaces: [other], path: /die, method: POST, raw: now}
- {name: last, surfaces: [models], path: /v1/models}
)";

TEST(WireSuite, AReferenceThatDiesCostsThatProbesCaseAlone) {
  const ScratchFolder scratch;
  const SuiteRun run(MortalArguments(scratch, "reference", kOneDeath));
  EXPECT_EQ(run.At("Probe/only_other_die").outcome, Outcome::kError);
  EXPECT_THAT(run.At("Probe/only_other_die").verdict.summary, HasSubstr("exit status 7"));
  EXPECT_EQ(run.At("Probe/only_models_last").outcome, Outcome::kPass) << run.out();
  for (const char* whole : {"Lane/only_ids", "Lane/only_end"}) {
    EXPECT_NE(run.At(whole).outcome, Outcome::kError);
    EXPECT_THAT(run.At(whole).verdict.findings,
                Contains("note: other/die: the reference: exit status 7"));
  }
}

TEST(WireSuite, WhereNoPlaceIsLeftTheWholeIsAnError) {
  const ScratchFolder scratch;
  SuiteArguments arguments = MortalArguments(scratch, "reference", kOneDeath);
  arguments.more.push_back("--parity_run=other/die");
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 4) << run.out();
  EXPECT_EQ(run.At("SurfaceRules/only_other_equal").outcome, Outcome::kError);
}

// One connection that is not answered is its probe's affair, one server that is frozen too: another
// answers the rest.
TEST(WireSuite, AServerThatAnswersNothingAnyMoreIsStartedAgain) {
  constexpr char kSilent[] = R"(
- {name: hang, surfaces: [other], path: /hang, method: POST, raw: now}
- {name: between, surfaces: [models], path: /v1/models}
- {name: freeze, surfaces: [other], path: /freeze, method: POST, raw: now}
- {name: last, surfaces: [models], path: /v1/models}
)";
  const ScratchFolder scratch;
  const SuiteRun candidate(MortalArguments(scratch, "candidate", kSilent));
  EXPECT_EQ(candidate.exit_code(), 1) << candidate.out();
  EXPECT_THAT(candidate.At("Probe/only_other_hang").verdict.findings,
              Contains(HasSubstr("refusal: request 0: got no answer")));
  EXPECT_THAT(candidate.At("Probe/only_other_freeze").verdict.findings,
              Contains(HasSubstr("death: got runs, but answers nothing any more")));
  const SuiteRun reference(MortalArguments(scratch, "reference", kSilent));
  EXPECT_THAT(reference.At("Probe/only_other_hang").verdict.summary,
              HasSubstr("no answer in time"));
  EXPECT_THAT(reference.At("Probe/only_other_freeze").verdict.summary,
              HasSubstr("answers nothing any more"));
  for (const SuiteRun* run : {&candidate, &reference}) {
    EXPECT_EQ(run->At("Probe/only_models_between").outcome, Outcome::kPass) << run->out();
    EXPECT_EQ(run->At("Probe/only_models_last").outcome, Outcome::kPass) << run->out();
  }
  EXPECT_EQ(reference.At("Probe/only_other_hang").outcome, Outcome::kError);
  EXPECT_EQ(reference.At("Probe/only_other_freeze").outcome, Outcome::kError);
}

TEST(WireSuite, SidesAreServersThatAreAskedSomething) {
  SuiteArguments arguments = Arguments("");
  arguments.manifest = "manifests/tiny/paged_vs_ported.yaml";
  const SuiteRun nothing(arguments);
  EXPECT_EQ(nothing.exit_code(), 2);
  EXPECT_THAT(nothing.err(), HasSubstr("wire.probes: got nothing"));
  const ScratchFolder scratch;
  const std::string text = ReadText(InSource("manifests/tiny/paged_vs_ported.yaml"));
  arguments.manifest = scratch.path() + "/manifest.yaml";
  std::string plugins =
      Replaced(text, "{path: model}", "{path: " + InSource("manifests/tiny/model") + "}");
  for (const char* file :
       {"paged.f32.json", "ported.f32.json", "model/prompts.jsonl", "tokens.json"}) {
    plugins = Replaced(plugins, file, InSource(std::string("manifests/tiny/") + file));
  }
  WriteText(arguments.manifest,
            plugins + "\nwire: {probes: " + InSource("manifests/tiny/wire_probes.yaml") + "}\n");
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 2) << run.out();
  EXPECT_THAT(run.err(), HasSubstr("reference: got an engine plugin, expected a server"));
}

TEST(WireSuite, OtherSuitesHaveNoTranscripts) {
  SuiteArguments arguments = {.manifest = "manifests/tiny/paged_vs_ported.yaml"};
  arguments.more = {"--parity_transcripts=/tmp"};
  const SuiteRun run(arguments);
  EXPECT_EQ(run.exit_code(), 2);
  EXPECT_THAT(run.err(), HasSubstr("this suite has no transcripts"));
}

}  // namespace
}  // namespace parity::testing
