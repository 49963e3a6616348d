#include "suites/wire/answers/finish.h"

#include <string_view>
#include <utility>

namespace parity::wire {
namespace {

using Row = std::pair<std::string_view, Finish>;

constexpr Row kFinishReasons[] = {{"", Finish::kNone},
                                  {"stop", Finish::kStop},
                                  {"length", Finish::kLength},
                                  {"tool_calls", Finish::kToolCalls},
                                  {"function_call", Finish::kToolCalls},
                                  {"content_filter", Finish::kFilter},
                                  {"error", Finish::kError}};

constexpr Row kStopReasons[] = {{"", Finish::kNone},
                                {"end_turn", Finish::kStop},
                                {"stop_sequence", Finish::kStopString},
                                {"max_tokens", Finish::kLength},
                                {"model_context_window_exceeded", Finish::kLength},
                                {"tool_use", Finish::kToolCalls},
                                {"refusal", Finish::kFilter}};

// max_tokens is no member of the public set, but what was meant is plain.
constexpr Row kIncompleteReasons[] = {{"max_output_tokens", Finish::kLength},
                                      {"max_tokens", Finish::kLength},
                                      {"content_filter", Finish::kFilter}};

template <std::size_t kCount>
Finish Find(const Row (&rows)[kCount], const std::string& name) {
  for (const auto& [known, finish] : rows) {
    if (known == name) return finish;
  }
  return Finish::kOther;
}

}  // namespace

Finish FinishOfReason(const std::string& finish_reason) {
  return Find(kFinishReasons, finish_reason);
}

Finish FinishOfStopReason(const std::string& stop_reason) {
  return Find(kStopReasons, stop_reason);
}

Finish FinishOfStatus(const std::string& status, const std::string& reason, bool has_calls) {
  if (status == "completed") return has_calls ? Finish::kToolCalls : Finish::kStop;
  if (status == "incomplete") return Find(kIncompleteReasons, reason);
  if (status == "failed" || status == "cancelled") return Finish::kError;
  return status.empty() || status == "in_progress" ? Finish::kNone : Finish::kOther;
}

}  // namespace parity::wire
