// The JSON Schema and the page docs/manifest.md, held against manifests by a validator.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "gtest_parity/manifest/manifest_keys.h"
#include "gtest_parity/manifest/yaml_json.h"
#include "tests/manifest/files.h"

namespace parity {
namespace {

using nlohmann::json;

const json& SchemaText() {
  static const json text = [] {
    std::ifstream stream(PARITY_SOURCE_DIR "/manifests/parity.schema.json");
    return json::parse(stream);
  }();
  return text;
}

using Documents = std::map<std::string, json>;

// What a JSON Schema validator has against each document: nothing, or its words.
std::map<std::string, std::string> Validate(const Documents& documents) {
  const TempFolder folder;
  const std::string out = folder.Path("out");
  const std::string command = std::string(PARITY_PYTHON " " PARITY_SOURCE_DIR) +
                              "/tests/manifest/validate.py " PARITY_SOURCE_DIR
                              "/manifests/parity.schema.json " +
                              folder.Write("documents.json", json(documents).dump()) + " >" + out;
  if (std::system(command.c_str()) != 0) throw std::runtime_error("cannot run " + command);
  std::ifstream stream(out);
  std::map<std::string, std::string> words;
  const json told = json::parse(stream);
  for (const auto& [name, errors] : told.items()) {
    words[name] = errors.empty() ? "" : errors.dump();
  }
  if (words.size() != documents.size()) throw std::runtime_error("a document was left out");
  return words;
}

// A YAML text as an editor sees it: `{path: P}` is what it says.
json Document(const YAML::Node& node) {
  YamlFile file{"document", {}};
  if (!node.IsDefined() || (!node.IsMap() && !node.IsSequence())) {
    return ToJson(node, "", ".", &file);
  }
  if (node.IsSequence()) {
    json list = json::array();
    for (const YAML::Node& one : node) list.push_back(Document(one));
    return list;
  }
  json object = json::object();
  for (const auto& [key, value] : MergedPairs(node, "", &file)) {
    object[key.Scalar()] = Document(value);
  }
  return object;
}

TEST(SchemaValidation, TakesEveryShippedManifest) {
  Documents manifests;
  for (const char* folder : {"manifests", "docs/example", "tests/suite", "tests/selfproof"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             std::string(PARITY_SOURCE_DIR "/") + folder)) {
      if (entry.path().extension() != ".yaml") continue;
      const YAML::Node node = YAML::LoadFile(entry.path());
      if (node.IsMap() && node["parity"]) manifests[entry.path()] = Document(node);
    }
  }
  EXPECT_GE(manifests.size(), 12u);
  for (const auto& [name, words] : Validate(manifests)) EXPECT_EQ(words, "") << name;
}

constexpr char kGood[] = R"(
parity: 1
name: good
reference: {library: a, engine: a, description: a.json, env: {N: 1}, library_path: [lib]}
candidate: {library: b, engine: b, description: b.json, backend: cuda, config: {x: [1]}}
ranks: {count: 2, in: threads}
spans: [{program: decode, reference: [0, 2], candidate: [0, 1]}]
workload: {seed: 0x5eed, prompts: p.jsonl, chunk: 8, decode_steps: 0, batches: [1]}
kv: {lanes: l.yaml, variants: {bf16: {candidate: {config: {a: 1}, description: c.json, other_weights: /m}}}}
judge: {spans: exact, kl: 0.1, repeats: 2, noisy_repeats: 1, spread_factor: 1, self: allowed, causality: probed,
        tolerances: [{nrmse: 0, max_ulp: 0, reason: r, until: 2030-01-31}]}
deadline: 0.5
memory_budget: 1 GiB
spill: {folder: scratch, budget: 2 TiB}
)";

