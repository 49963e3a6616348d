#include "gtest_parity/manifest/read_manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "tests/manifest/files.h"

namespace parity {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

class ReadManifestTest : public testing::Test {
 protected:
  ReadManifestTest() {
    folder_.Write("libtiny.so", "reference code");
    folder_.Write("lib/libother.so", "candidate code");
    folder_.Write("paged.json", "{}");
    folder_.Write("fused.json", "{}");
    folder_.Write("prompts.jsonl", "");
    folder_.Write("model/config.json", "{}");
    options_.search.directories = {folder_.Path("lib")};
  }

  Manifest Read(const std::string& text) {
    return ReadManifest(folder_.Write("m.yaml", text), options_);
  }
  std::string Error(const std::string& text) {
    return ErrorOf([&] { Read(text); });
  }
  // Sides that are in order, then `rest`.
  std::string With(const std::string& rest) {
    return "parity: 1\n"
           "name: tiny_pair\n"
           "reference: &side {library: tiny, engine: paged, description: paged.json}\n"
           "candidate: {library: other, engine: fused, description: fused.json}\n" +
           rest;
  }

  TempFolder folder_;
  ReadOptions options_;
};

TEST_F(ReadManifestTest, EverythingThatCanBeSaid) {
  const Manifest manifest = Read(R"(
parity: 1
name: tiny_pair
reference:
  library: tiny
  engine: paged
  description: paged.json
  backend: cuda
  config: {model: {path: model}, dtype: bf16, layers: 2, eps: 1e-5, graph: false, none: ~,
           quoted: "7", list: [1, -2, x], deep: {a: {b: 0x10}}}
  env: {NCCL_DEBUG: WARN, THREADS: 4}
  library_path: [lib, /opt/lib]
candidate: {library: ./lib/libother.so, engine: fused, description: fused.json}
ranks: {count: 2, in: processes}
spans:
  - {program: decode, reference: [0, 5], candidate: [0, 1]}
workload: {seed: 0x5eed, prompts: prompts.jsonl, chunk: 8, decode_steps: 4, batches: [1, 3]}
tokens: {least: 4, end: [1, 0], choice: best, fixture: prompts.jsonl}
judge:
  spans: end_to_end
  kl: 0.02
  repeats: 3
  noisy_repeats: 9
  spread_factor: 1.5
  margin: 0.25
  self: allowed
  causality: probed
  tolerances:
    - {program: decode, span: decode_attn, buffer: o, nrmse: 1e-3, max_ulp: 4,
       reason: another summation order, until: 2030-02-28}
deadline: 2.5
memory_budget: 512 MiB
spill: {folder: ../scratch, budget: 3 GiB}
)");
  EXPECT_EQ(manifest.name, "tiny_pair");
  EXPECT_EQ(manifest.path, folder_.Path("m.yaml"));
  EXPECT_EQ(manifest.reference.library, folder_.Path("libtiny.so"));
  EXPECT_EQ(manifest.reference.description, folder_.Path("paged.json"));
  EXPECT_EQ(manifest.reference.backend, "cuda");
  EXPECT_EQ(manifest.reference.config,
            nlohmann::json::parse(R"({"model": ")" + folder_.Path("model") +
                                  R"(", "dtype": "bf16", "layers": 2, "eps": 1e-5,
          "graph": false, "none": null, "quoted": "7", "list": [1, -2, "x"],
          "deep": {"a": {"b": 16}}})"));
  EXPECT_EQ(manifest.reference.env.at("THREADS"), "4");
  EXPECT_THAT(manifest.reference.library_path, ElementsAre(folder_.Path("lib"), "/opt/lib"));
  EXPECT_EQ(manifest.candidate.library, folder_.Path("lib/libother.so"));
  EXPECT_EQ(manifest.candidate.backend, "host");
  EXPECT_EQ(manifest.ranks.count, 2u);
  EXPECT_FALSE(manifest.ranks.in_threads);
  EXPECT_EQ(manifest.selection, SpanSelection::kExplicit);
  EXPECT_EQ(manifest.explicit_spans.at(0).reference_hi, 5u);
  EXPECT_EQ(manifest.workload.seed, 0x5eedu);
  EXPECT_EQ(manifest.workload.prompts, folder_.Path("prompts.jsonl"));
  EXPECT_THAT(manifest.workload.batches, ElementsAre(1u, 3u));
  EXPECT_EQ(manifest.tokens.least, 4u);
  EXPECT_THAT(*manifest.tokens.end, ElementsAre(1, 0));
  EXPECT_EQ(manifest.tokens.choice, "best");
  EXPECT_EQ(manifest.tokens.fixture, folder_.Path("prompts.jsonl"));
  EXPECT_EQ(manifest.judge.spans, SpanMode::kEndToEnd);
  EXPECT_DOUBLE_EQ(manifest.judge.kl, 0.02);
  EXPECT_DOUBLE_EQ(manifest.judge.margin, 0.25);
  EXPECT_TRUE(manifest.judge.self_allowed);
  EXPECT_TRUE(manifest.judge.causality_probed);
  const Tolerance& tolerance = manifest.judge.tolerances.at(0);
  EXPECT_DOUBLE_EQ(*tolerance.nrmse, 1e-3);
  EXPECT_EQ(*tolerance.max_ulp, 4u);
  EXPECT_EQ(tolerance.until, "2030-02-28");
  EXPECT_DOUBLE_EQ(manifest.deadline_seconds, 2.5);
  EXPECT_EQ(manifest.memory_budget_bytes, std::uint64_t{512} << 20);
  ASSERT_TRUE(manifest.spill.has_value());
  EXPECT_TRUE(manifest.spill->folder.starts_with("/") &&
              manifest.spill->folder.ends_with("/scratch"));
  EXPECT_EQ(manifest.spill->folder.find(".."), std::string::npos);
  EXPECT_EQ(manifest.spill->bytes, std::uint64_t{3} << 30);
}

