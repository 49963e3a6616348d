// U-01, U-02, U-04 to U-06: what counts of tokens must come to.
#include <algorithm>
#include <vector>

#include "gtest_parity/manifest/json_object.h"
#include "suites/wire/answers/json_parts.h"
#include "suites/wire/rules/rule.h"

namespace parity::wire {
namespace {

using nlohmann::json;

std::string Text(const std::optional<std::int64_t>& count) {
  return count ? std::to_string(*count) : "none";
}

void CheckIdentities(const Subject& subject, Report& report) {
  const auto& usage = subject.answer.answer.usage;
  if (!usage) return;
  if (usage->total && usage->prompt && usage->output) {
    report.Expect(*usage->total == *usage->prompt + *usage->output, subject.name(), "total tokens",
                  Text(usage->total), Text(usage->prompt) + " + " + Text(usage->output));
  }
  for (const auto& [what, count] : {std::pair{"prompt tokens", usage->prompt},
                                    {"output tokens", usage->output},
                                    {"reasoning tokens", usage->reasoning},
                                    {"tokens written to the cache", usage->written}}) {
    if (count) report.Expect(*count >= 0, subject.name(), what, Text(count), "at least 0");
  }
  if (usage->reasoning && usage->output) {
    report.Expect(*usage->reasoning <= *usage->output, subject.name(), "reasoning tokens",
                  Text(usage->reasoning), "at most the output's " + Text(usage->output));
  }
}

void CheckCached(const Subject& subject, Report& report) {
  const auto& usage = subject.answer.answer.usage;
  if (!usage || !usage->cached || !usage->prompt) return;
  report.Expect(*usage->cached >= 0 && *usage->cached <= *usage->prompt, subject.name(),
                "cached tokens", Text(usage->cached), "0 to the prompt's " + Text(usage->prompt));
}

// Of a request that names several a server may follow any.
std::vector<std::int64_t> LimitsOf(const json& body) {
  std::vector<std::int64_t> limits;
  for (const char* key : {"max_tokens", "max_completion_tokens", "max_output_tokens"}) {
    const auto limit = CountIn(body, key);
    if (limit && *limit > 0) limits.push_back(*limit);
  }
  return limits;
}

// What is hidden as thinking or markup counts too: an answer cut by its limit has that many.
void CheckGenerated(const Subject& subject, Report& report) {
  const Answer& answer = subject.answer.answer;
  const std::vector<std::int64_t> limits = LimitsOf(subject.answer.request->body);
  if (limits.empty() || !answer.usage || !answer.usage->output) return;
  if (answer.choices.size() != 1 || answer.choices[0].finish != Finish::kLength) return;
  if (subject.meta().probe.starts_with("context")) return;
  const bool cut = std::find(limits.begin(), limits.end(), *answer.usage->output) != limits.end();
  std::string expected;
  for (const std::int64_t limit : limits) {
    expected += (expected.empty() ? "" : " or ") + std::to_string(limit);
  }
  report.Expect(cut, subject.name(), "output tokens", Text(answer.usage->output),
                expected + ", the limit that cut it");
}

std::optional<std::int64_t> CachedOf(const ExchangeView& view) {
  const auto& usage = view.answers[0].answer.usage;
  return usage ? usage->cached : std::nullopt;
}

void CheckWarm(const SideView& side, Report& report) {
  for (const ExchangeView& view : side.exchanges()) {
    const auto cached = CachedOf(view);
    if (!cached) continue;
    if (view.exchange->probe == "cold") {
      report.Expect(*cached == 0, view.name(), "cached tokens", Text(cached), "0 on a cold server");
    }
    if (side.Find(view.exchange->warm_of) != nullptr) {
      report.Expect(*cached > 0, view.name(), "cached tokens", Text(cached),
                    "above 0, the prompt was sent before");
    }
  }
}

void CheckStreamedSides(const Subject& subject, Report& report) {
  if (!subject.answer.is_stream || subject.answer.answer.error || !subject.exchange.ended) return;
  for (std::size_t i = 0; i < subject.answer.events.size(); ++i) {
    const json& event = subject.answer.events[i].data;
    const std::string type = TextIn(event, "type"), where = "event " + std::to_string(i);
    if (type == "message_start") {
      const json& usage = PartOf(PartOf(event, "message"), "usage");
      report.Expect(CountIn(usage, "input_tokens").has_value(), subject.name(), where,
                    "usage " + Shown(usage), "input_tokens");
    } else if (type == "message_delta" && !TextIn(PartOf(event, "delta"), "stop_reason").empty()) {
      const json& usage = PartOf(event, "usage");
      report.Expect(CountIn(usage, "output_tokens").has_value(), subject.name(), where,
                    "usage " + Shown(usage), "output_tokens");
    }
  }
}

constexpr Rule kRules[] = {
    {"U-01", Layer::kCore, kGenerating, "usage", "counts add up and are not negative",
     CheckIdentities},
    {"U-02", Layer::kCore, kGenerating, "usage with a cached part", "cached is part of the prompt",
     CheckCached},
    {"U-04", Layer::kCore, kGenerating, "a limit in the request's body that cut the answer",
     "all that was generated is counted", CheckGenerated},
    {"U-05", Layer::kCore, kGenerating, "probe cold, or warm_of",
     "nothing is cached at first, something afterwards", CheckWarm},
    {"U-06", Layer::kCore, kMessagesOnly, "a stream",
     "message_start counts the prompt, message_delta the output", CheckStreamedSides},
};

}  // namespace

std::span<const Rule> UsageRules() { return kRules; }

}  // namespace parity::wire
