// The JSON Schema that editors use says the same keys as the reader.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "gtest_parity/manifest/manifest.h"
#include "gtest_parity/manifest/manifest_keys.h"

namespace parity {
namespace {

nlohmann::json Schema() {
  std::ifstream stream(PARITY_SOURCE_DIR "/manifests/parity.schema.json");
  return nlohmann::json::parse(stream);
}

TEST(Schema, EverySectionHasTheReadersKeys) {
  const nlohmann::json schema = Schema();
  for (const ManifestSection& section : ManifestSections()) {
    SCOPED_TRACE(section.name);
    const nlohmann::json& object =
        section.name == "manifest" ? schema : schema.at("$defs").at(section.name);
    EXPECT_EQ(object.at("additionalProperties"), false);
    std::set<std::string> known, required, in_schema, required_in_schema;
    for (const ManifestKey& key : section.keys) {
      known.insert(key.name);
      if (key.required) required.insert(key.name);
    }
    for (const auto& [key, value] : object.at("properties").items()) in_schema.insert(key);
    if (object.contains("required")) required_in_schema = object.at("required");
    EXPECT_EQ(in_schema, known);
    EXPECT_EQ(required_in_schema, required);
  }
}

TEST(Schema, EveryObjectOfTheSchemaIsASectionOfTheReader) {
  const nlohmann::json schema = Schema();
  for (const auto& [name, definition] : schema.at("$defs").items()) {
    if (definition.value("type", "") != "object") continue;
    EXPECT_NO_THROW(FindManifestSection(name)) << name;
  }
  EXPECT_THROW(FindManifestSection("nothing"), std::out_of_range);
}

TEST(Schema, DefaultsAreTheReaders) {
  const nlohmann::json schema = Schema();
  const auto value = [&](const char* section, const char* key) {
    return schema.at("$defs").at(section).at("properties").at(key).at("default");
  };
  const Manifest manifest;
  EXPECT_EQ(value("judge", "kl"), manifest.judge.kl);
  EXPECT_EQ(value("judge", "repeats"), manifest.judge.repeats);
  EXPECT_EQ(value("judge", "noisy_repeats"), manifest.judge.noisy_repeats);
  EXPECT_EQ(value("judge", "spread_factor"), manifest.judge.spread_factor);
  EXPECT_EQ(value("workload", "seed"), manifest.workload.seed);
  EXPECT_EQ(value("workload", "chunk"), manifest.workload.chunk);
  EXPECT_EQ(value("workload", "decode_steps"), manifest.workload.decode_steps);
  EXPECT_EQ(value("workload", "batches"), manifest.workload.batches);
  EXPECT_EQ(value("ranks", "count"), manifest.ranks.count);
  EXPECT_EQ(value("side", "backend"), manifest.reference.backend);
  const ServerDeclaration server;
  EXPECT_EQ(value("server", "port"), server.port);
  EXPECT_EQ(value("ready", "path"), server.ready_path);
  EXPECT_EQ(value("ready", "seconds"), server.ready_seconds);
  EXPECT_EQ(value("stop", "signal"), server.stop_signal);
  EXPECT_EQ(value("stop", "seconds"), server.stop_seconds);
  EXPECT_EQ(value("counters", "path"), server.counters_path);
  EXPECT_EQ(schema.at("properties").at("deadline").at("default"), manifest.deadline_seconds);
}

}  // namespace
}  // namespace parity
