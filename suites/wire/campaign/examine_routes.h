// Whether the lane that should have served a place did, by the server's own counters.
#ifndef GTEST_PARITY_SUITES_WIRE_CAMPAIGN_EXAMINE_ROUTES_H_
#define GTEST_PARITY_SUITES_WIRE_CAMPAIGN_EXAMINE_ROUTES_H_

#include <vector>

#include "suites/wire/campaign/session_record.h"
#include "suites/wire/campaign/sessions.h"
#include "suites/wire/judge/judge_wire.h"

namespace parity::wire {

// Findings of the rule `route`: of each surface, its lane entered as often as requests of the place
// were answered, and no other lane; or each as often as the probe's shares say. None where the
// counters tell no routes.
std::vector<Finding> ExamineRoutes(const Probes& probes, std::size_t side, const WireLane& lane,
                                   const Place& place, const SessionRecord& record);

// Findings of the rule `sums`: numbers that are not the sum of their parts when the place has been
// played.
std::vector<Finding> ExamineSums(const CounterPlaces& places, const Place& place,
                                 const SessionRecord& record);

// Findings of the rule `counters`: what must move alike on both sides, and did not.
std::vector<Finding> CompareCounters(const Probes& probes, const Place& place,
                                     const SessionRecord& reference,
                                     const SessionRecord& candidate);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_CAMPAIGN_EXAMINE_ROUTES_H_
