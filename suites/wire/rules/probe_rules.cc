// Requests that try one thing, and the statuses that it may be answered with.
#include <algorithm>
#include <array>
#include <span>

#include "suites/wire/rules/rule.h"

namespace parity::wire {
namespace {

constexpr unsigned kOk[] = {200};
constexpr unsigned kBad[] = {400};
constexpr unsigned kNotFound[] = {404};
constexpr unsigned kWrongMethod[] = {404, 405};
constexpr unsigned kTooLarge[] = {400, 413};
constexpr unsigned kUnknown[] = {400, 404};
constexpr unsigned kUnavailable[] = {503};

struct Probe {
  std::string_view name, rule;
  std::span<const unsigned> statuses;
  bool or_refused = false;  // no connection, or none that is answered, will do too
};

constexpr std::array<Probe, 16> kProbes = {{
    {"unknown_path", "H-11", kNotFound},
    {"wrong_method", "H-11", kWrongMethod},
    {"bad_json", "H-11", kBad},
    {"not_an_object", "H-11", kBad},
    {"too_large", "H-11", kTooLarge, true},
    {"suffix", "P-01.suffix", kBad},
    {"no_max_tokens", "A-09", kBad},
    {"unknown_previous_response", "R-11", kUnknown},
    {"unknown_model_id", "W-41", kNotFound},
    {"models_while_generating", "M-03", kOk},
    {"context_overflow", "E-04", kBad},
    {"after_error", "E-05", kOk},
    {"after_disconnect", "L-01", kOk},
    {"after_early_disconnect", "L-02", kOk},
    {"new_while_stopping", "L-06", kUnavailable, true},
    {"chunked_malformed", "W-02", kBad, true},
}};

void ExpectStatus(const ExchangeView& view, const Probe& probe, Report& report) {
  const AnswerView& answer = view.answers.back();
  std::string expected;
  for (const unsigned status : probe.statuses) {
    expected += (expected.empty() ? "" : " or ") + std::to_string(status);
  }
  const bool fits = std::find(probe.statuses.begin(), probe.statuses.end(), answer.status()) !=
                    probe.statuses.end();
  const bool refused = answer.response == nullptr && !view.exchange->Has(EventKind::kTimedOut);
  report.Expect(fits || (probe.or_refused && refused), view.name(), "status",
                answer.response == nullptr ? "no answer" : std::to_string(answer.status()),
                expected + " to " + std::string(probe.name));
}

void CheckProbes(const SideView& side, Report& report) {
  for (const ExchangeView& view : side.exchanges()) {
    for (const Probe& probe : kProbes) {
      if (view.exchange->probe == probe.name && probe.rule == report.rule()) {
        ExpectStatus(view, probe, report);
      }
    }
  }
}

bool IsOneOf(const std::string& text, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), text) != names.end();
}

void CheckOverflow(const SideView& side, Report& report) {
  CheckProbes(side, report);
  for (const ExchangeView& view : side.exchanges()) {
    const AnswerView& answer = view.answers.back();
    const auto& error = answer.answer.error;
    if (view.exchange->probe != "context_overflow" || answer.status() != 400 || !error) continue;
    if (answer.request->surface == Surface::kMessages) continue;
    report.Expect(error->code == "context_length_exceeded", view.name(), "code", error->code,
                  "context_length_exceeded");
    report.Expect(IsOneOf(error->param, {"messages", "prompt", "input"}), view.name(), "param",
                  error->param, "messages, prompt or input");
  }
}

void CheckPrevious(const SideView& side, Report& report) {
  CheckProbes(side, report);
  for (const ExchangeView& view : side.exchanges()) {
    const auto& error = view.answers.back().answer.error;
    if (view.exchange->probe != "unknown_previous_response" || !error) continue;
    report.Expect(error->param == "previous_response_id", view.name(), "param", error->param,
                  "previous_response_id");
  }
}

// A stream that a stopping server ends: by its last event, or by a clean close.
void CheckStopping(const SideView& side, Report& report) {
  CheckProbes(side, report);
  for (const ExchangeView& view : side.exchanges()) {
    if (view.exchange->probe != "streamed_while_stopping") continue;
    report.Expect(
        !view.exchange->Has(EventKind::kTimedOut) && !view.exchange->Has(EventKind::kReset),
        view.name(), "", "a stream that was reset or never ended",
        "its last event, or a clean close");
  }
}

constexpr Rule kRules[] = {
    {"H-11", Layer::kCore, kAll,
     "probe unknown_path, wrong_method, bad_json, not_an_object or too_large",
     "bad requests get their statuses", CheckProbes},
    {"P-01.suffix", Layer::kCore, kCompletionsOnly, "probe suffix", "suffix is refused",
     CheckProbes},
    {"A-09", Layer::kCore, kMessagesOnly, "probe no_max_tokens", "max_tokens is required",
     CheckProbes},
    {"R-11", Layer::kCore, kResponsesOnly, "probe unknown_previous_response",
     "a response that is not known is refused", CheckPrevious},
    {"M-03", Layer::kCore, kAll, "probe models_while_generating",
     "models are listed while a generation runs", CheckProbes},
    {"W-41", Layer::kCore, kAll, "probe unknown_model_id", "an unknown model is not found",
     CheckProbes},
    {"E-04", Layer::kCore, kGenerating, "probe context_overflow",
     "a prompt beyond the context is told as such", CheckOverflow},
    {"E-05", Layer::kCore, kAll, "probe after_error", "an error leaves the server usable",
     CheckProbes},
    {"L-01", Layer::kCore, kAll, "probe after_disconnect",
     "a client that left mid-stream makes room for another", CheckProbes},
    {"L-02", Layer::kCore, kAll, "probe after_early_disconnect",
     "one that left before its answer began does too", CheckProbes},
    {"L-06", Layer::kCore, kAll, "probe new_while_stopping or streamed_while_stopping",
     "a stopping server refuses, and ends its streams", CheckStopping},
    {"W-02", Layer::kCore, kAll, "probe chunked_malformed", "malformed chunks are refused",
     CheckProbes},
};

}  // namespace

std::span<const Rule> ProbeRules() { return kRules; }

}  // namespace parity::wire
