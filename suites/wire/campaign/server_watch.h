// Looks at a server around each place: its counters, its metrics, and what it holds.
#ifndef GTEST_PARITY_SUITES_WIRE_CAMPAIGN_SERVER_WATCH_H_
#define GTEST_PARITY_SUITES_WIRE_CAMPAIGN_SERVER_WATCH_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "gtest_parity/server/resource_use.h"
#include "suites/wire/campaign/plan_asks.h"
#include "suites/wire/campaign/session_record.h"

namespace parity::wire {

// Plays a connection that is planned.
Exchange Played(int port, PlannedAsk ask);

class ServerWatch {
 public:
  // Scrapes become exchanges of `record`. All outlive it.
  ServerWatch(const Probes& probes, std::size_t side, SessionRecord* record)
      : probes_(probes), side_(side), record_(*record) {}

  // The server that is looked at from now on. `counters_path`: see the manifest's `counters.path`.
  void Begin(int port, const std::string& counters_path) {
    port_ = port;
    counters_path_ = counters_path;
  }

  // What the server tells before a place is played.
  void Before(const Place& place);
  // The same once it is at rest again. Where no counter tells that, once two readings of /metrics
  // agree. A server that stays at work is a fact of the record.
  void After(const Place& place);

 private:
  const CounterPlaces& counters() const { return probes_.words[side_].counters; }
  const MetricRoles& roles() const { return probes_.words[side_].metrics; }
  bool TellsCounters() const;
  bool TellsRest() const;
  void Settle(const Place& place);
  Exchange ReadMetrics(const Place& place) const;
  Exchange SettledMetrics(const Place& place);
  void KeepMetrics(const Place& place, Exchange scrape);
  // How long a server may take to come to rest. One that leaks something is waited for no more.
  double SettleSeconds(std::size_t failed) const;
  void Keep(Exchange exchange) { record_.transcript.exchanges.push_back(std::move(exchange)); }

  const Probes& probes_;
  std::size_t side_;
  SessionRecord& record_;
  int port_ = 0;
  std::string counters_path_;
  std::size_t restless_ = 0;  // places after which no two readings of /metrics agreed
};

// What a server holds: `look` reads it. Looks until that is no more descriptors than `enough`, as a
// server sees the end of a connection somewhat later than its client.
ResourceUse LeastHeld(const std::function<ResourceUse()>& look,
                      std::optional<std::uint64_t> enough);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_CAMPAIGN_SERVER_WATCH_H_
