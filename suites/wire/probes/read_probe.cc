#include "suites/wire/probes/read_probe.h"

#include <algorithm>
#include <string>
#include <vector>

#include "suites/wire/probes/read_ask.h"

namespace parity::wire {
namespace {

using nlohmann::json;

const ManifestSection kGrowthKeys = {"growth", {{"warm", true}, {"times", true}}};

class ProbeReader {
 public:
  ProbeReader(const json& defaults, const std::vector<WireLane>& lanes, ProbeYaml& yaml)
      : defaults_(defaults), lanes_(lanes), yaml_(yaml) {}

  void Read(const YamlSection& section, Probe* probe) {
    probe->surfaces = Surfaces(section, "surfaces");
    if (!section.Find("surfaces")) {
      probe->surfaces = {Surface::kChat, Surface::kCompletions, Surface::kMessages,
                         Surface::kResponses};
    }
    probe->alike = Surfaces(section, "alike");
    ReadWays(section, probe);
    probe->lanes = yaml_.Texts(section, "lanes");
    if (!section.Find("lanes")) {
      for (const WireLane& lane : lanes_) probe->lanes.push_back(lane.name);
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

 private:
  void ReadShares(const YamlSection& section, Probe* probe) {
    json shares = json::object();
    yaml_.Map(section, "shares", &shares);
    for (const auto& [in, by] : shares.items()) {
      ExpectLane(section, "shares", in);
      if (!by.is_object()) {
        yaml_.file.AddAt(section.at(), section.PathOf("shares"), by.dump(), "{lane: requests}");
        continue;
      }
      for (const auto& [lane, count] : by.items()) {
        ExpectLane(section, "shares", lane);
        if (!count.is_number_unsigned()) {
          yaml_.file.AddAt(section.at(), section.PathOf("shares"), count.dump(),
                           "a number of requests");
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
        yaml_.file.AddAt(section.at(), section.PathOf("each"), values.dump(), "a list of values");
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
        yaml_.file.AddAt(section.at(), section.PathOf(key), Quoted(name),
                         ExpectedName(name, SurfaceNames()));
      }
      surfaces.push_back(surface);
    }
    return surfaces;
  }

  void ReadWays(const YamlSection& section, Probe* probe) {
    for (const std::string& name : yaml_.Texts(section, "ways")) {
      if (name != "buffered" && name != "streamed") {
        yaml_.file.AddAt(section.at(), section.PathOf("ways"), Quoted(name),
                         "\"buffered\" or \"streamed\"");
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
    for (const WireLane& lane : lanes_) names.push_back(lane.name);
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    yaml_.file.AddAt(section.at(), section.PathOf(key), Quoted(name), ExpectedName(name, names));
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
          yaml_.file.AddAt(section.at(), section.PathOf("then"), Quoted(step.text),
                           "\"stop_server\"");
        }
      }
    }
    if (probe->ends_server) probe->fresh = true;
  }

  const json& defaults_;
  const std::vector<WireLane>& lanes_;
  ProbeYaml& yaml_;
};

}  // namespace

ManifestSection ProbeKeys() {
  ManifestSection section = {"probe", AskKeys()};
  for (const char* key : {"surfaces", "ways", "lanes", "alike", "beside", "after", "fresh",
                          "config", "served_by", "shares", "each", "uncounted", "growth"}) {
    section.keys.push_back({key});
  }
  section.keys.push_back({"name", true});
  return section;
}

void ReadProbe(const YamlSection& section, const json& defaults, const std::vector<WireLane>& lanes,
               ProbeYaml& yaml, Probe* probe) {
  ProbeReader(defaults, lanes, yaml).Read(section, probe);
}

}  // namespace parity::wire
