// Which servers are started, and what each is asked.
#ifndef GTEST_PARITY_SUITES_WIRE_CAMPAIGN_SESSIONS_H_
#define GTEST_PARITY_SUITES_WIRE_CAMPAIGN_SESSIONS_H_

#include <functional>
#include <string>
#include <vector>

#include "suites/wire/campaign/plan_asks.h"

namespace parity::wire {

// One server from its start to its end.
struct PlannedSession {
  std::string name;  // "serial", "serial.shutdown"
  const WireLane* lane = nullptr;
  std::vector<Place> places;
};

// Every place of a lane, in the order in which they are played.
std::vector<Place> PlacesOf(const Probes& probes, const WireLane& lane);

// A lane's server for all but those that want one of their own. Only places for which `wanted`
// holds, and those that they refer to; no session without any.
std::vector<PlannedSession> PlanSessions(
    const Probes& probes, const std::function<bool(const WireLane&, const Place&)>& wanted);

// In which session of those a place is played.
std::string SessionName(const WireLane& lane, const Place& place);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_CAMPAIGN_SESSIONS_H_
