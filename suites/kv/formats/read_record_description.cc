#include "suites/kv/formats/read_record_description.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

#include "gtest_parity/manifest/one_document.h"
#include "gtest_parity/manifest/yaml_expansion.h"
#include "gtest_parity/manifest/yaml_section.h"
#include "suites/kv/formats/field_type.h"
#include "suites/kv/formats/record_description_keys.h"

namespace parity::kv {
namespace {

const std::vector<std::string> kEndians = {"little", "big"};
const std::vector<std::string> kRoles = {"plain", "magic", "version", "abi", "count"};
constexpr FieldRole kRoleOf[] = {FieldRole::kPlain, FieldRole::kMagic, FieldRole::kVersion,
                                 FieldRole::kAbi, FieldRole::kCount};

class DescriptionReader {
 public:
  explicit DescriptionReader(const std::string& name) { file_.name = name; }

  RecordDescription Read(const YAML::Node& root) {
    const YamlSection top(root, "", kDescriptionKeys, &file_);
    if (root.IsMap()) {
      ReadTop(top);
      CheckReferences();
    }
    file_.errors.ThrowIfAny();
    return std::move(description_);
  }

 private:
  // Where a name of another part is used, to be looked up once all parts are read.
  struct Reference {
    YAML::Node node;
    std::string path, name;
  };

  void ReadTop(const YamlSection& top) {
    const auto version = top.Find("record_format");
    if (version && ParseUnsigned(*version) != 1) {
      file_.Add(*version, "record_format (the description's version)", KindOf(*version), "1");
    }
    top.Read("name", &description_.name);
    top.ReadChoice("endian", kEndians, &endian_);
    ForEach(top, "fields",
            [&](const YAML::Node& node, const std::string& path) { ReadField(node, path); });
    ForEach(top, "sections",
            [&](const YAML::Node& node, const std::string& path) { ReadSection(node, path); });
    ForEach(top, "volatile",
            [&](const YAML::Node& node, const std::string& path) { ReadVolatile(node, path); });
    if (const auto node = top.Find("file_name")) ReadFileName(*node);
    std::size_t trailing = 0;
    top.ReadChoice("trailing", {"refused", "allowed"}, &trailing);
    description_.trailing_allowed = trailing == 1;
  }

  void ForEach(const YamlSection& section, const std::string& key, const auto& read) {
    const auto node = section.Find(key);
    if (!node) return;
    if (!node->IsSequence()) {
      file_.Add(*node, section.PathOf(key), KindOf(*node), "a list");
      return;
    }
    for (std::size_t i = 0; i < node->size(); ++i) {
      read((*node)[i], section.PathOf(key) + "[" + std::to_string(i) + "]");
    }
  }

  void ReadName(const YamlSection& section, std::string* out) {
    section.Read("name", out);
    if (!out->empty() && !names_.insert(*out).second) {
      file_.Add(*section.Find("name"), section.PathOf("name") + ": used before", Quoted(*out),
                "a name of its own");
    }
  }

  void ReadField(const YAML::Node& node, const std::string& path) {
    const YamlSection section(node, path, kFieldKeys, &file_);
    if (!node.IsMap()) return;
    DescribedField field;
    ReadName(section, &field.name);
    section.Read("at", std::uint64_t{0}, &field.at);
    section.Read("in", &field.in);
    if (!field.in.empty()) in_.push_back({*section.Find("in"), section.PathOf("in"), field.in});
    std::size_t endian = endian_, role = 0;
    section.ReadChoice("endian", kEndians, &endian);
    field.big_endian = endian == 1;
    section.ReadChoice("role", kRoles, &role);
    field.role = kRoleOf[role];
    ReadFlag(section, &field.masked);
    if (ReadType(section, &field.type)) ReadChecks(section, &field);
    description_.fields.push_back(std::move(field));
  }

  bool ReadType(const YamlSection& section, FieldType* out) {
    const auto node = section.Find("type");
    if (!node) return false;
    const auto type = ParseFieldType(node->IsScalar() ? node->Scalar() : "");
    if (type) {
      *out = *type;
    } else {
      file_.Add(*node, section.PathOf("type"), KindOf(*node), FieldTypesText());
    }
    return type.has_value();
  }

  void ReadChecks(const YamlSection& section, DescribedField* field) {
    if (const auto node = section.Find("equals")) {
      if (auto value = ReadValue(section, "equals", *node, field->type)) {
        field->accepted.push_back(*value);
      }
    }
    ForEach(section, "one_of", [&](const YAML::Node& node, const std::string&) {
      if (auto value = ReadValue(section, "one_of", node, field->type)) {
        field->accepted.push_back(*value);
      }
    });
    const bool number =
        field->type.kind != FieldKind::kBytes && field->type.kind != FieldKind::kText;
    for (const auto& [key, bound] : {std::pair{"min", &field->least}, {"max", &field->most}}) {
      const auto node = section.Find(key);
      if (node && number) *bound = ReadValue(section, key, *node, field->type);
      if (!node || number) continue;
      file_.Add(*node, section.PathOf(key), KindOf(*node), "no bound: the field is no number");
    }
  }

