#include "gtest_parity/manifest/yaml_section.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <set>

namespace parity {
namespace {

bool IsQuoted(const YAML::Node& node) { return node.Tag() == "!"; }

std::string Bound(const char* what, double least, bool above) {
  std::string text = nlohmann::json(least).dump();
  if (text.size() > 2 && text.ends_with(".0")) text.resize(text.size() - 2);
  return std::string(what) + (above ? " above " : " of at least ") + text;
}

}  // namespace

void YamlFile::Add(const YAML::Node& node, std::string what, std::string got,
                   std::string expected) {
  AddAt(PositionOf(node), std::move(what), std::move(got), std::move(expected));
}

void YamlFile::AddAt(Position at, std::string what, std::string got, std::string expected) {
  errors.Add({name, at, std::move(what), std::move(got), std::move(expected)});
}

Position PositionOf(const YAML::Node& node) {
  const YAML::Mark mark = node.Mark();
  if (mark.is_null()) return {};
  return {static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
}

std::string KindOf(const YAML::Node& node) {
  if (!node.IsDefined() || node.IsNull()) return "nothing";
  if (node.IsMap()) return "a mapping";
  if (node.IsSequence()) return "a list";
  return Quoted(node.Scalar());
}

std::optional<std::uint64_t> ParseUnsigned(const YAML::Node& node) {
  if (!node.IsScalar() || IsQuoted(node)) return std::nullopt;
  std::string_view text = node.Scalar();
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0o")) {
    base = text[1] == 'x' ? 16 : 8;
    text.remove_prefix(2);
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> ParseNumber(const YAML::Node& node) {
  if (!node.IsScalar() || IsQuoted(node)) return std::nullopt;
  std::string_view text = node.Scalar();
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

std::vector<std::pair<YAML::Node, YAML::Node>> MergedPairs(const YAML::Node& node,
                                                           const std::string& path,
                                                           YamlFile* file) {
  std::vector<std::pair<YAML::Node, YAML::Node>> pairs;
  if (!node.IsMap()) {
    file->Add(node, path.empty() ? "the file" : path, KindOf(node), "a mapping");
    return pairs;
  }
  std::set<std::string> seen;
  std::vector<YAML::Node> merged;
  for (const auto& entry : node) {
    const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : std::string();
    if (!entry.first.IsScalar()) {
      file->Add(entry.first, (path.empty() ? "a key" : path + ": a key"), KindOf(entry.first),
                "a name");
    } else if (key == "<<" && !IsQuoted(entry.first)) {
      if (entry.second.IsSequence()) {
        for (const YAML::Node& one : entry.second) merged.push_back(one);
      } else {
        merged.push_back(entry.second);
      }
    } else if (!seen.insert(key).second) {
      file->Add(entry.first, "duplicate key " + Quoted(key), "", "");
    } else {
      pairs.emplace_back(entry.first, entry.second);
    }
  }
  for (const YAML::Node& one : merged) {
    for (auto& pair : MergedPairs(one, (path.empty() ? "" : path + ".") + "<<", file)) {
      if (seen.insert(pair.first.Scalar()).second) pairs.push_back(std::move(pair));
    }
  }
  return pairs;
}

YamlSection::YamlSection(const YAML::Node& node, std::string path, const ManifestSection& section,
                         YamlFile* file)
    : path_(std::move(path)), file_(file), at_(PositionOf(node)) {
  for (auto& [key, value] : MergedPairs(node, path_, file_)) {
    values_.emplace(key.Scalar(), value);
    key_at_.emplace(key.Scalar(), PositionOf(key));
  }
  CheckKeys(section, node.IsMap());
}

void YamlSection::CheckKeys(const ManifestSection& section, bool is_map) {
  std::vector<std::string> known;
  for (const ManifestKey& key : section.keys) {
    known.push_back(key.name);
    if (is_map && key.required && !Find(key.name)) {
      file_->AddAt(at_, "missing key " + Quoted(PathOf(key.name)), "", "");
    }
  }
  for (const auto& [name, value] : values_) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    file_->AddAt(key_at_[name], "unknown key" + (path_.empty() ? "" : " in " + path_), Quoted(name),
                 ExpectedName(name, known));
  }
}

std::optional<YAML::Node> YamlSection::Find(const std::string& key) const {
  const auto found = values_.find(key);
  if (found == values_.end() || found->second.IsNull()) return std::nullopt;
  return found->second;
}

std::string YamlSection::PathOf(const std::string& key) const {
  return path_.empty() ? key : path_ + "." + key;
}

void YamlSection::Read(const std::string& key, std::string* out) const {
  const auto node = Find(key);
  if (!node) return;
  if (node->IsScalar() && !node->Scalar().empty()) {
    *out = node->Scalar();
  } else {
    file_->Add(*node, PathOf(key), KindOf(*node), "a string that is not empty");
  }
}

void YamlSection::Read(const std::string& key, std::uint64_t least, std::uint64_t* out) const {
  const auto node = Find(key);
  if (!node) return;
  const auto value = ParseUnsigned(*node);
  if (value && *value >= least) {
    *out = *value;
  } else {
    file_->Add(*node, PathOf(key), KindOf(*node),
               Bound("a whole number", static_cast<double>(least), false));
  }
}

void YamlSection::Read(const std::string& key, std::uint32_t least, std::uint32_t* out) const {
  std::uint64_t value = *out;
  Read(key, std::uint64_t{least}, &value);
  if (value > std::numeric_limits<std::uint32_t>::max()) {
    file_->Add(*Find(key), PathOf(key), KindOf(*Find(key)), "a number below 2^32");
  } else {
    *out = static_cast<std::uint32_t>(value);
  }
}

void YamlSection::Read(const std::string& key, double least, bool above, double* out) const {
  const auto node = Find(key);
  if (!node) return;
  const auto value = ParseNumber(*node);
  if (value && (above ? *value > least : *value >= least)) {
    *out = *value;
  } else {
    file_->Add(*node, PathOf(key), KindOf(*node), Bound("a number", least, above));
  }
}

void YamlSection::ReadChoice(const std::string& key, const std::vector<std::string>& choices,
                             std::size_t* out) const {
  const auto node = Find(key);
  if (!node) return;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (node->IsScalar() && node->Scalar() == choices[i]) {
      *out = i;
      return;
    }
  }
  const std::string given = node->IsScalar() ? node->Scalar() : std::string();
  file_->Add(*node, PathOf(key), KindOf(*node), ExpectedName(given, choices));
}

}  // namespace parity
