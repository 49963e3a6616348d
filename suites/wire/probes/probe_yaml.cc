#include "suites/wire/probes/probe_yaml.h"

#include "gtest_parity/manifest/yaml_json.h"
#include "suites/wire/transcript/base64.h"

namespace parity::wire {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMostRepeated = 1u << 28;

}  // namespace

json ProbeYaml::Json(const YamlSection& section, const std::string& key) {
  const auto node = section.Find(key);
  return node ? ToJson(*node, section.PathOf(key), folder, &file) : json();
}

void ProbeYaml::Map(const YamlSection& section, const std::string& key, json* out) {
  const auto node = section.Find(key);
  if (!node) return;
  if (!node->IsMap()) return file.Add(*node, section.PathOf(key), KindOf(*node), "a mapping");
  *out = ToJson(*node, section.PathOf(key), folder, &file);
}

void ProbeYaml::Flag(const YamlSection& section, const std::string& key, bool* out) {
  std::size_t choice = *out ? 1 : 0;
  section.ReadChoice(key, {"false", "true"}, &choice);
  *out = choice == 1;
}

std::vector<std::string> ProbeYaml::Texts(const YamlSection& section, const std::string& key) {
  std::vector<std::string> texts;
  const auto node = section.Find(key);
  if (!node) return texts;
  Each(*node, section.PathOf(key), [&](const YAML::Node& one, const std::string& path) {
    if (one.IsScalar()) {
      texts.push_back(one.Scalar());
    } else {
      file.Add(one, path, KindOf(one), "a text");
    }
  });
  return texts;
}

std::string ProbeYaml::Pieces(const json& value, const YamlSection& section,
                              const std::string& key) {
  if (value.is_string()) return value.get<std::string>();
  std::string text;
  for (const json& piece : value.is_array() ? value : json::array({value})) {
    if (piece.is_string()) {
      text += piece.get<std::string>();
    } else if (piece.is_object() && piece.size() == 2 && piece.contains("repeat") &&
               piece.contains("times") && piece["repeat"].is_string() &&
               piece["times"].is_number_unsigned() &&
               piece["times"].get<std::uint64_t>() * piece["repeat"].get<std::string>().size() <=
                   kMostRepeated) {
      const std::string repeated = piece["repeat"].get<std::string>();
      for (std::uint64_t i = 0; i < piece["times"].get<std::uint64_t>(); ++i) text += repeated;
    } else if (piece.is_object() && piece.size() == 1 && piece.contains("base64") &&
               piece["base64"].is_string() && FromBase64(piece["base64"].get<std::string>())) {
      text += *FromBase64(piece["base64"].get<std::string>());
    } else {
      file.AddAt(section.at(), section.PathOf(key), piece.dump(),
                 "text, {repeat: text, times: number} up to 256 MiB, or {base64: text}");
    }
  }
  return text;
}

}  // namespace parity::wire
