#include "suites/wire/probes/read_probes.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include "gtest_parity/manifest/one_document.h"
#include "gtest_parity/manifest/yaml_expansion.h"
#include "suites/wire/probes/check_probes.h"
#include "suites/wire/probes/read_ask.h"
#include "suites/wire/probes/read_lane.h"

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
const ManifestSection kSideKeys = {"side", {{"counters"}, {"metrics"}}};
const ManifestSection kCounterKeys = {
    "counters", {{"routes"}, {"at_rest"}, {"started"}, {"outcomes"}, {"alike"}, {"sums"}}};
const ManifestSection kMetricKeys = {"metrics",
                                     {{"prompt_tokens"}, {"output_tokens"}, {"active"}, {"alike"}}};
const ManifestSection kLimitKeys = {
    "limits", {{"seconds"}, {"settle_seconds"}, {"grown_descriptors"}, {"grown_mebibytes"}}};
const ManifestSection kGrowthKeys = {"growth", {{"warm", true}, {"times", true}}};

ManifestSection ProbeKeys() {
  ManifestSection section = {"probe", AskKeys()};
  for (const char* key : {"surfaces", "ways", "lanes", "alike", "beside", "after", "fresh",
                          "config", "served_by", "shares", "each", "uncounted", "growth"}) {
    section.keys.push_back({key});
  }
  section.keys.push_back({"name", true});
  return section;
}

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
      ReadWords(top);
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

  // Both sides' words, then what one of them has of its own.
  void ReadWords(const YamlSection& top) {
    for (SideWords& words : probes_.words) ReadCountersAndMetrics(top, &words);
    for (const auto& [key, side] :
         {std::pair{"reference", kReferenceSide}, {"candidate", kCandidateSide}}) {
      if (const auto node = top.Find(key)) {
        ReadCountersAndMetrics(YamlSection(*node, key, kSideKeys, &yaml_.file),
                               &probes_.words[side]);
      }
    }
  }

  void ReadCountersAndMetrics(const YamlSection& in, SideWords* words) {
    if (const auto node = in.Find("counters")) {
      const YamlSection section(*node, in.PathOf("counters"), kCounterKeys, &yaml_.file);
      CounterPlaces& places = words->counters;
      section.Read("routes", &places.routes);
      section.Read("started", &places.started);
      section.Read("outcomes", &places.outcomes);
      if (section.Find("at_rest")) places.at_rest = yaml_.Texts(section, "at_rest");
      json alike = json::object();
      yaml_.Map(section, "alike", &alike);
      for (const auto& [role, pointer] : alike.items()) {
        places.alike[role] = pointer.is_string() ? pointer.get<std::string>() : pointer.dump();
      }
      json sums = json::object();
      yaml_.Map(section, "sums", &sums);
      for (const auto& [total, parts] : sums.items()) ReadSum(section, total, parts, &places);
      CheckPointers(section, places);
    }
    if (const auto node = in.Find("metrics")) {
      const YamlSection section(*node, in.PathOf("metrics"), kMetricKeys, &yaml_.file);
      section.Read("prompt_tokens", &words->metrics.prompt_tokens);
      section.Read("output_tokens", &words->metrics.output_tokens);
      section.Read("active", &words->metrics.active);
      if (section.Find("alike")) words->metrics.alike = yaml_.Texts(section, "alike");
    }
  }

  void ReadSum(const YamlSection& section, const std::string& total, const json& parts,
               CounterPlaces* places) {
    CounterSum& sum = places->sums.emplace_back();
    sum.total = total;
    for (const json& part : parts) {
      if (part.is_string()) sum.parts.push_back(part.get<std::string>());
    }
    if (parts.is_array() && sum.parts.size() == parts.size() && !parts.empty()) return;
    Add(section.at(), section.PathOf("sums"), parts.dump(), "a list of JSON pointers");
  }

  void CheckPointers(const YamlSection& section, const CounterPlaces& places) {
    std::vector<std::string> pointers = places.at_rest;
    pointers.insert(pointers.end(), {places.routes, places.started, places.outcomes});
    for (const auto& [role, pointer] : places.alike) pointers.push_back(pointer);
    for (const CounterSum& sum : places.sums) {
      pointers.push_back(sum.total);
      pointers.insert(pointers.end(), sum.parts.begin(), sum.parts.end());
    }
    for (const std::string& pointer : pointers) {
      if (pointer.empty() || pointer.starts_with('/')) continue;
      Add(section.at(), "counters", Quoted(pointer), "a JSON pointer: \"/a/b\"");
    }
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
      ReadProbe(section, &probe);
    });
  }

  void ReadProbe(const YamlSection& section, Probe* probe) {
    probe->surfaces = Surfaces(section, "surfaces");
    if (!section.Find("surfaces")) {
      probe->surfaces = {Surface::kChat, Surface::kCompletions, Surface::kMessages,
                         Surface::kResponses};
    }
    probe->alike = Surfaces(section, "alike");
    ReadWays(section, probe);
    probe->lanes = yaml_.Texts(section, "lanes");
    if (!section.Find("lanes")) {
      for (const WireLane& lane : probes_.lanes) probe->lanes.push_back(lane.name);
    }
    for (const std::string& name : probe->lanes) ExpectLane(section, "lanes", name);
    yaml_.Flag(section, "fresh", &probe->fresh);
    probe->uncounted = yaml_.Texts(section, "uncounted");
    yaml_.Map(section, "config", &probe->config);
    if (section.Find("config")) probe->fresh = true;
    ReadServedBy(section, probe);
    ReadShares(section, probe);
    if (const auto node = section.Find("growth")) {
      const YamlSection growth(*node, section.PathOf("growth"), kGrowthKeys, &yaml_.file);
      probe->growth.emplace();
      growth.Read("warm", std::uint64_t{1}, &probe->growth->warm);
      growth.Read("times", std::uint64_t{1}, &probe->growth->times);
      probe->fresh = true;
    }
    ReadAsk(section, defaults_, yaml_, &probe->own);
    if (const auto node = section.Find("beside")) {
      ReadFurther(*node, section.PathOf("beside"), defaults_, yaml_, &probe->beside);
    }
    if (const auto node = section.Find("after")) {
      ReadFurther(*node, section.PathOf("after"), defaults_, yaml_, &probe->after);
    }
    ReadEach(section, probe);
    FindCalls(section, probe);
  }

  void ReadShares(const YamlSection& section, Probe* probe) {
    json shares = json::object();
    yaml_.Map(section, "shares", &shares);
    for (const auto& [in, by] : shares.items()) {
      ExpectLane(section, "shares", in);
      if (!by.is_object()) {
        Add(section.at(), section.PathOf("shares"), by.dump(), "{lane: requests}");
        continue;
      }
      for (const auto& [lane, count] : by.items()) {
        ExpectLane(section, "shares", lane);
        if (!count.is_number_unsigned()) {
          Add(section.at(), section.PathOf("shares"), count.dump(), "a number of requests");
        } else {
          probe->shares[in][lane] = count.get<std::uint64_t>();
        }
      }
    }
  }

  // Each value of each member is a connection of its own: the probe's question with that member.
  void ReadEach(const YamlSection& section, Probe* probe) {
    json each = json::object();
    yaml_.Map(section, "each", &each);
    for (const auto& [member, values] : each.items()) {
      if (!values.is_array()) {
        Add(section.at(), section.PathOf("each"), values.dump(), "a list of values");
        continue;
      }
      for (std::size_t i = 0; i < values.size(); ++i) {
        Ask& ask = probe->after.emplace_back();
        ask.name = member + "_" + std::to_string(i);
        ask.ask = probe->own.ask;
        ask.body = probe->own.body;
        ask.body_of = probe->own.body_of;
        ask.set = {{member, values[i]}};
      }
    }
  }

  std::vector<Surface> Surfaces(const YamlSection& section, const std::string& key) {
    std::vector<Surface> surfaces;
    for (const std::string& name : yaml_.Texts(section, key)) {
      Surface surface = Surface::kOther;
      if (!ParseName(name, &surface)) {
        Add(section.at(), section.PathOf(key), Quoted(name), ExpectedName(name, SurfaceNames()));
      }
      surfaces.push_back(surface);
    }
    return surfaces;
  }

  void ReadWays(const YamlSection& section, Probe* probe) {
    for (const std::string& name : yaml_.Texts(section, "ways")) {
      if (name != "buffered" && name != "streamed") {
        Add(section.at(), section.PathOf("ways"), Quoted(name), "\"buffered\" or \"streamed\"");
      }
      probe->ways.push_back(name == "streamed" ? Way::kStreamed : Way::kBuffered);
    }
    if (!section.Find("ways")) probe->ways = {Way::kBuffered, Way::kStreamed};
    // Only what generates can stream.
    const bool generates = std::any_of(probe->surfaces.begin(), probe->surfaces.end(), Generates);
    if (!generates && !section.Find("ways")) probe->ways = {Way::kBuffered};
  }

  void ReadServedBy(const YamlSection& section, Probe* probe) {
    json served = json::object();
    yaml_.Map(section, "served_by", &served);
    for (const auto& [in, by] : served.items()) {
      ExpectLane(section, "served_by", in);
      for (const Way way : {Way::kBuffered, Way::kStreamed}) {
        const json name = by.is_object() ? by.value(std::string(NameOf(way)), json(in)) : by;
        const std::string lane = name.is_string() ? name.get<std::string>() : name.dump();
        // One lane for both ways is told once.
        if (by.is_object() || way == Way::kBuffered) ExpectLane(section, "served_by", lane);
        probe->served_by[{in, way}] = lane;
      }
    }
  }

  void ExpectLane(const YamlSection& section, const std::string& key, const std::string& name) {
    std::vector<std::string> names;
    for (const WireLane& lane : probes_.lanes) names.push_back(lane.name);
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    Add(section.at(), section.PathOf(key), Quoted(name), ExpectedName(name, names));
  }

  void FindCalls(const YamlSection& section, Probe* probe) {
    std::vector<Ask> all = probe->beside;
    all.insert(all.end(), probe->after.begin(), probe->after.end());
    all.push_back(probe->own);
    for (const Ask& ask : all) {
      for (const std::vector<Step>* steps : {&ask.first, &ask.then}) {
        for (const Step& step : *steps) {
          if (step.kind != Step::Kind::kCall) continue;
          probe->ends_server = true;
          if (step.text == "stop_server") continue;
          Add(section.at(), section.PathOf("then"), Quoted(step.text), "\"stop_server\"");
        }
      }
    }
    if (probe->ends_server) probe->fresh = true;
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
