#include "gtest_parity/manifest/read_kv.h"

#include <filesystem>

#include "gtest_parity/manifest/find_library.h"
#include "gtest_parity/manifest/yaml_json.h"

namespace parity {
namespace {

class KvReader {
 public:
  KvReader(std::string folder, YamlFile* file) : folder_(std::move(folder)), file_(file) {}

  void Read(const YAML::Node& node, KvOptions* out) {
    const YamlSection section(node, "kv", FindManifestSection("kv"), file_);
    if (!node.IsMap()) return;
    ReadFile(section, "lanes", &out->lanes);
    std::size_t by = 0;
    section.ReadChoice("by", {"serve", "states"}, &by);
    out->by = static_cast<KvBy>(by);
    if (const auto without = section.Find("without")) {
      ReadWithout(*without, section.PathOf("without"), &out->without);
    }
    const auto variants = section.Find("variants");
    if (!variants) return;
    const std::string path = section.PathOf("variants");
    for (const auto& [name, variant] : MergedPairs(*variants, path, file_)) {
      ReadVariant(variant, path + "." + name.Scalar(), &out->variants[name.Scalar()]);
    }
  }

 private:
  void ReadWithout(const YAML::Node& node, const std::string& path, std::vector<KvLeftOut>* out) {
    if (!node.IsSequence()) {
      file_->Add(node, path, KindOf(node), "a list");
      return;
    }
    for (std::size_t i = 0; i < node.size(); ++i) {
      const YamlSection section(node[i], path + "[" + std::to_string(i) + "]",
                                FindManifestSection("left_out"), file_);
      if (!node[i].IsMap()) continue;
      KvLeftOut& left_out = out->emplace_back();
      left_out.at = section.at();
      section.Read("cases", &left_out.cases);
      section.Read("reason", &left_out.reason);
    }
  }

  void ReadVariant(const YAML::Node& node, const std::string& path, KvVariant* out) {
    const YamlSection section(node, path, FindManifestSection("variant"), file_);
    if (!node.IsMap()) return;
    for (const auto& [key, side] :
         {std::pair{"reference", &out->reference}, {"candidate", &out->candidate}}) {
      if (const auto found = section.Find(key)) ReadSide(*found, section.PathOf(key), side);
    }
  }

  void ReadSide(const YAML::Node& node, const std::string& path, SideVariant* out) {
    const YamlSection section(node, path, FindManifestSection("variant_side"), file_);
    if (!node.IsMap()) return;
    ReadFile(section, "description", &out->description);
    section.Read("other_weights", &out->other_weights);
    if (!out->other_weights.empty() && !out->other_weights.starts_with('/')) {
      file_->Add(*section.Find("other_weights"), section.PathOf("other_weights"),
                 Quoted(out->other_weights), "a JSON pointer, such as \"/model\"");
    }
    if (const auto config = section.Find("config")) {
      out->config = ToJson(*config, section.PathOf("config"), folder_, file_);
      if (out->config.is_object()) return;
      file_->Add(*config, section.PathOf("config"), KindOf(*config), "a mapping");
      out->config = nlohmann::json::object();
    }
  }

  void ReadFile(const YamlSection& section, const std::string& key, std::string* out) {
    std::string name;
    section.Read(key, &name);
    if (name.empty()) return;
    *out = ResolvePath(name, folder_);
    std::error_code ignored;
    if (std::filesystem::is_regular_file(*out, ignored)) return;
    file_->Add(*section.Find(key), section.PathOf(key), "no such file: " + *out, "a file");
  }

  std::string folder_;
  YamlFile* file_;
};

}  // namespace

void ReadKv(const YAML::Node& node, const std::string& folder, YamlFile* file, KvOptions* out) {
  KvReader(folder, file).Read(node, out);
}

}  // namespace parity
