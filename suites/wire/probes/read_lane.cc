#include "suites/wire/probes/read_lane.h"

namespace parity::wire {
namespace {

using nlohmann::json;

const ManifestSection kLaneKeys = {
    "lane", {{"name", true}, {"config"}, {"body"}, {"reference"}, {"candidate"}, {"served_by"}}};
const ManifestSection kSideKeys = {"lane", {{"config"}, {"body"}}};

// What both sides have, and over it what one of them has of its own.
void ReadSide(const YamlSection& lane_section, std::size_t side, ProbeYaml& yaml, WireLane* lane) {
  yaml.Map(lane_section, "config", &lane->config[side]);
  yaml.Map(lane_section, "body", &lane->body[side]);
  const std::string own = side == kReferenceSide ? "reference" : "candidate";
  const auto node = lane_section.Find(own);
  if (!node) return;
  const YamlSection section(*node, lane_section.PathOf(own), kSideKeys, &yaml.file);
  json config = json::object(), body = json::object();
  yaml.Map(section, "config", &config);
  yaml.Map(section, "body", &body);
  lane->config[side].merge_patch(config);
  lane->body[side].merge_patch(body);
}

void ReadServedBy(const YamlSection& section, ProbeYaml& yaml, WireLane* lane) {
  json served = json::object();
  yaml.Map(section, "served_by", &served);
  for (const Way way : {Way::kBuffered, Way::kStreamed}) {
    const std::string name(NameOf(way));
    if (!served.contains(name) || !served[name].is_string()) continue;
    lane->served_by[way] = served[name].get<std::string>();
    served.erase(name);
  }
  if (served.empty()) return;
  yaml.file.AddAt(lane->at, section.PathOf("served_by"), served.dump(),
                  "buffered, streamed: the name of a lane");
}

}  // namespace

void ReadLane(const YAML::Node& node, const std::string& path, ProbeYaml& yaml, WireLane* lane) {
  const YamlSection section(node, path, kLaneKeys, &yaml.file);
  if (!node.IsMap()) return;
  lane->at = section.at();
  section.Read("name", &lane->name);
  for (const std::size_t side : {kReferenceSide, kCandidateSide}) {
    ReadSide(section, side, yaml, lane);
  }
  ReadServedBy(section, yaml, lane);
}

}  // namespace parity::wire