TEST_F(ReadManifestTest, Defaults) {
  const Manifest manifest = Read(With(""));
  EXPECT_EQ(manifest.ranks.count, 1u);
  EXPECT_EQ(manifest.selection, SpanSelection::kDiff);
  EXPECT_EQ(manifest.judge.spans, SpanMode::kExact);
  EXPECT_EQ(manifest.candidate.library, folder_.Path("lib/libother.so"));
  EXPECT_FALSE(manifest.judge.self_allowed);
  EXPECT_FALSE(manifest.judge.causality_probed);
}

TEST_F(ReadManifestTest, TokensAreCheckedKeyByKey) {
  EXPECT_TRUE(Read(With("tokens: {end: []}\n")).tokens.end->empty());
  EXPECT_FALSE(Read(With("")).tokens.end.has_value());
  for (const auto& [text, words] :
       {std::pair("{end: 1}", "tokens.end: got \"1\", expected a list of ids"),
        {"{end: [-1]}", "tokens.end: got \"-1\", expected an id"},
        {"{end: [2147483648]}", "expected an id, a whole number from 0"},
        {"{least: 0}", "tokens.least"},
        {"{fixture: no.json}", "no such file"},
        {"{leest: 1}", "expected \"least\""}}) {
    EXPECT_THAT(Error(With(std::string("tokens: ") + text + "\n")), HasSubstr(words)) << text;
  }
}

TEST_F(ReadManifestTest, TheCallerOverridesRanksAndConfigurations) {
  options_.ranks = 2;
  options_.candidate_config = {{"mutant", "drift"}};
  const Manifest manifest = Read(With("ranks: {count: 1}\n"));
  EXPECT_EQ(manifest.ranks.count, 2u);
  EXPECT_EQ(manifest.candidate.config, nlohmann::json({{"mutant", "drift"}}));
  EXPECT_EQ(manifest.reference.config, nlohmann::json::object());
  options_.ranks = 0;
  EXPECT_THAT(Error(With("")), HasSubstr("expected at least 1"));
}

