#include "gtest_parity/manifest/read_manifest.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "gtest_parity/manifest/one_document.h"
#include "gtest_parity/manifest/read_judge.h"
#include "gtest_parity/manifest/read_kv.h"
#include "gtest_parity/manifest/read_server.h"
#include "gtest_parity/manifest/read_spans.h"
#include "gtest_parity/manifest/read_tokens.h"
#include "gtest_parity/manifest/yaml_expansion.h"
#include "gtest_parity/manifest/yaml_json.h"
#include "gtest_parity/manifest/yaml_section.h"

namespace parity {
namespace {

class ManifestReader {
 public:
  ManifestReader(const std::string& path, const ReadOptions& options) : options_(options) {
    file_.name = path;
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    folder_ = folder.empty() ? "." : folder.string();
  }

  Manifest Read(const YAML::Node& root) {
    manifest_.path = ResolvePath(file_.name, ".");
    const YamlSection top(root, "", FindManifestSection("manifest"), &file_);
    if (root.IsMap()) ReadTop(top);
    file_.errors.ThrowIfAny();
    return std::move(manifest_);
  }

 private:
  void ReadTop(const YamlSection& top) {
    ReadHeader(top);
    ReadSide(top, "reference", options_.reference_config, &manifest_.reference);
    ReadSide(top, "candidate", options_.candidate_config, &manifest_.candidate);
    ReadRanks(top);
    if (const auto node = top.Find("spans")) ReadSpans(*node, &file_, &manifest_);
    ReadWorkload(top);
    if (const auto node = top.Find("tokens")) {
      ReadTokens(*node, folder_, &file_, &manifest_.tokens);
    }
    if (const auto node = top.Find("kv")) {
      ReadKv(*node, folder_, &file_, &manifest_.kv);
    }
    if (const auto node = top.Find("wire")) {
      const YamlSection wire(*node, "wire", FindManifestSection("wire"), &file_);
      ReadFile(wire, "probes", &manifest_.wire.probes);
      ReadFile(wire, "refusals", &manifest_.wire.refusals);
      ReadStrings(wire, "surfaces", &manifest_.wire.surfaces);
    }
    if (const auto node = top.Find("judge")) ReadJudge(*node, &file_, &manifest_.judge);
    top.Read("deadline", 0.0, true, &manifest_.deadline_seconds);
    ReadMemory(top);
  }

  void ReadHeader(const YamlSection& top) {
    const auto version = top.Find("parity");
    if (version && ParseUnsigned(*version) != 1) {
      file_.Add(*version, "parity (the manifest's version)", KindOf(*version), "1");
    }
    top.Read("name", &manifest_.name);
    const bool slug = manifest_.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") ==
                      std::string::npos;
    // The name becomes a folder of the output and part of GoogleTest names.
    if (!slug) file_.Add(*top.Find("name"), "name", Quoted(manifest_.name), "[a-z0-9_]+");
  }

  void ReadSide(const YamlSection& top, const std::string& key, const nlohmann::json& over,
                SideDeclaration* side) {
    const auto node = top.Find(key);
    if (!node) return;
    const YamlSection section(*node, key, FindManifestSection("side"), &file_);
    if (node->IsMap()) CheckKind(section);
    if (const auto server = section.Find("server")) {
      side->server =
          ReadServer(*server, section.PathOf("server"), folder_, options_.search, &file_);
      side->server_at = PositionOf(*server);
      ReadName(section, side);
    }
    ReadLibrary(section, side);
    section.Read("engine", &side->engine);
    if (const auto engine = section.Find("engine")) side->engine_at = PositionOf(*engine);
    ReadFile(section, "description", &side->description);
    std::size_t backend = 0;
    const std::vector<std::string> backends = {"host", "cuda", "cuda_staged"};
    section.ReadChoice("backend", backends, &backend);
    side->backend = backends[backend];
    ReadConfig(section, over, side);
    ReadEnvironment(section, side);
    ReadStrings(section, "library_path", &side->library_path);
    for (std::string& folder : side->library_path) folder = ResolvePath(folder, folder_);
    ReadBytes(section, "memory_limit", &side->memory_limit_bytes);
  }

