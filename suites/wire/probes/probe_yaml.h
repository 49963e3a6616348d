// What the readers of the probes' file share.
#ifndef GTEST_PARITY_SUITES_WIRE_PROBES_PROBE_YAML_H_
#define GTEST_PARITY_SUITES_WIRE_PROBES_PROBE_YAML_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gtest_parity/manifest/yaml_section.h"

namespace parity::wire {

struct ProbeYaml {
  std::string folder;  // that `path` in a server's configuration is taken from
  YamlFile file;

  // Calls read(node, path) for each of a list that has at least one.
  template <typename Reader>
  void Each(const YAML::Node& node, const std::string& path, Reader read) {
    if (!node.IsSequence() || node.size() == 0) {
      file.Add(node, path, node.IsSequence() ? "an empty list" : KindOf(node), "a list");
      return;
    }
    std::size_t i = 0;
    for (const YAML::Node& one : node) read(one, path + "[" + std::to_string(i++) + "]");
  }

  // Any value; null where the key is absent.
  nlohmann::json Json(const YamlSection& section, const std::string& key);
  // A mapping; leaves `out` alone where the key is absent.
  void Map(const YamlSection& section, const std::string& key, nlohmann::json* out);
  void Flag(const YamlSection& section, const std::string& key, bool* out);
  std::vector<std::string> Texts(const YamlSection& section, const std::string& key);
  // A text, or a list of texts, {repeat, times} and {base64}, joined.
  std::string Pieces(const nlohmann::json& value, const YamlSection& section,
                     const std::string& key);
};

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_PROBES_PROBE_YAML_H_