TEST_F(ReadManifestTest, AnchorsAndMergeKeys) {
  const Manifest manifest = Read(R"(
parity: 1
name: merged
reference: &side
  library: tiny
  engine: paged
  description: paged.json
  config: &config {dtype: f32, layers: 2}
candidate:
  <<: *side
  engine: fused
  config: {<<: [{layers: 3, extra: 1}, *config], dtype: bf16}
)");
  EXPECT_EQ(manifest.candidate.library, manifest.reference.library);
  EXPECT_EQ(manifest.candidate.engine, "fused") << "own keys win";
  EXPECT_EQ(manifest.candidate.config,
            nlohmann::json({{"dtype", "bf16"}, {"layers", 3}, {"extra", 1}}));
}

TEST_F(ReadManifestTest, AnUnknownKeyNamesTheNearest) {
  EXPECT_THAT(Error(With("worklaod: {seed: 1}\n")),
              EndsWith("m.yaml:5:1: unknown key: got \"worklaod\", expected \"workload\""));
  EXPECT_THAT(Error(With("judge: {spread_facter: 2}\n")),
              HasSubstr("m.yaml:5:9: unknown key in judge: got \"spread_facter\", expected "
                        "\"spread_factor\""));
}

TEST_F(ReadManifestTest, AllErrorsOfAFileAreReportedWithTheirLines) {
  const std::string error =
      Error(With("ranks: {count: 0, in: fibres}\n"
                 "workload: {chunk: 0, batches: [1, 0]}\n"
                 "judge:\n"
                 "  kl: 0\n"
                 "  repeats: 1\n"
                 "  spread_factor: 0.5\n"
                 "  tolerances:\n"
                 "    - {buffer: q, until: 2027-02-29}\n"
                 "deadline: soon\n"
                 "memory_budget: 4 GB\n"));
  for (const char* expected :
       {":5:16: ranks.count: got \"0\", expected a whole number of at least 1",
        ":5:23: ranks.in: got \"fibres\", expected one of threads, processes",
        ":6:19: workload.chunk", ":6:35: workload.batches: got \"0\"",
        ":8:7: judge.kl: got \"0\", expected a number above 0",
        ":9:12: judge.repeats: got \"1\", expected a whole number of at least 2",
        ":10:18: judge.spread_factor: got \"0.5\", expected a number of at least 1",
        ":12:7: missing key \"judge.tolerances[0].reason\"",
        ":12:7: judge.tolerances[0] allows nothing: expected nrmse, max_ulp or both",
        ":12:26: judge.tolerances[0].until: got \"2027-02-29\", expected a date",
        ":13:11: deadline: got \"soon\"", ":14:16: memory_budget: got \"4 GB\""}) {
    EXPECT_THAT(error, HasSubstr(expected));
  }
  EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 11);
}

TEST_F(ReadManifestTest, MissingKeysAndDuplicates) {
  const std::string error = Error("parity: 1\nname: a\nname: b\nreference: {library: tiny}\n");
  EXPECT_THAT(error, HasSubstr("m.yaml:1:1: missing key \"candidate\""));
  EXPECT_THAT(error, HasSubstr("m.yaml:3:1: duplicate key \"name\""));
  EXPECT_THAT(error, HasSubstr("m.yaml:4:12: missing key \"reference.engine\""));
  EXPECT_THAT(error, HasSubstr("m.yaml:4:12: missing key \"reference.description\""));
}

TEST_F(ReadManifestTest, NamesCannotLeaveTheOutputFolder) {
  for (const char* name : {"../up", "a/b", "Upper", "\"a b\"", "a.b"}) {
    EXPECT_THAT(Error("parity: 1\nname: " + std::string(name) + "\n"),
                HasSubstr("expected [a-z0-9_]+"));
  }
}

