#include "suites/wire/campaign/wire_cases.h"

#include <algorithm>
#include <set>

#include "suites/wire/campaign/rule_groups.h"

namespace parity::wire {
namespace {

// Whether both sides' metrics are told.
bool HasMetrics(const Probes& probes) {
  const auto told = [](const SideWords& words) {
    return !words.metrics.prompt_tokens.empty() || !words.metrics.output_tokens.empty() ||
           !words.metrics.active.empty() || !words.metrics.alike.empty();
  };
  return told(probes.words[kReferenceSide]) && told(probes.words[kCandidateSide]);
}

void AddSurfaces(const WireLane& lane, const std::vector<Place>& places,
                 std::vector<WireCase>* cases) {
  std::set<Surface> surfaces, streamed;
  for (const Place& place : places) {
    surfaces.insert(place.surface);
    if (place.way == Way::kStreamed) streamed.insert(place.surface);
  }
  for (const Surface surface : surfaces) {
    for (const std::string_view group : GroupsOf(surface, streamed.contains(surface))) {
      WireCase which;
      which.fixture = kSurfaceFixture;
      which.slug = lane.name + "_" + std::string(NameOf(surface)) + "_" + std::string(group);
      which.lane = &lane;
      which.surface = surface;
      which.group = group;
      cases->push_back(which);
    }
  }
}

void AddProbes(const WireLane& lane, const std::vector<Place>& places,
               std::vector<WireCase>* cases) {
  for (const Place& place : places) {
    WireCase which;
    which.fixture = kProbeFixture;
    which.slug = lane.name + "_" + std::string(NameOf(place.surface)) + "_" + place.probe->name;
    which.lane = &lane;
    which.surface = place.surface;
    which.probe = place.probe;
    // One for all ways.
    if (cases->empty() || cases->back().slug != which.slug) cases->push_back(which);
  }
}

}  // namespace

bool WireCase::Needs(const WireLane& in, const Place& place) const {
  if (lane != &in) return false;
  if (fixture == kLaneFixture) return true;
  if (place.surface != surface) return false;
  return fixture == kSurfaceFixture || place.probe == probe;
}

std::vector<WireCase> WireCasesOf(const Probes& probes, bool refusals) {
  std::vector<WireCase> cases;
  for (const WireLane& lane : probes.lanes) AddSurfaces(lane, PlacesOf(probes, lane), &cases);
  for (const WireLane& lane : probes.lanes) AddProbes(lane, PlacesOf(probes, lane), &cases);
  for (const WireLane& lane : probes.lanes) {
    if (PlacesOf(probes, lane).empty()) continue;
    for (const std::string_view check : {"ids", "metrics", "end"}) {
      if (check == "metrics" && !HasMetrics(probes)) continue;
      WireCase which;
      which.fixture = kLaneFixture;
      which.slug = lane.name + "_" + std::string(check);
      which.lane = &lane;
      which.group = check;
      cases.push_back(which);
    }
  }
  if (refusals) {
    WireCase which;
    which.fixture = kRefusalFixture;
    which.slug = "all";
    cases.push_back(which);
  }
  return cases;
}

}  // namespace parity::wire