  std::optional<nlohmann::json> ReadValue(const YamlSection& section, const std::string& key,
                                          const YAML::Node& node, const FieldType& type) {
    auto value = ParseFieldValue(type, node);
    if (!value) file_.Add(node, section.PathOf(key), KindOf(node), ExpectedValueText(type));
    return value;
  }

  void ReadFlag(const YamlSection& section, bool* out) {
    std::size_t flag = *out ? 1 : 0;
    section.ReadChoice("volatile", {"false", "true"}, &flag);
    *out = flag == 1;
  }

  void ReadSection(const YAML::Node& node, const std::string& path) {
    const YamlSection section(node, path, kSectionKeys, &file_);
    if (!node.IsMap()) return;
    DescribedSection read;
    ReadName(section, &read.name);
    if (section.Find("at")) section.Read("at", std::uint64_t{0}, &read.at.emplace());
    section.Read("each", std::uint64_t{1}, &read.each);
    ReadFlag(section, &read.masked);
    if (const auto length = section.Find("length")) {
      std::string text;
      if (const auto bytes = ParseUnsigned(*length)) {
        read.length = *bytes;
      } else if (section.Read("length", &text); text == "rest") {
        read.length = RestOfFile{};
      } else if (!text.empty()) {
        CheckLength(*length, section.PathOf("length"), text);
        read.length = text;
      }
    }
    description_.sections.push_back(std::move(read));
  }

  // A length must be known before its section is: a field of the file or of an earlier section.
  void CheckLength(const YAML::Node& node, const std::string& path, const std::string& name) {
    std::vector<std::string> usable;
    for (const DescribedField& field : description_.fields) {
      const bool known = field.in.empty() ||
                         std::any_of(description_.sections.begin(), description_.sections.end(),
                                     [&](const auto& one) { return one.name == field.in; });
      if (known && field.type.kind == FieldKind::kUnsigned) usable.push_back(field.name);
    }
    if (std::find(usable.begin(), usable.end(), name) != usable.end()) return;
    usable.push_back("rest");
    file_.Add(node, path + ": no unsigned field of the file or of an earlier section", Quoted(name),
              ExpectedName(name, usable));
  }

  void ReadVolatile(const YAML::Node& node, const std::string& path) {
    const YamlSection section(node, path, kVolatileKeys, &file_);
    Range range;
    section.Read("at", std::uint64_t{0}, &range.offset);
    section.Read("bytes", std::uint64_t{1}, &range.bytes);
    if (range.bytes > UINT64_MAX - range.offset) {
      file_.Add(node, path, "a range behind 2^64", "at + bytes that 64 bits hold");
    } else if (range.bytes > 0) {
      description_.masked.push_back(range);
    }
  }

  void ReadFileName(const YAML::Node& node) {
    const YamlSection section(node, "file_name", kFileNameKeys, &file_);
    if (!node.IsMap()) return;
    NameRule rule;
    section.Read("suffix", &rule.suffix);
    rule.sha1 = section.Find("sha1").has_value();
    if (rule.sha1 == section.Find("sha256").has_value()) {
      file_.AddAt(section.at(), "file_name", rule.sha1 ? "both hashes" : "no hash",
                  "sha1 or sha256 with the name of a section");
      return;
    }
    const std::string key = rule.sha1 ? "sha1" : "sha256";
    section.Read(key, &rule.section);
    if (!rule.section.empty()) {
      in_.push_back({*section.Find(key), section.PathOf(key), rule.section});
    }
    description_.name_rule = rule;
  }

  void CheckReferences() {
    std::vector<std::string> sections;
    for (const DescribedSection& section : description_.sections) sections.push_back(section.name);
    for (const Reference& reference : in_) {
      if (std::find(sections.begin(), sections.end(), reference.name) != sections.end()) continue;
      file_.Add(reference.node, reference.path + ": no section of that name",
                Quoted(reference.name), ExpectedName(reference.name, sections));
    }
  }

  YamlFile file_;
  RecordDescription description_;
  std::size_t endian_ = 0;
  std::set<std::string> names_;  // of fields and sections
  std::vector<Reference> in_;
};

}  // namespace

RecordDescription ReadRecordDescription(const std::string& path) {
  std::error_code ignored;
  std::ifstream stream(path, std::ios::binary);
  if (!std::filesystem::is_regular_file(path, ignored) || !stream.is_open()) {
    throw InvalidInput({{path, {}, "cannot be read", "", "a record description (YAML)"}});
  }
  return ReadRecordDescriptionText(path, std::string(std::istreambuf_iterator<char>(stream), {}));
}

RecordDescription ReadRecordDescriptionText(const std::string& name, const std::string& text) {
  const YAML::Node root = LoadOneDocument(name, text);
  CheckExpansion(root, name);
  return DescriptionReader(name).Read(root);
}

}  // namespace parity::kv
