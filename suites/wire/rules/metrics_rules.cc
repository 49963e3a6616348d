// M-04 to M-07, W-43: what /metrics says, and says about requests.
#include <map>

#include "gtest_parity/judge/number_text.h"
#include "gtest_parity/manifest/diagnostics.h"
#include "suites/wire/metrics/exposition.h"
#include "suites/wire/rules/rule.h"

namespace parity::wire {
namespace {

bool IsScrape(const ExchangeView& view) {
  return view.answers[0].request->surface == Surface::kMetrics && view.answers[0].IsOk();
}

Exposition ScrapeOf(const ExchangeView& view) {
  return ParseExposition(view.answers[0].response->body);
}

// `visit(scrape)` for each, in the order taken.
template <typename Visit>
void EachScrape(const SideView& side, Visit visit) {
  for (const ExchangeView& view : side.exchanges()) {
    if (IsScrape(view)) visit(view);
  }
}

void CheckFormat(const SideView& side, Report& report) {
  std::map<std::string, double> counters;
  EachScrape(side, [&](const ExchangeView& view) {
    const std::string* type = view.answers[0].response->Find("content-type");
    report.Expect(type != nullptr && type->starts_with("text/plain"), view.name(), "Content-Type",
                  type == nullptr ? "none" : *type, "text/plain; version=0.0.4");
    const Exposition scrape = ScrapeOf(view);
    for (const std::string& problem : scrape.problems) {
      report.Add(view.name(), "body", problem, "the exposition format");
    }
    for (const Sample& sample : scrape.samples) {
      if (scrape.TypeOf(sample) != "counter") continue;
      const auto [known, fresh] = counters.try_emplace(SeriesOf(sample), sample.value);
      report.Expect(known->second <= sample.value, view.name(), SeriesOf(sample),
                    ShortText(sample.value),
                    "at least " + ShortText(known->second) + ", as before");
      known->second = sample.value;
    }
  });
}

// The scrape that was taken `before` or `after` the exchange `name`.
const ExchangeView* ScrapeAt(const SideView& side, const std::string& name,
                             std::string Exchange::*when) {
  for (const ExchangeView& view : side.exchanges()) {
    if (IsScrape(view) && view.exchange->*when == name) return &view;
  }
  return nullptr;
}

void ExpectMoved(const std::string& role, const Exposition& before, const Exposition& after,
                 const std::optional<std::int64_t>& usage, const std::string& exchange,
                 Report& report) {
  if (role.empty() || !usage) return;
  const auto from = before.Sum(role), to = after.Sum(role);
  report.Expect(from && to && *to - *from == static_cast<double>(*usage), exchange, role,
                from && to ? "moved by " + ShortText(*to - *from) : "no such series",
                std::to_string(*usage) + ", the answer's usage");
}

void CheckMoved(const SideView& side, Report& report) {
  const MetricRoles& roles = report.options().metrics;
  for (const ExchangeView& view : side.exchanges()) {
    const auto& usage = view.answers[0].answer.usage;
    const ExchangeView* before = ScrapeAt(side, view.name(), &Exchange::before);
    const ExchangeView* after = ScrapeAt(side, view.name(), &Exchange::after);
    if (!usage || before == nullptr || after == nullptr) continue;
    const Exposition from = ScrapeOf(*before), to = ScrapeOf(*after);
    ExpectMoved(roles.prompt_tokens, from, to, usage->prompt, view.name(), report);
    ExpectMoved(roles.output_tokens, from, to, usage->output, view.name(), report);
  }
}

void CheckIdle(const SideView& side, Report& report) {
  const std::string& role = report.options().metrics.active;
  EachScrape(side, [&](const ExchangeView& view) {
    if (role.empty() || view.exchange->after.empty()) return;
    const auto active = ScrapeOf(view).Sum(role);
    report.Expect(active && *active == 0, view.name(), role,
                  active ? ShortText(*active) : "no such series",
                  "0 after " + view.exchange->after);
  });
}

// What one family counts of a request that was aborted, the others do too.
void CheckAlike(const SideView& side, Report& report) {
  const std::vector<std::string>& series = report.options().metrics.alike;
  if (series.size() < 2) return;
  EachScrape(side, [&](const ExchangeView& view) {
    if (view.exchange->after.empty()) return;
    const Exposition scrape = ScrapeOf(view);
    const auto first = scrape.Sum(series[0]);
    for (std::size_t i = 1; i < series.size(); ++i) {
      const auto sum = scrape.Sum(series[i]);
      report.Expect(first && sum && *first == *sum, view.name(), series[i],
                    sum ? ShortText(*sum) : "no such series",
                    (first ? ShortText(*first) : "no such series") + ", as " + series[0] +
                        " after " + view.exchange->after);
    }
  });
}

// Two scrapes with nothing in between: the second finds all that the first found.
void CheckScrape(const SideView& side, Report& report) {
  EachScrape(side, [&](const ExchangeView& view) {
    const ExchangeView* before = side.Find(view.exchange->after);
    if (before == nullptr || !IsScrape(*before)) return;
    std::map<std::string, double> now;
    for (const Sample& sample : ScrapeOf(view).samples) now[SeriesOf(sample)] = sample.value;
    const Exposition earlier = ScrapeOf(*before);
    for (const Sample& sample : earlier.samples) {
      const std::string type = earlier.TypeOf(sample);
      if (type != "histogram" && type != "summary") continue;
      const auto found = now.find(SeriesOf(sample));
      report.Expect(found != now.end() && found->second >= sample.value, view.name(),
                    SeriesOf(sample), found == now.end() ? "gone" : ShortText(found->second),
                    "at least " + ShortText(sample.value) + ", as before this scrape");
    }
  });
}

constexpr Rule kRules[] = {
    {"W-43", Layer::kCore, kAll, "scrapes", "/metrics is well formed, and counters never fall",
     CheckFormat},
    {"M-04", Layer::kCore, kAll, "scrapes before and after, roles",
     "counters move by the answer's usage", CheckMoved},
    {"M-05", Layer::kCore, kAll, "a scrape after, the role active", "nothing stays active",
     CheckIdle},
    {"M-06", Layer::kCore, kAll, "scrapes after, series that are alike",
     "all families count the same requests", CheckAlike},
    {"M-07", Layer::kCore, kAll, "a scrape after a scrape", "a scrape has no side effect",
     CheckScrape},
};

}  // namespace

std::span<const Rule> MetricsRules() { return kRules; }

}  // namespace parity::wire
