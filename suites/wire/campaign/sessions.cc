#include "suites/wire/campaign/sessions.h"

#include <algorithm>
#include <set>

namespace parity::wire {
namespace {

bool RunsIn(const Probe& probe, const WireLane& lane) {
  return std::find(probe.lanes.begin(), probe.lanes.end(), lane.name) != probe.lanes.end();
}

// Probes that `text` names by a pointer: ${/chat/plain/text}.
void AddNamedIn(const std::string& text, const Probes& probes, std::set<std::string>* names) {
  constexpr std::string_view kBegin = "${/";
  for (std::size_t at = 0; (at = text.find(kBegin, at)) != std::string::npos; ++at) {
    const std::size_t surface_end = text.find('/', at + kBegin.size());
    if (surface_end == std::string::npos) continue;
    const std::size_t end = text.find_first_of("/}", surface_end + 1);
    const std::string name = text.substr(surface_end + 1, end - surface_end - 1);
    if (probes.Find(name) != nullptr) names->insert(name);
  }
}

void AddNamedBy(const Ask& ask, const Probes& probes, std::set<std::string>* names) {
  for (const std::string* link : {&ask.same_as, &ask.same_prompt_as, &ask.cut_of, &ask.warm_of}) {
    if (!link->empty()) names->insert(*link);
  }
  AddNamedIn(ask.ask.dump() + ask.body.dump() + ask.set.dump() + ask.path + ask.marker, probes,
             names);
  for (const auto& [surface, body] : ask.body_of) AddNamedIn(body.dump(), probes, names);
}

std::set<std::string> NamedBy(const Probe& probe, const Probes& probes) {
  std::set<std::string> names;
  AddNamedBy(probe.own, probes, &names);
  for (const Ask& ask : probe.beside) AddNamedBy(ask, probes, &names);
  for (const Ask& ask : probe.after) AddNamedBy(ask, probes, &names);
  names.erase(probe.name);
  return names;
}

// A place, what its own and its further connections refer to, and what the stream of a probe is
// compared with: all ways of the probes that it names, and its own.
class Wanted {
 public:
  Wanted(const Probes& probes, const WireLane& lane) : probes_(probes), lane_(lane) {}

  void Add(const Place& place) {
    if (!names_.insert(place.Name()).second) return;
    const Probe& probe = *place.probe;
    for (const Way way : probe.ways) Add({&probe, place.surface, way});
    if (!probe.alike.empty()) {
      for (const Way way : probe.ways) Add({&probe, probe.alike[0], way});
    }
    for (const std::string& named : NamedBy(probe, probes_)) AddProbe(*probes_.Find(named));
  }

  bool Has(const Place& place) const { return names_.contains(place.Name()); }

 private:
  void AddProbe(const Probe& probe) {
    if (!RunsIn(probe, lane_)) return;
    for (const Surface surface : probe.surfaces) {
      for (const Way way : probe.ways) Add({&probe, surface, way});
    }
  }

  const Probes& probes_;
  const WireLane& lane_;
  std::set<std::string> names_;
};

}  // namespace

std::vector<Place> PlacesOf(const Probes& probes, const WireLane& lane) {
  std::vector<Place> places;
  for (const Probe& probe : probes.probes) {
    if (!RunsIn(probe, lane)) continue;
    for (const Surface surface : probe.surfaces) {
      for (const Way way : probe.ways) {
        if (!Generates(surface) && way == Way::kStreamed) continue;
        places.push_back({&probe, surface, way});
      }
    }
  }
  return places;
}

std::string SessionName(const WireLane& lane, const Place& place) {
  if (!place.probe->fresh) return lane.name;
  std::string name = lane.name + "." + place.probe->name;
  if (!place.probe->ends_server) return name;
  name += "." + std::string(NameOf(place.surface)) + "." + std::string(NameOf(place.way));
  return name;
}

std::vector<PlannedSession> PlanSessions(
    const Probes& probes, const std::function<bool(const WireLane&, const Place&)>& wanted) {
  std::vector<PlannedSession> sessions;
  for (const WireLane& lane : probes.lanes) {
    const std::vector<Place> places = PlacesOf(probes, lane);
    Wanted all(probes, lane);
    for (const Place& place : places) {
      if (wanted(lane, place)) all.Add(place);
    }
    for (const Place& place : places) {
      if (!all.Has(place)) continue;
      const std::string name = SessionName(lane, place);
      auto session = std::find_if(sessions.begin(), sessions.end(),
                                  [&](const PlannedSession& one) { return one.name == name; });
      if (session == sessions.end()) session = sessions.insert(session, {name, &lane, {}});
      session->places.push_back(place);
    }
  }
  return sessions;
}

}  // namespace parity::wire
