// The connections of a probe, ready to be played.
#ifndef GTEST_PARITY_SUITES_WIRE_CAMPAIGN_PLAN_ASKS_H_
#define GTEST_PARITY_SUITES_WIRE_CAMPAIGN_PLAN_ASKS_H_

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "suites/wire/client/script.h"
#include "suites/wire/probes/probe.h"
#include "suites/wire/transcript/exchange.h"

namespace parity::wire {

// A probe in one of the forms that it is run in.
struct Place {
  const Probe* probe = nullptr;
  Surface surface = Surface::kChat;
  Way way = Way::kBuffered;

  std::string Name() const { return ExchangeName(*probe, surface, way); }
};

struct AskContext {
  const Probes* probes = nullptr;
  const WireLane* lane = nullptr;
  std::size_t side = kReferenceSide;
  const nlohmann::json* known = nullptr;  // see known.h
  const Transcript* so_far = nullptr;     // of the session
};

struct PlannedAsk {
  std::string further;  // the connection's name; empty: the probe's own
  Exchange exchange;    // without events
  Script script;
};

// A ${/pointer} names nothing that was answered.
class NotAnswered : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What is played at once: the probe's own connection, its copies, and those beside it. Throws
// NotAnswered.
std::vector<PlannedAsk> PlanAsks(const Place& place, const AskContext& context);
// One of those after it.
PlannedAsk PlanAfter(const Place& place, const Ask& ask, const AskContext& context);

// A GET that is no part of any probe.
PlannedAsk PlanScrape(const std::string& name, const std::string& path, const std::string& lane);

// The lane that should serve a place.
std::string ServedBy(const Place& place, const WireLane& lane);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_CAMPAIGN_PLAN_ASKS_H_
