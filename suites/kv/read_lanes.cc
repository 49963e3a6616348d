#include "suites/kv/read_lanes.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include "gtest_parity/manifest/find_library.h"
#include "gtest_parity/manifest/one_document.h"
#include "gtest_parity/manifest/yaml_expansion.h"
#include "gtest_parity/manifest/yaml_json.h"
#include "gtest_parity/manifest/yaml_section.h"
#include "suites/kv/damage_groups.h"

namespace parity::kv {
namespace {

using nlohmann::json;

const ManifestSection kFileKeys = {
    "lanes", {{"format", true}, {"defaults"}, {"lanes", true}, {"oracles"}, {"exceptions"}}};
const ManifestSection kLaneKeys = {"lane",
                                   {{"name", true},
                                    {"save", true},
                                    {"record"},
                                    {"load", true},
                                    {"answer"},
                                    {"after"},
                                    {"stores"},
                                    {"damaged"},
                                    {"index"}}};
const ManifestSection kPhaseKeys = {
    "phase", {{"config"}, {"ranks"}, {"variant"}, {"requests", true}, {"cold"}}};
const ManifestSection kRecordKeys = {"record", {{"count"}, {"choose"}, {"fields"}, {"differs"}}};
const ManifestSection kAnswerKeys = {"answer",
                                     {{"miss"},
                                      {"refused"},
                                      {"why"},
                                      {"shared_risk"},
                                      {"from"},
                                      {"prompt"},
                                      {"cached"},
                                      {"computed"},
                                      {"output"},
                                      {"finish"},
                                      {"route"}}};
const ManifestSection kRefusedKeys = {"refused", {{"cells"}, {"why"}, {"words"}}};
const ManifestSection kOracleKeys = {"oracles",
                                     {{"lane", true},
                                      {"budget", true},
                                      {"spare_percent"},
                                      {"in_the_way", true},
                                      {"shared"},
                                      {"requests", true}}};
const ManifestSection kExceptionKeys = {"exception",
                                        {{"id", true},
                                         {"lane", true},
                                         {"check", true},
                                         {"signature", true},
                                         {"reason", true},
                                         {"until", true}}};

class LanesReader {
 public:
  explicit LanesReader(const std::string& path) {
    file_.name = path;
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    folder_ = folder.empty() ? "." : folder.string();
  }

  Lanes Read(const YAML::Node& root) {
    const YamlSection top(root, "", kFileKeys, &file_);
    if (root.IsMap()) {
      top.Read("format", &lanes_.format);
      if (lanes_.format.ends_with(".yaml")) lanes_.format = ResolvePath(lanes_.format, folder_);
      if (const auto node = top.Find("defaults")) defaults_ = ReadJson(*node, "defaults");
      if (const auto node = top.Find("lanes")) ReadLanes(*node);
      if (const auto node = top.Find("oracles")) ReadOracles(*node, &lanes_.oracles.emplace());
      if (const auto node = top.Find("exceptions")) ReadExceptions(*node);
    }
    file_.errors.ThrowIfAny();
    return std::move(lanes_);
  }

 private:
  // Calls read(node, path) for each of a list that has at least one.
  template <typename Reader>
  void Each(const YAML::Node& node, const std::string& path, Reader read) {
    if (!node.IsSequence() || node.size() == 0) {
      file_.Add(node, path, node.IsSequence() ? "an empty list" : KindOf(node), "a list");
      return;
    }
    std::size_t i = 0;
    for (const YAML::Node& one : node) read(one, path + "[" + std::to_string(i++) + "]");
  }

  void ReadLanes(const YAML::Node& node) {
    Each(node, "lanes", [&](const YAML::Node& one, const std::string& path) {
      ReadLane(one, path, &lanes_.lanes.emplace_back());
    });
    std::set<std::string> names;
    for (const Lane& lane : lanes_.lanes) {
      if (names.insert(lane.name).second) continue;
      file_.AddAt(lane.at, "lane", Quoted(lane.name), "a name that no other lane has");
    }
  }

  void ReadLane(const YAML::Node& node, const std::string& path, Lane* lane) {
    const YamlSection section(node, path, kLaneKeys, &file_);
    if (!node.IsMap()) return;
    lane->at = section.at();
    section.Read("name", &lane->name);
    // It becomes part of GoogleTest names.
    if (lane->name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") !=
        std::string::npos) {
      file_.AddAt(lane->at, section.PathOf("name"), Quoted(lane->name), "[a-z0-9_]+");
    }
    if (const auto save = section.Find("save")) {
      ReadPhase(*save, section.PathOf("save"), &lane->save);
    }
    if (const auto load = section.Find("load")) {
      ReadPhase(*load, section.PathOf("load"), &lane->load);
    }
    if (const auto record = section.Find("record")) {
      ReadRecord(*record, section.PathOf("record"), &lane->records);
    }
    if (const auto answer = section.Find("answer")) {
      ReadAnswer(*answer, section.PathOf("answer"), &lane->answer);
    }
    std::size_t after = 0;
    section.ReadChoice("after", {"touched", "untouched", "consumed"}, &after);
    lane->after = static_cast<RecordAfter>(after);
    section.Read("stores", std::uint64_t{0}, &lane->stores);
    if (const auto index = section.Find("index")) {
      lane->index = ReadRequest(*index, section.PathOf("index"));
    }
    ReadDamaged(section, lane);
  }

