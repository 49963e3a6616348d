#include "gtest_parity/manifest/json_paths.h"

#include <filesystem>
#include <stdexcept>

#include "gtest_parity/manifest/find_library.h"

namespace parity {
namespace {

using nlohmann::json;

bool NamesPath(const json& value) {
  return value.is_object() && value.size() == 1 && value.contains("path") &&
         value["path"].is_string();
}

json Resolved(const json& value, const std::string& folder, const json::json_pointer& at) {
  if (NamesPath(value)) {
    std::string path = ResolvePath(value["path"].get<std::string>(), folder);
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) return path;
    throw std::runtime_error("at " + (at / "path").to_string() + ": no such file: " + path +
                             ", expected a file or folder");
  }
  json resolved = value;
  if (value.is_object()) {
    for (const auto& [key, part] : value.items()) resolved[key] = Resolved(part, folder, at / key);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      resolved[i] = Resolved(value[i], folder, at / i);
    }
  }
  return resolved;
}

}  // namespace

json WithPaths(const json& value, const std::string& folder) {
  return Resolved(value, folder, json::json_pointer());
}

}  // namespace parity