// A side that is a server, with all that can be said of one.
json Server() {
  return Document(YAML::Load(R"(
name: s
config: {x: 1}
server: {command: [s, -p, "{port}"], environment: [PATH], working_directory: ., port: 8080,
         ready: {path: /health, seconds: 1}, stop: {signal: SIGINT, seconds: 0.5},
         counters: {path: /stats}, log: s.log}
)"));
}

struct Broken {
  const char* name;
  const char* pointer;  // of what is replaced; what is not there is added
  const char* value;    // JSON; "" takes it away
};

constexpr Broken kBroken[] = {
    Broken{"OtherVersion", "/parity", "2"},
    Broken{"NoVersion", "/parity", ""},
    Broken{"NoName", "/name", ""},
    Broken{"NameWithCapitals", "/name", "\"Good\""},
    Broken{"NoReference", "/reference", ""},
    Broken{"NoCandidate", "/candidate", ""},
    Broken{"SideIsText", "/candidate", "\"fused\""},
    Broken{"NoLibrary", "/reference/library", ""},
    Broken{"EmptyEngine", "/reference/engine", "\"\""},
    Broken{"NoDescription", "/candidate/description", ""},
    Broken{"OtherBackend", "/candidate/backend", "\"tpu\""},
    Broken{"ConfigIsText", "/candidate/config", "\"{}\""},
    Broken{"EnvironmentOfLists", "/reference/env/N", "[1]"},
    Broken{"LibraryPathIsText", "/reference/library_path", "\"lib\""},
    Broken{"NoRanks", "/ranks/count", "0"},
    Broken{"RanksElsewhere", "/ranks/in", "\"fibers\""},
    Broken{"OtherSpans", "/spans", "\"all\""},
    Broken{"NoSpans", "/spans", "[]"},
    Broken{"RangeOfThree", "/spans/0/reference", "[0, 1, 2]"},
    Broken{"RangeBelowZero", "/spans/0/candidate", "[-1, 2]"},
    Broken{"SpanWithoutProgram", "/spans/0/program", ""},
    Broken{"NoBatches", "/workload/batches", "[]"},
    Broken{"BatchOfNone", "/workload/batches", "[0]"},
    Broken{"SeedBelowZero", "/workload/seed", "-1"},
    Broken{"NoChunk", "/workload/chunk", "0"},
    Broken{"StepsAsText", "/workload/decode_steps", "\"four\""},
    Broken{"KvWithoutLanes", "/kv/lanes", ""},
    Broken{"VariantOfAThirdSide", "/kv/variants/bf16/oracle", "{}"},
    Broken{"VariantConfigIsText", "/kv/variants/bf16/candidate/config", "\"x\""},
    Broken{"EmptyVariantDescription", "/kv/variants/bf16/candidate/description", "\"\""},
    Broken{"OtherWeightsOfNothing", "/kv/variants/bf16/candidate/other_weights", "\"\""},
    Broken{"OtherJudge", "/judge/spans", "\"lenient\""},
    Broken{"NoKl", "/judge/kl", "0"},
    Broken{"OneRepeat", "/judge/repeats", "1"},
    Broken{"NoNoisyRepeats", "/judge/noisy_repeats", "0"},
    Broken{"SpreadBelowOne", "/judge/spread_factor", "0.5"},
    Broken{"SelfIsTrue", "/judge/self", "true"},
    Broken{"NoReason", "/judge/tolerances/0/reason", ""},
    Broken{"NoEnd", "/judge/tolerances/0/until", ""},
    Broken{"EndIsNoDate", "/judge/tolerances/0/until", "\"summer\""},
    Broken{"HalfAnUlp", "/judge/tolerances/0/max_ulp", "0.5"},
    Broken{"NoDeadline", "/deadline", "0"},
    Broken{"BudgetInGB", "/memory_budget", "\"4 GB\""},
    Broken{"SpillWithoutBudget", "/spill/budget", ""},
    Broken{"SpillWithoutFolder", "/spill/folder", ""},
    Broken{"UnknownKeyOfSpill", "/spill/size", "1"},
    Broken{"UnknownKey", "/wrkload", "{}"},
    Broken{"UnknownKeyOfASide", "/reference/engin", "1"},
    Broken{"UnknownKeyOfRanks", "/ranks/cuont", "1"},
    Broken{"UnknownKeyOfASpan", "/spans/0/label", "\"x\""},
    Broken{"UnknownKeyOfTheWorkload", "/workload/batch", "[1]"},
    Broken{"UnknownKeyOfTheJudge", "/judge/KL", "1"},
    Broken{"UnknownKeyOfATolerance", "/judge/tolerances/0/untill", "\"2030-01-01\""}};

// Of a manifest whose reference is a server.
constexpr Broken kBrokenServers[] = {
    Broken{"BesideALibrary", "/reference/library", "\"a\""},
    Broken{"BesideAnEngine", "/reference/engine", "\"a\""},
    Broken{"BesideADescription", "/reference/description", "\"a\""},
    Broken{"BesideABackend", "/reference/backend", "\"cuda\""},
    Broken{"BesideAnEnv", "/reference/env", "{}"},
    Broken{"BesideAMemoryLimit", "/reference/memory_limit", "1"},
    Broken{"PluginWithAName", "/candidate/name", "\"x\""},
    Broken{"ServerIsText", "/reference/server", "\"bin/server\""},
    Broken{"NoCommand", "/reference/server/command", ""},
    Broken{"EmptyCommand", "/reference/server/command", "[]"},
    Broken{"CommandIsText", "/reference/server/command", "\"bin/server -p 1\""},
    Broken{"CommandOfLists", "/reference/server/command", "[[\"a\"]]"},
    Broken{"EnvironmentIsText", "/reference/server/environment", "\"PATH\""},
    Broken{"EnvironmentOfAssignments", "/reference/server/environment", "[\"A=1\"]"},
    Broken{"EnvironmentOfLists", "/reference/server/environment", "{\"A\": [1]}"},
    Broken{"PortTooHigh", "/reference/server/port", "65536"},
    Broken{"ReadyAtOnce", "/reference/server/ready/seconds", "0"},
    Broken{"ReadySomewhere", "/reference/server/ready/path", "\"health\""},
    Broken{"UnknownKeyOfReady", "/reference/server/ready/url", "\"/\""},
    Broken{"StopByKill", "/reference/server/stop/signal", "\"SIGKILL\""},
    Broken{"StopAtOnce", "/reference/server/stop/seconds", "0"},
    Broken{"UnknownKeyOfStop", "/reference/server/stop/after", "1"},
    Broken{"CountersNowhere", "/reference/server/counters/path", "\"\""},
    Broken{"UnknownKeyOfCounters", "/reference/server/counters/url", "\"/\""},
    Broken{"UnknownKeyOfAServer", "/reference/server/comand", "[\"a\"]"}};

json BrokenDocument(const Broken& broken, json document) {
  const json::json_pointer pointer(broken.pointer);
  if (*broken.value == '\0') {
    document.at(pointer.parent_pointer()).erase(pointer.back());
  } else {
    document[pointer] = json::parse(broken.value);
  }
  return document;
}

TEST(SchemaValidation, RefusesEveryBrokenManifest) {
  Documents documents = {{"good", Document(YAML::Load(kGood))}};
  json& tolerances = (documents["one limit"] = documents["good"])["judge"]["tolerances"];
  tolerances[0].erase("nrmse");
  documents["no limit"] = documents["one limit"];
  documents["no limit"]["judge"]["tolerances"][0].erase("max_ulp");
  for (const Broken& broken : kBroken) {
    documents[broken.name] = BrokenDocument(broken, documents["good"]);
  }
  (documents["good server"] = documents["good"])["reference"] = Server();
  for (const Broken& broken : kBrokenServers) {
    documents[std::string("Server") + broken.name] =
        BrokenDocument(broken, documents["good server"]);
  }
  std::set<std::string> taken;
  for (const auto& [name, words] : Validate(documents)) {
    if (words.empty()) taken.insert(name);
  }
  EXPECT_THAT(taken, testing::UnorderedElementsAre("good", "good server", "one limit"));
}

// A row of a table in docs/manifest.md.
struct Row {
  std::string key, fallback, example;
};

std::string WithoutTicks(std::string cell) {
  const auto from = cell.find_first_not_of(" `"), to = cell.find_last_not_of(" `");
  return from == std::string::npos ? "" : cell.substr(from, to - from + 1);
}

// The rows of a section of the page.
std::vector<Row> RowsOf(const std::string& wanted) {
  std::ifstream page(PARITY_SOURCE_DIR "/docs/manifest.md");
  std::vector<Row> rows;
  std::string section;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) section = WithoutTicks(line.substr(3));
    if (section != wanted || !line.starts_with("| `")) continue;
    std::vector<std::string> cells;
    std::istringstream parts(line);
    for (std::string cell; std::getline(parts, cell, '|');) cells.push_back(cell);
    EXPECT_EQ(cells.size(), 5u) << line;
    if (cells.size() != 5) continue;
    rows.push_back({WithoutTicks(cells[1]), WithoutTicks(cells[2]), WithoutTicks(cells[4])});
  }
  return rows;
}

