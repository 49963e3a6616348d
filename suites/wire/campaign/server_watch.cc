#include "suites/wire/campaign/server_watch.h"

#include <chrono>
#include <thread>
#include <utility>

#include "suites/wire/campaign/counters.h"
#include "suites/wire/campaign/metrics_reading.h"
#include "suites/wire/client/play.h"

namespace parity::wire {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::size_t kMostUnsettled = 2;
constexpr char kMetricsPath[] = "/metrics";
constexpr std::chrono::milliseconds kBetweenScrapes{5};
// Long enough that a server at work has moved some counter in between.
constexpr std::chrono::milliseconds kBetweenReadings{50};

bool HasRoles(const MetricRoles& roles) {
  return !roles.prompt_tokens.empty() || !roles.output_tokens.empty() || !roles.active.empty() ||
         !roles.alike.empty();
}

// Whether nothing but the place's own one answer moves the counters.
bool StandsAlone(const Probe& probe) {
  return probe.uncounted.empty() && probe.own.copies == 1 && probe.beside.empty() &&
         probe.after.empty() && probe.own.times == 1 && !probe.growth;
}

}  // namespace

Exchange Played(int port, PlannedAsk ask) {
  ask.exchange.events = Play(port, {ask.script})[0];
  return std::move(ask.exchange);
}

void ServerWatch::Before(const Place& place) {
  const std::string name = place.Name();
  if (TellsCounters()) Keep(Played(port_, PlanScrape(StatsBefore(name), counters_path_, "")));
  if (HasRoles(roles())) Keep(Played(port_, PlanScrape(MetricsBefore(name), kMetricsPath, "")));
}

void ServerWatch::After(const Place& place) {
  if (TellsCounters()) Settle(place);
  if (HasRoles(roles()))
    KeepMetrics(place, TellsRest() ? ReadMetrics(place) : SettledMetrics(place));
}

bool ServerWatch::TellsCounters() const {
  return !counters().started.empty() || !counters().routes.empty() || TellsRest();
}

bool ServerWatch::TellsRest() const {
  const bool sums = !counters().started.empty() && !counters().outcomes.empty();
  return !counters().at_rest.empty() || sums;
}

double ServerWatch::SettleSeconds(std::size_t failed) const {
  return failed >= kMostUnsettled ? 0 : probes_.limits.settle_seconds;
}

void ServerWatch::Settle(const Place& place) {
  const std::string name = StatsAfter(place.Name());
  const Seconds limit(SettleSeconds(record_.unsettled.size()));
  const Clock::time_point begin = Clock::now();
  for (;;) {
    Transcript one;
    one.exchanges.push_back(Played(port_, PlanScrape(name, counters_path_, "")));
    const auto told = CountersOf(one, name);
    const bool rests = told && IsAtRest(counters(), *told);
    const bool over = Clock::now() - begin > limit;
    if (over && told && !rests) record_.unsettled.push_back(place.Name());
    if (!told || over || rests) return Keep(std::move(one.exchanges[0]));
    std::this_thread::sleep_for(kBetweenScrapes);
  }
}

Exchange ServerWatch::ReadMetrics(const Place& place) const {
  return Played(port_, PlanScrape(MetricsAfter(place.Name()), kMetricsPath, ""));
}

Exchange ServerWatch::SettledMetrics(const Place& place) {
  const Seconds limit(SettleSeconds(restless_));
  const Clock::time_point begin = Clock::now();
  Exchange last = ReadMetrics(place);
  for (;;) {
    const auto before = ReadingOf(last, roles());
    if (!before) return last;
    std::this_thread::sleep_for(kBetweenReadings);
    last = ReadMetrics(place);
    const auto now = ReadingOf(last, roles());
    if (now == before && now->IsIdle()) return last;
    if (Clock::now() - begin <= limit) continue;
    ++restless_;
    return last;
  }
}

void ServerWatch::KeepMetrics(const Place& place, Exchange scrape) {
  const std::string name = place.Name();
  const bool played = record_.transcript.Find(name) != nullptr;
  if (played) scrape.after = name;
  Keep(std::move(scrape));
  if (!played || !StandsAlone(*place.probe)) return;
  // Only what moves the counters alone can be held to them.
  for (Exchange& exchange : record_.transcript.exchanges) {
    if (exchange.name == MetricsBefore(name)) exchange.before = name;
  }
}

ResourceUse LeastHeld(const std::function<ResourceUse()>& look,
                      std::optional<std::uint64_t> enough) {
  constexpr int kLooks = 20;
  ResourceUse least = look();
  for (int i = 0; i < kLooks && (!enough || least.descriptors > *enough); ++i) {
    std::this_thread::sleep_for(kBetweenScrapes);
    const ResourceUse held = look();
    if (held.descriptors <= least.descriptors) least = held;
  }
  return least;
}

}  // namespace parity::wire