TEST_F(ReadManifestTest, WhatIsNoManifest) {
  EXPECT_THAT(Error(""), HasSubstr("the file: got nothing, expected a mapping"));
  EXPECT_THAT(Error("# only a comment\n"), HasSubstr("got nothing, expected a mapping"));
  EXPECT_THAT(Error("- a\n- b\n"), HasSubstr("the file: got a list, expected a mapping"));
  EXPECT_THAT(Error("hello\n"), HasSubstr("the file: got \"hello\", expected a mapping"));
  EXPECT_THAT(Error("a: 1\n---\nb: 2\n"),
              HasSubstr(":2:1: the file: got several YAML documents, expected one"));
  EXPECT_THAT(Error(With("judge: [exact]\n")), HasSubstr("judge: got a list, expected a mapping"));
  EXPECT_THAT(Error(With("parity: 2\n")), HasSubstr("duplicate key"));
  EXPECT_THAT(Error("parity: 2\n"), HasSubstr("parity (the manifest's version): got \"2\""));
}

TEST_F(ReadManifestTest, SyntaxErrorsHaveTheirPlace) {
  EXPECT_THAT(Error("parity: 1\nname: [a, b\nreference: {\n"),
              AllOf(HasSubstr("m.yaml:"), HasSubstr("not YAML")));
  EXPECT_THAT(Error("parity: 1\nname: *nowhere\n"), HasSubstr("m.yaml:2:7: not YAML"));
}

TEST_F(ReadManifestTest, FilesThatCannotBeRead) {
  EXPECT_THAT(ErrorOf([&] { ReadManifest(folder_.Path("none.yaml")); }),
              EndsWith("none.yaml: cannot be read: expected a manifest (YAML)"));
  EXPECT_THAT(ErrorOf([&] { ReadManifest(folder_.Path("model")); }), HasSubstr("cannot be read"));
}

TEST_F(ReadManifestTest, AFileWithoutPermission) {
  const std::string locked = folder_.Write("locked.yaml", With(""));
  ASSERT_EQ(chmod(locked.c_str(), 0), 0);
  if (geteuid() == 0) GTEST_SKIP() << "root may read anything";
  EXPECT_THAT(ErrorOf([&] { ReadManifest(locked); }), HasSubstr("cannot be read"));
}

TEST_F(ReadManifestTest, MissingFilesOfTheSidesAreNamed) {
  const std::string error = Error(
      "parity: 1\n"
      "name: a\n"
      "reference: {library: tinny, engine: paged, description: none.json}\n"
      "candidate: {library: lib/none.so, engine: fused, description: fused.json,\n"
      "            config: {model: {path: nowhere}, bad: .nan}}\n"
      "workload: {prompts: none.jsonl}\n");
  EXPECT_THAT(error,
              HasSubstr(":3:22: reference.library: not found: got \"tinny\", expected one "
                        "of these files: " +
                        folder_.Path("libtinny.so") + ", " + folder_.Path("lib/libtinny.so")));
  EXPECT_THAT(error, HasSubstr(":3:57: reference.description: got no such file: " +
                               folder_.Path("none.json")));
  EXPECT_THAT(error, HasSubstr(folder_.Path("lib/none.so")));
  EXPECT_THAT(error, HasSubstr(":5:36: candidate.config.model: got no such file"));
  EXPECT_THAT(error, HasSubstr(":5:51: candidate.config.bad: got \".nan\""));
  EXPECT_THAT(error, HasSubstr(":6:21: workload.prompts"));
}

TEST_F(ReadManifestTest, ExplicitSpansAreRanges) {
  EXPECT_THAT(Error(With("spans: [{program: p, reference: [3, 1], candidate: [0, 1]}]\n")),
              HasSubstr(":5:33: spans[0].reference: got a list, expected [lo, hi]"));
  EXPECT_THAT(Error(With("spans: some\n")), HasSubstr("expected diff, ops or a list"));
  EXPECT_THAT(Error(With("spans: []\n")), HasSubstr("an empty list"));
  EXPECT_EQ(Read(With("spans: ops\n")).selection, SpanSelection::kOps);
}

