#include "suites/wire/probes/probe.h"

#include <algorithm>

namespace parity::wire {

const WireLane& Probes::LaneOf(std::string_view name) const {
  return *std::find_if(lanes.begin(), lanes.end(),
                       [&](const WireLane& lane) { return lane.name == name; });
}

const Probe* Probes::Find(std::string_view name) const {
  const auto found = std::find_if(probes.begin(), probes.end(),
                                  [&](const Probe& probe) { return probe.name == name; });
  return found == probes.end() ? nullptr : &*found;
}

bool Generates(Surface surface) { return surface <= Surface::kResponses; }

std::string_view NameOf(Way way) { return way == Way::kBuffered ? "buffered" : "streamed"; }

std::string ExchangeName(const Probe& probe, Surface surface, Way way) {
  const std::string name = std::string(NameOf(surface)) + "/" + probe.name;
  return Generates(surface) ? name + "/" + std::string(NameOf(way)) : name;
}

}  // namespace parity::wire
