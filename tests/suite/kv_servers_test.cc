// The KV matrix over servers: as they tell everything, and as they tell little.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "gtest_parity/report/files.h"
#include "tests/suite/driver/suite_run.h"

namespace parity::testing {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Property;

constexpr char kManifest[] = "manifests/tiny/kv_servers.yaml";

SuiteArguments Arguments(const std::string& manifest, const std::string& filter) {
  SuiteArguments arguments = {.manifest = manifest, .filter = filter};
  arguments.suite = PARITY_KV;
  arguments.more = {"--parity_library_path=" +
                    std::filesystem::path(PARITY_TINY_SERVER).parent_path().string()};
  return arguments;
}

std::string Config() {
  return "config: {model: {path: " + InSource("manifests/tiny/model") + "}, dtype: f32}";
}

// A side that is a tiny server behind one that tells little.
std::string Plain(const std::string& engine, const std::string& moods,
                  const std::string& more = "") {
  const std::string library = engine == "paged" ? "parity_tiny" : "parity_tiny_ported";
  return "{name: " + engine + ", " + Config() + ", server: {command: [" PARITY_PYTHON ", " +
         InSource("tests/suite/plain_server.py") + ", \"{port}\", \"" + moods +
         "\", " PARITY_TINY_SERVER ", --plugin, \"{library:" + library + "}\", --engine, " +
         engine + ", --config, \"{config}\"]" + more + "}}";
}

std::string Told(const std::string& engine) {
  const std::string library = engine == "paged" ? "parity_tiny" : "parity_tiny_ported";
  return "{name: " + engine + ", " + Config() +
         ", server: {command: [" PARITY_TINY_SERVER ", --plugin, \"{library:" + library +
         "}\", --engine, " + engine + ", --port, \"{port}\", --config, \"{config}\"]}}";
}

std::string PagedPlugin() {
  return "{library: parity_tiny, engine: paged, description: " +
         InSource("manifests/tiny/paged.f32.json") + ", " + Config() + "}";
}

// What the lanes start sides as; those that are asked for here need none.
constexpr char kVariants[] =
    "{bf16: {reference: {config: {dtype: bf16}}, candidate: {config: {dtype: bf16}}}, "
    "other_model: {reference: {other_weights: /model}, candidate: {other_weights: /model}}}";

// A lane through a manifest of these two sides.
class Between {
 public:
  Between(const std::string& reference, const std::string& candidate,
          const std::string& lane = "shutdown")
      : run_(Arguments(folder_.Write("m.yaml", "parity: 1\nname: written\nreference: " + reference +
                                                   "\ncandidate: " + candidate + "\nkv: {lanes: " +
                                                   InSource("manifests/tiny/kv_lanes.yaml") +
                                                   ", variants: " + kVariants + "}\n"),
                       "*Preflight*:*Cell*/" + lane + "_*")) {}

  const SuiteRun& run() const { return run_; }
  const CaseResult& At(const std::string& name) const { return run_.At("Cell/" + name); }

