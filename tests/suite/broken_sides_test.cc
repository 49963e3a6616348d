// A side that cannot be used: every case says so, with the cause, and no case passes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "tests/suite/driver/manifest_text.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Every case but those that speak of the reference alone.
void ExpectAll(const SuiteRun& run, Outcome outcome, int exit_code,
               const std::vector<std::string>& words) {
  EXPECT_EQ(run.exit_code(), exit_code);
  std::set<std::string> outcomes, summaries;
  for (const CaseResult& result : run.cases()) {
    if (ShortName(result).starts_with("Preflight/reference")) continue;
    outcomes.insert(std::string(NameOf(result.outcome)));
    summaries.insert(result.verdict.summary);
  }
  EXPECT_THAT(outcomes, ElementsAre(NameOf(outcome))) << run.err();
  for (const std::string& word : words) EXPECT_THAT(summaries, Each(HasSubstr(word)));
}

const char kSome[] = "*Preflight*:*decode_layer0_*:*EndToEnd*:*Domain*";

SuiteRun RunOf(const SideText& reference, const SideText& candidate) {
  const ScratchFolder folder;
  return SuiteRun(
      {.manifest = folder.Write("m.yaml", ManifestText(reference, candidate)), .filter = kSome});
}

TEST(BrokenReference, MakesEveryCaseAnError) {
  const SuiteRun run({.manifest = "tests/suite/ported_vs_paged.yaml",
                      .filter = kSome,
                      .reference = R"({"name": "crash"})"});
  ExpectAll(run, Outcome::kError, 4, {"the reference broke", "signal SIGSEGV", "layer1.attention"});
  EXPECT_EQ(run.At("Preflight/reference").outcome, Outcome::kError);
}

TEST(BrokenReference, ThatDoesNotStartMakesEveryCaseAnError) {
  const SuiteRun run({.manifest = "tests/suite/ported_vs_paged.yaml",
                      .filter = kSome,
                      .reference = R"({"name": "drift", "layer": 9})"});
  ExpectAll(run, Outcome::kError, 4, {"reference", "config.mutant.layer is 9, expected 0 to 2"});
}

TEST(BrokenCandidate, ThatDoesNotStartFailsEveryCase) {
  const SuiteRun run({.manifest = "tests/suite/quick.yaml",
                      .filter = kSome,
                      .candidate = R"({"name": "drift", "layer": 9})"});
  ExpectAll(run, Outcome::kFail, 1,
            {"the candidate does not start", "config.mutant.layer is 9, expected 0 to 2"});
  EXPECT_EQ(run.At("Preflight/reference").outcome, Outcome::kPass);
}

TEST(BrokenCandidate, ThatRefusesItsConfigurationFailsEveryCase) {
  const SuiteRun run({.manifest = "tests/suite/quick.yaml",
                      .filter = kSome,
                      .candidate = R"({"name": "no_such_mutant"})"});
  ExpectAll(run, Outcome::kFail, 1, {"candidate", "unknown mutant \"no_such_mutant\""});
}

TEST(BrokenDescription, ThatIsStaleIsAnErrorWithTheDifference) {
  SideText stale = Ported();
  const ScratchFolder folder;
  std::ifstream in(stale.description);
  std::stringstream text;
  text << in.rdbuf();
  std::string json = text.str();
  const std::string from = "\"layer0.attention\"";
  ASSERT_NE(json.find(from), std::string::npos);
  for (std::size_t at = 0; (at = json.find(from)) != std::string::npos;) {
    json.replace(at, from.size(), "\"layer0.attn\"");
  }
  stale.description = folder.Write("ported.json", json);
  const SuiteRun run = RunOf(Paged(), stale);
  ExpectAll(run, Outcome::kError, 4,
            {"the candidate's checked-in description is stale",
             "/programs/decode/ops/layer0.attn: checked in",
             "/programs/decode/ops/layer0.attention: not checked in, the engine says"});
}

TEST(BrokenLibrary, ThatIsNoEngineIsAnError) {
  SideText other = Ported();
  other.library = PARITY_FIXTURE_NO_SYMBOL;
  ExpectAll(RunOf(Paged(), other), Outcome::kError, 4, {"parity_plugin", "fixture_no_symbol"});
}

TEST(BrokenLibrary, OfAnotherAbiIsAnError) {
  SideText other = Ported();
  other.library = PARITY_FIXTURE_BAD_TABLES;
  other.more = ", env: {BAD_TABLE: abi}";
  ExpectAll(RunOf(Paged(), other), Outcome::kError, 4,
            {"version 99 of engine.h", "expected version 1"});
}

TEST(BrokenLibrary, WithoutTheEngineThatTheManifestNamesIsAnError) {
  SideText other = Ported();
  other.library = "parity_tiny_fused";
  ExpectAll(RunOf(Paged(), other), Outcome::kError, 4, {"no engine 'ported'", "fused"});
}

TEST(MissingHost, IsAnError) {
  SuiteArguments arguments{.manifest = "tests/suite/quick.yaml", .filter = kSome};
  arguments.more = {"--parity_host=/nonexistent"};
  const SuiteRun run(arguments);
  ExpectAll(run, Outcome::kError, 4, {"/nonexistent"});
}

}  // namespace
}  // namespace parity::testing