class PageTest : public testing::TestWithParam<std::string> {
 protected:
  const ManifestSection& section() const { return FindManifestSection(GetParam()); }
};

TEST_P(PageTest, ListsEveryKeyOnceAndNoOther) {
  std::vector<std::string> listed, known;
  for (const Row& row : RowsOf(GetParam())) listed.push_back(row.key);
  for (const ManifestKey& key : section().keys) known.push_back(key.name);
  EXPECT_THAT(listed, testing::UnorderedElementsAreArray(known));
}

TEST_P(PageTest, GivesTheDefaultsOfTheSchema) {
  const json& schema = SchemaText();
  const std::string& name = GetParam();
  const json& object = name == "manifest" ? schema : schema.at("$defs").at(name);
  for (const Row& row : RowsOf(name)) {
    SCOPED_TRACE(row.key);
    const json& declared = object.at("properties").at(row.key);
    for (const ManifestKey& key : section().keys) {
      if (key.name != row.key) continue;
      EXPECT_EQ(row.fallback == "required", key.required);
    }
    if (!declared.contains("default")) continue;
    const json& fallback = declared.at("default");
    EXPECT_EQ(row.fallback, fallback.is_string() ? fallback.get<std::string>() : fallback.dump());
  }
}

INSTANTIATE_TEST_SUITE_P(sections, PageTest, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const auto& section : ManifestSections()) {
                             names.push_back(section.name);
                           }
                           return names;
                         }()),
                         [](const auto& info) { return info.param; });

