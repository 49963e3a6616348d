// What a probe's own case looks at, besides the rules.
#ifndef GTEST_PARITY_SUITES_WIRE_CAMPAIGN_EXAMINE_PLACE_H_
#define GTEST_PARITY_SUITES_WIRE_CAMPAIGN_EXAMINE_PLACE_H_

#include <string>
#include <vector>

#include "suites/wire/campaign/refusals.h"
#include "suites/wire/campaign/session_pair.h"
#include "suites/wire/campaign/sessions.h"

namespace parity::wire {

struct PlaceContext {
  const Probes* probes = nullptr;
  const WireLane* lane = nullptr;
  Refusals* refusals = nullptr;
  std::string today;
};

struct PlaceFindings {
  std::vector<ClassedFinding> findings;
  std::vector<std::string> notes;
  std::size_t exchanges = 0;  // that both sides have
};

// Whether an exchange is of the place: its own, a copy, or a further connection; no scrape.
bool IsOf(const Place& place, const std::string& exchange);

// Where the reference played it to its end. Pairs how requests were taken, holds counters to the
// routes, and the server to what it may hold and how it must end.
PlaceFindings ExaminePlace(const Place& place, SessionPair& pair, const PlaceContext& context);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_CAMPAIGN_EXAMINE_PLACE_H_