  // A side is a plugin or a server, and has the keys of one of them.
  void CheckKind(const YamlSection& section) {
    const bool is_server = section.Find("server").has_value();
    for (const char* key : {"library", "engine", "description"}) {
      if (!is_server && !section.Find(key)) {
        file_.AddAt(section.at(), "missing key " + Quoted(section.PathOf(key)), "", "");
      }
    }
    const std::vector<const char*> of_plugins = {
        "library", "engine", "description", "backend", "env", "library_path", "memory_limit"};
    for (const char* key : is_server ? of_plugins : std::vector<const char*>{"name"}) {
      const auto node = section.Find(key);
      if (!node) continue;
      file_.Add(*node, section.PathOf(key), KindOf(*node),
                is_server ? "nothing beside `server`: it is a key of engine plugins"
                          : "nothing without `server`: a plugin's name is its engine's");
    }
  }

  void ReadName(const YamlSection& section, SideDeclaration* side) {
    section.Read("name", &side->name);
    if (!side->name.empty() || side->server->command.empty()) return;
    side->name = std::filesystem::path(side->server->command.front()).filename();
  }

  void ReadLibrary(const YamlSection& section, SideDeclaration* side) {
    std::string name;
    section.Read("library", &name);
    if (name.empty()) return;
    const FoundLibrary found = FindLibrary(name, folder_, options_.search);
    side->library = found.path;
    const bool recorded = side == &manifest_.reference && options_.reference_recorded;
    if (!found.path.empty() || recorded) return;
    std::string looked;
    for (const std::string& file : found.looked) looked += (looked.empty() ? "" : ", ") + file;
    file_.Add(*section.Find("library"), section.PathOf("library") + ": not found", Quoted(name),
              "one of these files: " + looked +
                  " (--library_path and PARITY_LIBRARY_PATH add "
                  "folders)");
  }

  void ReadFile(const YamlSection& section, const std::string& key, std::string* out) {
    std::string name;
    section.Read(key, &name);
    if (name.empty()) return;
    *out = ResolvePath(name, folder_);
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(*out, ignored)) {
      file_.Add(*section.Find(key), section.PathOf(key), "no such file: " + *out, "a file");
    }
  }

  void ReadConfig(const YamlSection& section, const nlohmann::json& over, SideDeclaration* side) {
    if (const auto node = section.Find("config")) {
      if (node->IsMap()) {
        side->config = ToJson(*node, section.PathOf("config"), folder_, &file_);
      } else {
        file_.Add(*node, section.PathOf("config"), KindOf(*node), "a mapping");
      }
    }
    if (side->config.is_object()) side->config.merge_patch(over);
  }

  void ReadEnvironment(const YamlSection& section, SideDeclaration* side) {
    const auto node = section.Find("env");
    if (!node) return;
    const std::string path = section.PathOf("env");
    for (const auto& [key, value] : MergedPairs(*node, path, &file_)) {
      if (value.IsScalar() || value.IsNull()) {
        side->env[key.Scalar()] = value.IsScalar() ? value.Scalar() : "";
      } else {
        file_.Add(value, path + "." + key.Scalar(), KindOf(value), "a string");
      }
    }
  }

  void ReadStrings(const YamlSection& section, const std::string& key,
                   std::vector<std::string>* out) {
    const auto node = section.Find(key);
    if (!node) return;
    if (!node->IsSequence()) {
      file_.Add(*node, section.PathOf(key), KindOf(*node), "a list of strings");
      return;
    }
    for (const YAML::Node& one : *node) {
      if (one.IsScalar() && !one.Scalar().empty()) {
        out->push_back(one.Scalar());
      } else {
        file_.Add(one, section.PathOf(key), KindOf(one), "a string that is not empty");
      }
    }
  }

  void ReadRanks(const YamlSection& top) {
    if (const auto node = top.Find("ranks")) {
      const YamlSection section(*node, "ranks", FindManifestSection("ranks"), &file_);
      section.Read("count", std::uint32_t{1}, &manifest_.ranks.count);
      std::size_t in = 0;
      section.ReadChoice("in", {"threads", "processes"}, &in);
      manifest_.ranks.in_threads = in == 0;
    }
    if (!options_.ranks) return;
    manifest_.ranks.count = *options_.ranks;
    if (*options_.ranks == 0) file_.AddAt({}, "ranks asked for by the caller", "0", "at least 1");
  }

