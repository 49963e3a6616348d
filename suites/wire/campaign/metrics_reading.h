// What one scrape of /metrics says of requests.
#ifndef GTEST_PARITY_SUITES_WIRE_CAMPAIGN_METRICS_READING_H_
#define GTEST_PARITY_SUITES_WIRE_CAMPAIGN_METRICS_READING_H_

#include <optional>

#include "suites/wire/rules/rule.h"
#include "suites/wire/transcript/exchange.h"

namespace parity::wire {

// Nothing where the server has no such series.
struct MetricsReading {
  std::optional<double> prompt_tokens, output_tokens, active;

  bool operator==(const MetricsReading&) const = default;
  bool IsIdle() const { return active.value_or(0) == 0; }
};

// Nothing where the scrape was not answered.
std::optional<MetricsReading> ReadingOf(const Exchange& scrape, const MetricRoles& roles);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_CAMPAIGN_METRICS_READING_H_
