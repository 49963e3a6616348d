#include "gtest_parity/engines/tiny/server/ledger.h"

#include <iterator>
#include <string>

namespace parity::tiny_server {
namespace {

template <std::size_t N>
Json ByName(const std::array<std::uint64_t, N>& counts, const char* const (&names)[N]) {
  Json told = Json::object();
  for (std::size_t i = 0; i < N; ++i) told[names[i]] = counts[i];
  return told;
}

// One family of Prometheus' text: its type, then a line for each set of labels.
class Family {
 public:
  Family(std::string& text, const char* name, const char* type, const char* help)
      : text_(text), name_(std::string("parity_tiny_") + name) {
    text_ += "# HELP " + name_ + " " + help + "\n# TYPE " + name_ + " " + type + "\n";
  }
  Family& Value(std::uint64_t value, const std::string& labels = "") {
    text_ +=
        name_ + (labels.empty() ? "" : "{" + labels + "}") + " " + std::to_string(value) + "\n";
    return *this;
  }
  template <std::size_t N>
  void Values(const std::array<std::uint64_t, N>& counts, const char* const (&names)[N],
              const char* label) {
    for (std::size_t i = 0; i < N; ++i) {
      Value(counts[i], std::string(label) + "=\"" + names[i] + "\"");
    }
  }

 private:
  std::string& text_;
  std::string name_;
};

void AddRoutes(const Figures& figures, std::string& text) {
  Family family(text, "route_requests_total", "counter", "Entries into a lane.");
  for (std::size_t surface = 0; surface < std::size(kSurfaceNames); ++surface) {
    for (std::size_t lane = 0; lane < std::size(kLaneNames); ++lane) {
      family.Value(figures.routes[surface][lane], std::string("surface=\"") +
                                                      kSurfaceNames[surface] + "\",lane=\"" +
                                                      kLaneNames[lane] + "\"");
    }
  }
}

void AddContinuations(const Figures& figures, std::string& text) {
  Family(text, "continuations_total", "counter", "Tool calls that can be gone on with, by event.")
      .Value(figures.published, "event=\"published\"")
      .Value(figures.resolved, "event=\"resolved\"")
      .Value(figures.missed, "event=\"missed\"")
      .Value(figures.claimed, "event=\"claimed\"")
      .Value(figures.expired, "event=\"expired\"")
      .Value(figures.demoted, "event=\"demoted\"");
  Family(text, "continuations_live", "gauge", "Those that are kept.").Value(figures.live);
}

}  // namespace

Json StatsOf(const Figures& figures) {
  Json routes = Json::object();
  for (std::size_t i = 0; i < std::size(kSurfaceNames); ++i) {
    routes[kSurfaceNames[i]] = ByName(figures.routes[i], kLaneNames);
  }
  return {{"started", figures.started},
          {"outcomes", ByName(figures.outcomes, kOutcomeNames)},
          {"sheds", ByName(figures.sheds, kShedNames)},
          {"routes", routes},
          {"route_decisions", ByName(figures.reasons, kReasonNames)},
          {"think_modes", ByName(figures.think_modes, kThinkModeNames)},
          {"prompt_tokens_computed", figures.prompt_computed},
          {"prompt_tokens_cached", figures.prompt_cached},
          {"generated_tokens", figures.generated},
          {"greedy_instead", figures.greedy_instead},
          {"static_batches", figures.batches},
          {"continuations",
           {{"published", figures.published},
            {"resolved", figures.resolved},
            {"missed", figures.missed},
            {"claimed", figures.claimed},
            {"expired", figures.expired},
            {"demoted", figures.demoted},
            {"live", figures.live}}},
          {"clients", figures.clients},
          {"inflight_body_bytes", figures.body_bytes},
          {"queue_depth", figures.queued},
          {"running", figures.running}};
}

std::string MetricsOf(const Figures& figures, bool gathers) {
  std::string text;
  Family(text, "requests_started_total", "counter", "Requests that were queued.")
      .Value(figures.started);
  Family(text, "requests_total", "counter", "What became of them.")
      .Values(figures.outcomes, kOutcomeNames, "outcome");
  Family(text, "requests_running", "gauge", "Answers under way.").Value(figures.running);
  Family(text, "requests_queued", "gauge", "Requests that wait for a lane.").Value(figures.queued);
  AddRoutes(figures, text);
  Family(text, "route_decisions_total", "counter", "Why a lane was chosen.")
      .Values(figures.reasons, kReasonNames, "reason");
  Family(text, "shed_total", "counter", "Requests that were turned away.")
      .Values(figures.sheds, kShedNames, "reason");
  Family(text, "prompt_tokens_total", "counter", "Tokens of prompts.")
      .Value(figures.prompt_computed, "source=\"computed\"")
      .Value(figures.prompt_cached, "source=\"cached\"");
  Family(text, "generated_tokens_total", "counter", "Tokens of answers.").Value(figures.generated);
  if (gathers) {
    Family(text, "static_batches_total", "counter", "Batches of more than one request.")
        .Value(figures.batches);
  }
  AddContinuations(figures, text);
  return text;
}

}  // namespace parity::tiny_server
