// Files that a configuration given as JSON names.
#ifndef GTEST_PARITY_MANIFEST_JSON_PATHS_H_
#define GTEST_PARITY_MANIFEST_JSON_PATHS_H_

#include <nlohmann/json.hpp>
#include <string>

namespace parity {

// `value` with each object of the one key `path` in it made the absolute path of that file or
// folder, taken from `folder`, as in a manifest. Throws std::runtime_error that says where one is
// that does not exist.
nlohmann::json WithPaths(const nlohmann::json& value, const std::string& folder);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_JSON_PATHS_H_
