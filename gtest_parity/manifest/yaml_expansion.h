// How much a YAML file is once every alias stands for what it names.
#ifndef GTEST_PARITY_MANIFEST_YAML_EXPANSION_H_
#define GTEST_PARITY_MANIFEST_YAML_EXPANSION_H_

#include <yaml-cpp/yaml.h>

#include <cstddef>
#include <string>

namespace parity {

inline constexpr std::size_t kMostYamlValues = 100000;
inline constexpr std::size_t kDeepestYaml = 64;

// Throws InvalidInput where `root`, read from the file `name`, comes to more than kMostYamlValues
// values or is nested deeper than kDeepestYaml levels. A few lines of aliases of aliases can come
// to any number, and an alias inside what it names never ends.
void CheckExpansion(const YAML::Node& root, const std::string& name);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_YAML_EXPANSION_H_
