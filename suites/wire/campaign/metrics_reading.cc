#include "suites/wire/campaign/metrics_reading.h"

#include "suites/wire/metrics/exposition.h"
#include "suites/wire/rules/view.h"

namespace parity::wire {

std::optional<MetricsReading> ReadingOf(const Exchange& scrape, const MetricRoles& roles) {
  Transcript one;
  one.exchanges.push_back(scrape);
  const SideView view(one);
  const AnswerView& answer = view.exchanges()[0].answers[0];
  if (!answer.IsOk()) return std::nullopt;
  const Exposition told = ParseExposition(answer.response->body);
  const auto sum = [&](const std::string& role) {
    return role.empty() ? std::nullopt : told.Sum(role);
  };
  return MetricsReading{sum(roles.prompt_tokens), sum(roles.output_tokens), sum(roles.active)};
}

}  // namespace parity::wire
