#include "suites/wire/campaign/counters.h"

#include <algorithm>

#include "suites/wire/rules/view.h"

namespace parity::wire {
namespace {

using nlohmann::json;

std::string Replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
  return text;
}

}  // namespace

std::optional<std::int64_t> NumberAt(const json& counters, const std::string& pointer) {
  const json::json_pointer at(pointer);
  if (pointer.empty() || !counters.contains(at)) return std::nullopt;
  const json& value = counters.at(at);
  if (!value.is_number_integer()) return std::nullopt;
  return value.get<std::int64_t>();
}

bool IsAtRest(const CounterPlaces& places, const json& counters) {
  const bool idle = std::all_of(
      places.at_rest.begin(), places.at_rest.end(),
      [&](const std::string& pointer) { return NumberAt(counters, pointer).value_or(0) == 0; });
  const auto started = NumberAt(counters, places.started);
  const json::json_pointer outcomes(places.outcomes);
  if (!idle || !started || places.outcomes.empty() || !counters.contains(outcomes)) return idle;
  std::int64_t sum = 0;
  for (const json& one : counters.at(outcomes)) {
    sum += one.is_number_integer() ? one.get<std::int64_t>() : 0;
  }
  return sum == *started;
}

std::optional<json> CountersOf(const Transcript& transcript, const std::string& scrape) {
  const Exchange* exchange = transcript.Find(scrape);
  if (exchange == nullptr) return std::nullopt;
  Transcript one;
  one.exchanges.push_back(*exchange);
  const SideView view(one);
  const AnswerView& answer = view.exchanges()[0].answers[0];
  if (!answer.IsOk() || !answer.body.is_object()) return std::nullopt;
  return answer.body;
}

std::optional<std::int64_t> Moved(const json& before, const json& after,
                                  const std::string& pointer) {
  const auto from = NumberAt(before, pointer), to = NumberAt(after, pointer);
  if (!from && !to) return std::nullopt;
  return to.value_or(0) - from.value_or(0);
}

std::string StatsBefore(const std::string& place) { return place + ".stats_before"; }
std::string StatsAfter(const std::string& place) { return place + ".stats_after"; }
std::string MetricsBefore(const std::string& place) { return place + ".metrics_before"; }
std::string MetricsAfter(const std::string& place) { return place + ".metrics_after"; }

std::string RoutePointer(const std::string& routes, Surface surface, const std::string& lane) {
  return Replaced(Replaced(routes, "{surface}", std::string(NameOf(surface))), "{lane}", lane);
}

}  // namespace parity::wire
