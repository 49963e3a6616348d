// What a server's counters say about a place: the scrapes around it.
#ifndef GTEST_PARITY_SUITES_WIRE_CAMPAIGN_COUNTERS_H_
#define GTEST_PARITY_SUITES_WIRE_CAMPAIGN_COUNTERS_H_

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "suites/wire/probes/probe.h"

namespace parity::wire {

// Whether nothing is under way, and all that began has come to an outcome.
bool IsAtRest(const CounterPlaces& places, const nlohmann::json& counters);

// The JSON that a scrape was answered with; nothing where it was none.
std::optional<nlohmann::json> CountersOf(const Transcript& transcript, const std::string& scrape);

// Nothing where there is no whole number at `pointer`, or that is empty.
std::optional<std::int64_t> NumberAt(const nlohmann::json& counters, const std::string& pointer);

// By how much a number has moved; nothing where it is in neither.
std::optional<std::int64_t> Moved(const nlohmann::json& before, const nlohmann::json& after,
                                  const std::string& pointer);

std::string StatsBefore(const std::string& place);  // the scrapes' names
std::string StatsAfter(const std::string& place);
std::string MetricsBefore(const std::string& place);
std::string MetricsAfter(const std::string& place);

// "/server/routes/{surface}/{lane}" of one of each.
std::string RoutePointer(const std::string& routes, Surface surface, const std::string& lane);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_CAMPAIGN_COUNTERS_H_
