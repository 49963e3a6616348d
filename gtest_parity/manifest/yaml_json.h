// An engine's configuration: YAML in the manifest, JSON to the engine.
#ifndef GTEST_PARITY_MANIFEST_YAML_JSON_H_
#define GTEST_PARITY_MANIFEST_YAML_JSON_H_

#include <nlohmann/json.hpp>
#include <string>

#include "gtest_parity/manifest/yaml_section.h"

namespace parity {

// Any YAML value by the 1.2 core schema, merge keys included. A mapping with the one key `path`
// becomes the absolute path of that file or folder, taken from `folder`; one that does not exist is
// an error, as are not-a-number and infinity, which JSON cannot say.
nlohmann::json ToJson(const YAML::Node& node, const std::string& path, const std::string& folder,
                      YamlFile* file);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_YAML_JSON_H_