  // `true`: every group that the lane can be asked. Or those that are listed.
  void ReadDamaged(const YamlSection& section, Lane* lane) {
    const auto can = [&](std::string_view group) { return group != "changed" || lane->index; };
    const auto node = section.Find("damaged");
    if (!node || !node->IsSequence()) {
      bool all = false;
      ReadFlag(section, "damaged", &all);
      for (const std::string_view group : kDamageGroups) {
        if (all && can(group)) lane->damaged.emplace_back(group);
      }
      return;
    }
    const std::vector<std::string> known(kDamageGroups.begin(), kDamageGroups.end());
    Each(*node, section.PathOf("damaged"), [&](const YAML::Node& one, const std::string& at) {
      const std::string group = one.IsScalar() ? one.Scalar() : "";
      if (std::find(known.begin(), known.end(), group) == known.end()) {
        file_.Add(one, at, KindOf(one), ExpectedName(group, known));
      } else if (!can(group)) {
        file_.Add(one, at, Quoted(group), "a lane with `index`, behind which it is changed");
      } else {
        lane->damaged.push_back(group);
      }
    });
  }

  void ReadPhase(const YAML::Node& node, const std::string& path, Phase* phase) {
    const YamlSection section(node, path, kPhaseKeys, &file_);
    phase->config = defaults_;
    if (!node.IsMap()) return;
    if (const auto config = section.Find("config")) {
      phase->config.merge_patch(ReadJson(*config, section.PathOf("config")));
    }
    section.Read("variant", &phase->variant);
    if (section.Find("ranks")) section.Read("ranks", std::uint32_t{1}, &phase->ranks.emplace());
    if (const auto cold = section.Find("cold")) {
      phase->cold = ReadRequest(*cold, section.PathOf("cold"));
    }
    if (const auto requests = section.Find("requests")) {
      Each(*requests, section.PathOf("requests"),
           [&](const YAML::Node& one, const std::string& at) {
             phase->requests.push_back(ReadRequest(one, at));
           });
    }
  }

  json ReadRequest(const YAML::Node& node, const std::string& path) {
    json request = ReadJson(node, path);
    if (request.is_object() && !request.contains("do")) request["do"] = "complete";
    return request;
  }

  void ReadRecord(const YAML::Node& node, const std::string& path, ExpectedRecords* records) {
    const YamlSection section(node, path, kRecordKeys, &file_);
    if (!node.IsMap()) return;
    section.Read("count", std::uint64_t{0}, &records->count);
    for (const auto& [key, out] :
         {std::pair{"choose", &records->choose}, {"fields", &records->fields}}) {
      if (const auto value = section.Find(key)) *out = ReadJson(*value, section.PathOf(key));
    }
    if (const auto differs = section.Find("differs")) {
      Each(*differs, section.PathOf("differs"), [&](const YAML::Node& one, const std::string& at) {
        if (!one.IsScalar()) {
          file_.Add(one, at, KindOf(one), "the name of a field or a section");
        } else {
          records->differs.push_back(one.Scalar());
        }
      });
    }
  }

  // `true`, or a mapping that says where and why.
  void ReadRefused(const YamlSection& section, ExpectedAnswer* answer) {
    const auto node = section.Find("refused");
    if (!node || !node->IsMap()) return ReadFlag(section, "refused", &answer->refused);
    const std::string path = section.PathOf("refused");
    const YamlSection refused(*node, path, kRefusedKeys, &file_);
    answer->refused = true;
    refused.Read("why", &answer->why);
    refused.Read("words", &answer->words);
    const auto cells = refused.Find("cells");
    if (!cells) return;
    Each(*cells, refused.PathOf("cells"), [&](const YAML::Node& one, const std::string& at) {
      const auto key = one.IsScalar() ? CellNamed(one.Scalar()) : std::nullopt;
      if (key && !key->IsOwnCheck()) {
        answer->refused_in.push_back(*key);
      } else {
        file_.Add(one, at, KindOf(one),
                  "candidate_to_candidate, reference_to_candidate or candidate_to_reference: what "
                  "the reference refuses of its own is refused in every cell, `refused: true`");
      }
    });
  }

