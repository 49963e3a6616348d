#include "gtest_parity/manifest/yaml_json.h"

#include <charconv>
#include <filesystem>

#include "gtest_parity/manifest/find_library.h"

namespace parity {
namespace {

bool OneOf(const std::string& text, std::initializer_list<const char*> choices) {
  return std::any_of(choices.begin(), choices.end(), [&](const char* c) { return text == c; });
}

nlohmann::json ScalarToJson(const YAML::Node& node, const std::string& path, YamlFile* file) {
  const std::string& text = node.Scalar();
  if (node.Tag() == "!" || node.Tag() == "tag:yaml.org,2002:str") return text;
  if (OneOf(text, {"true", "True", "TRUE"})) return true;
  if (OneOf(text, {"false", "False", "FALSE"})) return false;
  if (OneOf(text,
            {".inf", ".Inf", ".INF", "+.inf", "-.inf", "-.Inf", "-.INF", ".nan", ".NaN", ".NAN"})) {
    file->Add(node, path, Quoted(text), "a number that JSON can say, or a quoted string");
    return nullptr;
  }
  if (const auto whole = ParseUnsigned(node)) return *whole;
  std::int64_t negative = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, negative);
  if (result.ec == std::errc() && result.ptr == end) return negative;
  // from_chars also takes "inf" and "nan", which are plain strings in YAML.
  const bool numeric = text.find_first_not_of("+-.0123456789eE") == std::string::npos;
  if (const auto number = ParseNumber(node); number && numeric) return *number;
  return text;
}

nlohmann::json PathToJson(const YAML::Node& node, const std::string& path,
                          const std::string& folder, YamlFile* file) {
  std::string resolved = ResolvePath(node.Scalar(), folder);
  std::error_code ignored;
  if (!std::filesystem::exists(resolved, ignored)) {
    file->Add(node, path, "no such file: " + resolved, "a file or folder");
  }
  return resolved;
}

}  // namespace

nlohmann::json ToJson(const YAML::Node& node, const std::string& path, const std::string& folder,
                      YamlFile* file) {
  if (!node.IsDefined() || node.IsNull()) return nullptr;
  if (node.IsScalar()) return ScalarToJson(node, path, file);
  if (node.IsSequence()) {
    nlohmann::json list = nlohmann::json::array();
    for (std::size_t i = 0; i < node.size(); ++i) {
      list.push_back(ToJson(node[i], path + "[" + std::to_string(i) + "]", folder, file));
    }
    return list;
  }
  const auto pairs = MergedPairs(node, path, file);
  if (pairs.size() == 1 && pairs[0].first.Scalar() == "path" && pairs[0].second.IsScalar()) {
    return PathToJson(pairs[0].second, path, folder, file);
  }
  nlohmann::json object = nlohmann::json::object();
  for (const auto& [key, value] : pairs) {
    object[key.Scalar()] = ToJson(value, path + "." + key.Scalar(), folder, file);
  }
  return object;
}

}  // namespace parity
