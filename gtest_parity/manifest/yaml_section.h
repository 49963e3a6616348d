// One mapping of a YAML file, read key by key; whatever is wrong is collected with its position.
#ifndef GTEST_PARITY_MANIFEST_YAML_SECTION_H_
#define GTEST_PARITY_MANIFEST_YAML_SECTION_H_

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/manifest/diagnostics.h"
#include "gtest_parity/manifest/manifest_keys.h"

namespace parity {

// A file being read and what is wrong with it.
struct YamlFile {
  std::string name;
  Diagnostics errors;
  void Add(const YAML::Node& node, std::string what, std::string got, std::string expected);
  void AddAt(Position at, std::string what, std::string got, std::string expected);
};

Position PositionOf(const YAML::Node& node);

// "a mapping", "a list", "nothing", or the scalar in quotes.
std::string KindOf(const YAML::Node& node);

// Scalars by the YAML 1.2 core schema: 0x and 0o prefixes, no sexagesimals, quoted is a string.
std::optional<std::uint64_t> ParseUnsigned(const YAML::Node& node);
std::optional<double> ParseNumber(const YAML::Node& node);  // finite

// The mapping `node` with `<<` (a mapping, or a list of them) merged in: own keys win, then the
// earlier of the merged ones. Duplicates are errors. Not a mapping is an error and gives nothing.
std::vector<std::pair<YAML::Node, YAML::Node>> MergedPairs(const YAML::Node& node,
                                                           const std::string& path, YamlFile* file);

class YamlSection {
 public:
  // `path` is how messages name it ("judge", "" for the file). Unknown, duplicate and missing keys
  // are reported here.
  YamlSection(const YAML::Node& node, std::string path, const ManifestSection& section,
              YamlFile* file);

  // The value of a key; undefined and null values count as absent.
  std::optional<YAML::Node> Find(const std::string& key) const;
  std::string PathOf(const std::string& key) const;
  Position at() const { return at_; }

  // Each leaves `out` alone when the key is absent or its value is not what it should be.
  void Read(const std::string& key, std::string* out) const;
  void Read(const std::string& key, std::uint64_t least, std::uint64_t* out) const;
  void Read(const std::string& key, std::uint32_t least, std::uint32_t* out) const;
  void Read(const std::string& key, double least, bool above, double* out) const;
  // The index of the value in `choices`.
  void ReadChoice(const std::string& key, const std::vector<std::string>& choices,
                  std::size_t* out) const;

 private:
  void CheckKeys(const ManifestSection& section, bool is_map);

  std::string path_;
  YamlFile* file_;
  Position at_;
  std::map<std::string, YAML::Node> values_;
  std::map<std::string, Position> key_at_;
};

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_YAML_SECTION_H_