TEST_F(ReadManifestTest, NumbersAreNotGuessed) {
  EXPECT_THAT(Error(With("workload: {chunk: 16.0}\n")), HasSubstr("workload.chunk"));
  EXPECT_THAT(Error(With("workload: {chunk: \"16\"}\n")), HasSubstr("workload.chunk"));
  EXPECT_THAT(Error(With("workload: {seed: -1}\n")), HasSubstr("workload.seed"));
  EXPECT_THAT(Error(With("ranks: {count: 4294967296}\n")), HasSubstr("ranks.count"));
  EXPECT_EQ(Read(With("workload: {chunk: 010}\n")).workload.chunk, 10u) << "YAML 1.2 has 0o10";
}

TEST(SearchPathTest, CommandLineComesBeforeTheEnvironment) {
  setenv("PARITY_LIBRARY_PATH", "/x:/y", 1);
  EXPECT_THAT(SearchPath::FromEnvironment({"/first"}).directories,
              ElementsAre("/first", "/x", "/y"));
  unsetenv("PARITY_LIBRARY_PATH");
  EXPECT_TRUE(SearchPath::FromEnvironment().directories.empty());
}

TEST_F(ReadManifestTest, VariantsOfTheKvSuite) {
  folder_.Write("lanes.yaml", "");
  const Manifest manifest = Read(With(R"(
kv:
  lanes: lanes.yaml
  variants:
    bf16: {candidate: {config: {dtype: bf16, model: {path: model}}, description: fused.json}}
    other: {reference: {other_weights: /model}}
)"));
  ASSERT_EQ(manifest.kv.variants.size(), 2u);
  const SideVariant& bf16 = manifest.kv.variants.at("bf16").candidate;
  EXPECT_EQ(bf16.config.at("dtype"), "bf16");
  EXPECT_EQ(bf16.config.at("model"), folder_.Path("model"));
  EXPECT_EQ(bf16.description, folder_.Path("fused.json"));
  EXPECT_EQ(manifest.kv.variants.at("bf16").reference.description, "");
  EXPECT_EQ(manifest.kv.variants.at("other").reference.other_weights, "/model");
}

TEST_F(ReadManifestTest, HowTheKvSuiteAsks) {
  folder_.Write("lanes.yaml", "");
  EXPECT_EQ(Read(With("kv: {lanes: lanes.yaml}")).kv.by, KvBy::kServe);
  const KvOptions kv =
      Read(With("kv: {lanes: lanes.yaml, by: states, without: [{cases: \"Policy/*\", "
                "reason: no store}]}"))
          .kv;
  EXPECT_EQ(kv.by, KvBy::kStates);
  ASSERT_EQ(kv.without.size(), 1u);
  EXPECT_EQ(kv.without[0].cases, "Policy/*");
  EXPECT_EQ(kv.without[0].reason, "no store");
  const auto error = [&](const std::string& more) {
    return Error(With("kv: {lanes: lanes.yaml, " + more + "}"));
  };
  EXPECT_THAT(error("by: http"), HasSubstr("kv.by: got \"http\", expected one of serve, states"));
  EXPECT_THAT(error("without: all"), HasSubstr("kv.without: got \"all\", expected a list"));
  EXPECT_THAT(error("without: [{cases: x}]"), HasSubstr("reason"));
}

TEST_F(ReadManifestTest, VariantsThatAreNone) {
  folder_.Write("lanes.yaml", "");
  const auto error = [&](const std::string& variant) {
    return Error(With("kv: {lanes: lanes.yaml, variants: {v: " + variant + "}}"));
  };
  EXPECT_THAT(error("{oracle: {}}"), HasSubstr("unknown key in kv.variants.v: got \"oracle\""));
  EXPECT_THAT(error("{reference: {config: x}}"),
              HasSubstr("kv.variants.v.reference.config: got \"x\", expected a mapping"));
  EXPECT_THAT(error("{reference: {description: none.json}}"), HasSubstr("no such file"));
  EXPECT_THAT(error("{candidate: {other_weights: model}}"),
              HasSubstr("kv.variants.v.candidate.other_weights: got \"model\", expected a JSON "
                        "pointer, such as \"/model\""));
}

}  // namespace
}  // namespace parity
