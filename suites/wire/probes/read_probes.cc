#include "suites/wire/probes/read_probes.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include "gtest_parity/manifest/one_document.h"
#include "gtest_parity/manifest/yaml_expansion.h"
#include "suites/wire/probes/check_probes.h"
#include "suites/wire/probes/read_lane.h"
#include "suites/wire/probes/read_probe.h"
#include "suites/wire/probes/read_words.h"

namespace parity::wire {
namespace {

using nlohmann::json;

constexpr char kNameLetters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";

const ManifestSection kFileKeys = {"probes",
                                   {{"ask"},
                                    {"lanes", true},
                                    {"counters"},
                                    {"metrics"},
                                    {"reference"},
                                    {"candidate"},
                                    {"limits"},
                                    {"unprofiled"},
                                    {"probes", true}}};
const ManifestSection kLimitKeys = {
    "limits", {{"seconds"}, {"settle_seconds"}, {"grown_descriptors"}, {"grown_mebibytes"}}};

class ProbesReader {
 public:
  explicit ProbesReader(const std::string& path) {
    yaml_.file.name = path;
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    yaml_.folder = folder.empty() ? "." : folder.string();
    probes_.path = path;
  }

  Probes Read(const YAML::Node& root) {
    const YamlSection top(root, "", kFileKeys, &yaml_.file);
    if (root.IsMap()) {
      yaml_.Map(top, "ask", &defaults_);
      ReadWords(top, yaml_, &probes_);
      probes_.unprofiled = yaml_.Texts(top, "unprofiled");
      if (const auto node = top.Find("limits")) ReadLimits(*node);
      if (const auto node = top.Find("lanes")) ReadLanes(*node);
      if (const auto node = top.Find("probes")) ReadAll(*node);
    }
    CheckProbes(probes_, &yaml_.file);
    yaml_.file.errors.ThrowIfAny();
    return std::move(probes_);
  }

 private:
  void Add(Position at, const std::string& what, const std::string& got,
           const std::string& expected) {
    yaml_.file.AddAt(at, what, got, expected);
  }

  void ReadLimits(const YAML::Node& node) {
    const YamlSection section(node, "limits", kLimitKeys, &yaml_.file);
    Limits& limits = probes_.limits;
    section.Read("seconds", 0, true, &limits.seconds);
    section.Read("settle_seconds", 0, true, &limits.settle_seconds);
    section.Read("grown_descriptors", std::uint64_t{0}, &limits.grown_descriptors);
    section.Read("grown_mebibytes", std::uint64_t{0}, &limits.grown_mebibytes);
  }

  // It becomes part of GoogleTest names.
  void CheckName(Position at, const std::string& path, const std::string& name,
                 std::set<std::string>* names) {
    if (name.find_first_not_of(kNameLetters) != std::string::npos) {
      Add(at, path + ".name", Quoted(name), "[a-z0-9_]+");
    } else if (!names->insert(name).second) {
      Add(at, path + ".name", Quoted(name), "a name of its own");
    }
  }

  void ReadLanes(const YAML::Node& node) {
    std::set<std::string> names;
    yaml_.Each(node, "lanes", [&](const YAML::Node& one, const std::string& path) {
      WireLane& lane = probes_.lanes.emplace_back();
      ReadLane(one, path, yaml_, &lane);
      CheckName(lane.at, path, lane.name, &names);
    });
  }

  void ReadAll(const YAML::Node& node) {
    static const ManifestSection kKeys = ProbeKeys();
    std::set<std::string> names;
    yaml_.Each(node, "probes", [&](const YAML::Node& one, const std::string& path) {
      const YamlSection section(one, path, kKeys, &yaml_.file);
      Probe& probe = probes_.probes.emplace_back();
      if (!one.IsMap()) return;
      probe.at = section.at();
      section.Read("name", &probe.name);
      CheckName(probe.at, path, probe.name, &names);
      ReadProbe(section, defaults_, probes_.lanes, yaml_, &probe);
    });
  }

  ProbeYaml yaml_;
  json defaults_ = json::object();
  Probes probes_;
};

}  // namespace

Probes ReadProbes(const std::string& path) {
  std::ifstream stream(path);
  std::ostringstream text;
  if (!stream || !(text << stream.rdbuf())) {
    throw InvalidInput({{path, {}, "cannot be read", "", "probes of the suite wire (YAML)"}});
  }
  return ReadProbesText(path, text.str());
}

Probes ReadProbesText(const std::string& path, const std::string& text) {
  const YAML::Node root = LoadOneDocument(path, text);
  CheckExpansion(root, path);
  return ProbesReader(path).Read(root);
}

}  // namespace parity::wire