  void ReadWorkload(const YamlSection& top) {
    const auto node = top.Find("workload");
    if (!node) return;
    const YamlSection section(*node, "workload", FindManifestSection("workload"), &file_);
    WorkloadOptions& workload = manifest_.workload;
    section.Read("seed", std::uint64_t{0}, &workload.seed);
    ReadFile(section, "prompts", &workload.prompts);
    section.Read("chunk", std::uint64_t{1}, &workload.chunk);
    section.Read("decode_steps", std::uint64_t{0}, &workload.decode_steps);
    ReadBatches(section);
  }

  void ReadBatches(const YamlSection& section) {
    const auto node = section.Find("batches");
    if (!node) return;
    std::vector<std::uint64_t> batches;
    if (node->IsSequence()) {
      for (const YAML::Node& one : *node) {
        const auto value = ParseUnsigned(one);
        if (value && *value > 0) {
          batches.push_back(*value);
        } else {
          file_.Add(one, section.PathOf("batches"), KindOf(one), "a whole number of at least 1");
        }
      }
    }
    if (!node->IsSequence() || node->size() == 0) {
      file_.Add(*node, section.PathOf("batches"),
                node->IsSequence() ? "an empty list" : KindOf(*node),
                "a list of sequences per step, such as [1, 3]");
    }
    manifest_.workload.batches = std::move(batches);
  }

  // A number of bytes, or one with a binary unit: "4 GiB".
  void ReadBytes(const YamlSection& section, const std::string& key, std::uint64_t* out) {
    const auto node = section.Find(key);
    if (!node) return;
    std::string text = node->IsScalar() ? node->Scalar() : std::string();
    int shift = 0;
    const std::pair<const char*, int> units[] = {
        {"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"TiB", 40}};
    for (const auto& [unit, bits] : units) {
      if (!text.ends_with(unit)) continue;
      shift = bits;
      text.resize(text.size() - 3);
      while (text.ends_with(' ')) text.pop_back();
    }
    const auto value = ParseUnsigned(YAML::Node(text));
    if (value && *value > 0 && *value <= (std::uint64_t{1} << (63 - shift))) {
      *out = *value << shift;
    } else {
      file_.Add(*node, section.PathOf(key), KindOf(*node),
                "bytes, or such as \"4 GiB\" (KiB to TiB)");
    }
  }

  void ReadMemory(const YamlSection& top) {
    ReadBytes(top, "memory_budget", &manifest_.memory_budget_bytes);
    const auto node = top.Find("spill");
    if (!node) return;
    const YamlSection section(*node, "spill", FindManifestSection("spill"), &file_);
    SpillOptions spill;
    section.Read("folder", &spill.folder);
    if (!spill.folder.empty()) spill.folder = ResolvePath(spill.folder, folder_);
    ReadBytes(section, "budget", &spill.bytes);
    manifest_.spill = std::move(spill);
  }

  const ReadOptions& options_;
  std::string folder_;
  YamlFile file_;
  Manifest manifest_;
};

}  // namespace

Manifest ReadManifest(const std::string& path, const ReadOptions& options) {
  std::ifstream stream(path);
  std::ostringstream text;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored) || !stream || !(text << stream.rdbuf())) {
    // An empty file also fails the copy, but it can be read and is told apart below.
    const bool empty = std::filesystem::is_regular_file(path, ignored) && stream.is_open();
    if (!empty) throw InvalidInput({{path, {}, "cannot be read", "", "a manifest (YAML)"}});
  }
  return ReadManifestText(path, text.str(), options);
}

Manifest ReadManifestText(const std::string& path, const std::string& text,
                          const ReadOptions& options) {
  const YAML::Node root = LoadOneDocument(path, text);
  CheckExpansion(root, path);
  return ManifestReader(path, options).Read(root);
}

}  // namespace parity