  void ReadAnswer(const YAML::Node& node, const std::string& path, ExpectedAnswer* answer) {
    const YamlSection section(node, path, kAnswerKeys, &file_);
    if (!node.IsMap()) return;
    ReadFlag(section, "miss", &answer->miss);
    ReadRefused(section, answer);
    section.Read("why", &answer->why);
    if (!answer->why.empty() && !answer->refused) {
      file_.AddAt(section.at(), section.PathOf("why"), Quoted(answer->why),
                  "nothing, as `refused` is not true");
    }
    ReadFlag(section, "shared_risk", &answer->shared_risk);
    std::size_t from = 0;
    section.ReadChoice("from", {"disk", "memory"}, &from);
    answer->from_memory = from == 1;
    for (const auto& [key, out] : {std::pair{"prompt", &answer->prompt},
                                   {"cached", &answer->cached},
                                   {"computed", &answer->computed},
                                   {"output", &answer->output}}) {
      if (section.Find(key)) section.Read(key, std::uint64_t{0}, &out->emplace());
    }
    section.Read("finish", &answer->finish);
    if (const auto route = section.Find("route")) {
      answer->route = ReadJson(*route, section.PathOf("route"));
    }
  }

  void ReadOracles(const YAML::Node& node, Oracles* oracles) {
    const YamlSection section(node, "oracles", kOracleKeys, &file_);
    if (!node.IsMap()) return;
    section.Read("lane", &oracles->lane);
    ExpectLane(oracles->lane, section.at(), section.PathOf("lane"));
    section.Read("budget", &oracles->budget);
    if (!oracles->budget.empty() && !oracles->budget.starts_with('/')) {
      file_.AddAt(section.at(), section.PathOf("budget"), Quoted(oracles->budget),
                  "a JSON pointer, such as \"/kv/budget_bytes\"");
    }
    section.Read("spare_percent", std::uint64_t{0}, &oracles->spare_percent);
    oracles->shared = defaults_;
    for (const auto& [key, out] :
         {std::pair{"in_the_way", &oracles->in_the_way}, {"shared", &oracles->shared}}) {
      if (const auto value = section.Find(key)) {
        out->merge_patch(ReadJson(*value, section.PathOf(key)));
      }
    }
    if (const auto requests = section.Find("requests")) {
      Each(*requests, section.PathOf("requests"),
           [&](const YAML::Node& one, const std::string& at) {
             oracles->requests.push_back(ReadRequest(one, at));
           });
    }
  }

  void ExpectLane(const std::string& name, Position at, const std::string& path) {
    for (const Lane& lane : lanes_.lanes) {
      if (lane.name == name) return;
    }
    file_.AddAt(at, path, Quoted(name), "the name of a lane");
  }

  void ReadExceptions(const YAML::Node& node) {
    Each(node, "exceptions", [&](const YAML::Node& one, const std::string& path) {
      const YamlSection section(one, path, kExceptionKeys, &file_);
      LaneException& exception = lanes_.exceptions.emplace_back();
      exception.at = section.at();
      for (const auto& [key, out] : {std::pair{"id", &exception.id},
                                     {"lane", &exception.lane},
                                     {"check", &exception.check},
                                     {"signature", &exception.signature},
                                     {"reason", &exception.reason},
                                     {"until", &exception.until}}) {
        section.Read(key, out);
      }
      ExpectLane(exception.lane, exception.at, section.PathOf("lane"));
    });
  }

  void ReadFlag(const YamlSection& section, const std::string& key, bool* out) {
    std::size_t choice = *out ? 1 : 0;
    section.ReadChoice(key, {"false", "true"}, &choice);
    *out = choice == 1;
  }

  json ReadJson(const YAML::Node& node, const std::string& path) {
    json value = ToJson(node, path, folder_, &file_);
    if (value.is_object()) return value;
    file_.Add(node, path, KindOf(node), "a mapping");
    return json::object();
  }

  std::string folder_;
  YamlFile file_;
  json defaults_ = json::object();
  Lanes lanes_;
};

}  // namespace

Lanes ReadLanes(const std::string& path) {
  std::ifstream stream(path);
  std::ostringstream text;
  if (!stream || !(text << stream.rdbuf())) {
    throw InvalidInput({{path, {}, "cannot be read", "", "lanes of a KV matrix (YAML)"}});
  }
  return ReadLanesText(path, text.str());
}

Lanes ReadLanesText(const std::string& path, const std::string& text) {
  const YAML::Node root = LoadOneDocument(path, text);
  CheckExpansion(root, path);
  return LanesReader(path).Read(root);
}

}  // namespace parity::kv