 private:
  ScratchFolder folder_;
  SuiteRun run_;
};

TEST(KvServers, TakeUpWhatTheOtherStoredWhenItWasStopped) {
  const SuiteRun run(Arguments(kManifest, "*Preflight*:*Cell*/shutdown_*:*Cell*/tool_map_*"));
  EXPECT_EQ(run.exit_code(), 0) << run.out() << run.err();
  EXPECT_EQ(run.cases().size(), 43u);
  const CaseResult& crossed = run.At("Cell/shutdown_candidate_to_reference_continuation");
  EXPECT_EQ(PropertyOf(crossed, "kl"), "0") << "by logits";
  EXPECT_THAT(PropertyOf(run.At("Preflight/candidate"), "provenance"),
              HasSubstr("candidate: ported, "));
}

TEST(KvServers, APluginAndAServerTakeUpEachOthers) {
  const Between sides(PagedPlugin(), Told("ported"));
  EXPECT_EQ(sides.run().exit_code(), 0) << sides.run().out() << sides.run().err();
  EXPECT_EQ(sides.run().cases().size(), 23u);
}

// Counters prove that the prefill was skipped, and words are what is left to compare.
TEST(KvServers, OfOnesThatTellLittleTheCountersAreTheProof) {
  const Between sides(Plain("paged", "plain"), Plain("ported", "plain"));
  EXPECT_EQ(sides.run().exit_code(), 0) << sides.run().out() << sides.run().err();
  const CaseResult& reuse = sides.At("shutdown_reference_to_candidate_reuse");
  EXPECT_EQ(PropertyOf(reuse, "skipped_by"), "counters");
  EXPECT_EQ(PropertyOf(sides.At("shutdown_reference_to_candidate_continuation"), "compared"),
            "text, as a side shows no logits");
}

TEST(KvServers, WithoutCountersReuseIsNotProven) {
  const Between sides(Plain("paged", "uncounted"), Plain("ported", "uncounted"));
  for (const char* cell :
       {"shutdown_reference_to_reference_", "shutdown_reference_to_candidate_",
        "shutdown_candidate_to_reference_", "shutdown_candidate_to_candidate_"}) {
    const CaseResult& reuse = sides.At(std::string(cell) + "reuse");
    EXPECT_EQ(reuse.outcome, Outcome::kBlocked) << cell;
    EXPECT_THAT(reuse.verdict.summary, HasSubstr("that the prefill was skipped is not shown"));
    EXPECT_EQ(PropertyOf(reuse, "needs"), "telling server");
    EXPECT_EQ(sides.At(std::string(cell) + "continuation").outcome, Outcome::kPass);
    const CaseResult& files = sides.At(std::string(cell) + "files");
    EXPECT_EQ(files.outcome, Outcome::kPass) << files.verdict.summary;
    EXPECT_EQ(PropertyOf(files, "hits"), "not told by the server");
  }
}

// It claims more than its engine did.
TEST(KvServers, WhatAnAnswerClaimsIsHeldAgainstTheCounters) {
  const Between sides(Plain("paged", "plain"), Plain("ported", "boastful"));
  EXPECT_EQ(sides.run().exit_code(), 1) << sides.run().out();
  const CaseResult& reuse = sides.At("shutdown_reference_to_candidate_reuse");
  EXPECT_EQ(reuse.outcome, Outcome::kFail);
  EXPECT_THAT(reuse.verdict.findings,
              ::testing::Contains(HasSubstr("counter prefill_cached moved by: got ")));
}

TEST(KvServers, OneServerByTwoNamesIsOneThing) {
  std::string other = Told("paged");
  other.replace(other.find("name: paged"), 11, "name: other");
  const Between sides(Told("paged"), other);
  EXPECT_EQ(sides.run().At("Preflight/sides").outcome, Outcome::kSelf);
  EXPECT_EQ(sides.At("shutdown_reference_to_candidate_reuse").outcome, Outcome::kSelf);
}

TEST(KvServers, AStopThatIsIgnoredFails) {
  const Between sides(Told("paged"), Plain("ported", "deaf", ", stop: {seconds: 0.5}"));
  const CaseResult& saved = sides.At("shutdown_candidate_to_candidate_record");
  EXPECT_EQ(saved.outcome, Outcome::kFail);
  EXPECT_THAT(saved.verdict.summary,
              HasSubstr("the candidate hung: it did not end in 0.5 s and was killed, when it was "
                        "stopped by SIGTERM"));
  EXPECT_EQ(sides.At("shutdown_reference_to_candidate_reuse").outcome, Outcome::kPass);
}

TEST(KvServers, AStopThatEndsBadlyFails) {
  const Between sides(Told("paged"), Plain("ported", "clumsy"));
  EXPECT_THAT(sides.At("shutdown_candidate_to_candidate_record").verdict.summary,
              HasSubstr("the candidate left: exit status 3, expected 0, when it was stopped"));
}

TEST(KvServers, WhatAServerCannotBeAskedIsBlocked) {
  const Between ranks(Told("paged"), Told("ported"), "other_rank_count");
  const CaseResult& cell = ranks.At("other_rank_count_reference_to_candidate_reuse");
  EXPECT_EQ(cell.outcome, Outcome::kBlocked);
  EXPECT_THAT(cell.verdict.summary, HasSubstr("has no {ranks}: it cannot be started with 2"));
  // The shipped manifest leaves these out.
  const ScratchFolder folder;
  const std::string manifest =
      folder.Write("m.yaml", "parity: 1\nname: written\nreference: " + Told("paged") +
                                 "\ncandidate: " + Told("ported") +
                                 "\nkv: {lanes: " + InSource("manifests/tiny/kv_lanes.yaml") +
                                 ", variants: " + kVariants + "}\n");
  const SuiteRun policy(Arguments(manifest, "*Policy*/evict"));
  EXPECT_EQ(policy.At("Policy/evict").outcome, Outcome::kBlocked);
  EXPECT_THAT(policy.At("Policy/evict").verdict.summary, HasSubstr("the reference is a server"));
}

TEST(KvServers, AServerThatDoesNotServeIsMissed) {
  const std::string no_server = "{server: {command: [" PARITY_PYTHON
                                ", -m, http.server, --bind, 127.0.0.1, --directory, "
                                "\"{kv_folder}\", \"{port}\"], ready: {path: /}}}";
  // Lanes of the tiny engines configure their sides, which this one takes no notice of.
  const ScratchFolder folder;
  const std::string lanes =
      folder.Write("lanes.yaml",
                   "format: kvc\nlanes:\n- {name: one, save: {requests: [{prompt: a}]}, "
                   "load: {requests: [{prompt: a b}]}}\n");
  const std::string manifest =
      folder.Write("m.yaml", "parity: 1\nname: written\nreference: " + Told("paged") +
                                 "\ncandidate: " + no_server + "\nkv: {lanes: " + lanes + "}\n");
  const SuiteRun run(Arguments(manifest, "*Cell*"));
  EXPECT_EQ(run.exit_code(), 1) << run.out();
  const CaseResult& cell = run.At("Cell/one_candidate_to_candidate_record");
  EXPECT_EQ(cell.outcome, Outcome::kFail);
  EXPECT_THAT(cell.verdict.summary,
              HasSubstr("the server does not offer POST /v1/completions: status 501"));
}

TEST(KvServers, AServerThatIsToldOfNoStoreIsRefused) {
  const std::string deaf = "{server: {command: [" PARITY_PYTHON ", \"{port}\"]}}";
  const Between sides(Told("paged"), deaf);
  EXPECT_EQ(sides.run().exit_code(), 2) << sides.run().out();
  EXPECT_THAT(sides.run().err(),
              HasSubstr("candidate.server.command: got neither {kv_folder} nor {config} nor "
                        "{config_file}, expected one of them"));
}

TEST(KvServers, SuitesThatLookInsideAnEngineRefuseOne) {
  for (const char* suite : {PARITY_SPANS, PARITY_TOKENS}) {
    SuiteArguments arguments = Arguments(kManifest, "*");
    arguments.suite = suite;
    const SuiteRun run(arguments);
    EXPECT_EQ(run.exit_code(), 2) << run.out();
    EXPECT_THAT(run.err(), HasSubstr("reference.server: got a server, expected an engine plugin"));
  }
}

TEST(KvServers, ParityCheckSaysWhatTheSidesAre) {
  const Finished run =
      RunProgram({PARITY_COMMAND, "check", InSource(kManifest), "--library_path", PARITY_LIBRARIES,
                  std::filesystem::path(PARITY_TINY_SERVER).parent_path().string()},
                 {});
  EXPECT_EQ(run.exit_code, 0) << run.Text();
  EXPECT_EQ(run.out,
            "kv_servers: the server ported against the server paged; there are no spans of a "
            "server\n");
}

}  // namespace
}  // namespace parity::testing