// All examples of a section together are one, in a manifest that is in order.
TEST(SchemaValidation, TakesTheExamplesOfThePage) {
  const std::map<std::string, const char*> places = {
      {"manifest", ""},
      {"side", "/reference"},
      {"server", "/reference/server"},
      {"ready", "/reference/server/ready"},
      {"stop", "/reference/server/stop"},
      {"counters", "/reference/server/counters"},
      {"ranks", "/ranks"},
      {"spill", "/spill"},
      {"tokens", "/tokens"},
      {"span", "/spans/0"},
      {"kv", "/kv"},
      {"wire", "/wire"},
      {"workload", "/workload"},
      {"left_out", "/kv/without/0"},
      {"variant", "/kv/variants/bf16"},
      {"variant_side", "/kv/variants/bf16/candidate"},
      {"judge", "/judge"},
      {"tolerance", "/judge/tolerances/0"}};
  Documents documents;
  for (const ManifestSection& section : ManifestSections()) {
    json examples;
    for (const Row& row : RowsOf(section.name)) {
      const json example = Document(YAML::Load(row.example));
      ASSERT_TRUE(example.is_object() && example.size() == 1 && example.contains(row.key))
          << row.key << ": " << row.example;
      examples.update(example);
    }
    json& document = documents[section.name] = Document(YAML::Load(kGood));
    const std::string place = places.at(section.name);
    if (place.starts_with("/reference/server")) document["reference"] = Server();
    // A side is one or the other.
    if (section.name == "side") {
      json& server = (documents["side that is a server"] = document)["reference"];
      server = {{"config", examples["config"]}};
      for (const char* key : {"name", "server"}) {
        server[key] = examples[key];
        examples.erase(key);
      }
    }
    document[json::json_pointer(place)] = examples;
  }
  for (const auto& [name, words] : Validate(documents)) EXPECT_EQ(words, "") << name;
}

}  // namespace
}  // namespace parity
