#include "suites/wire/answers/usage.h"

#include "suites/wire/answers/json_parts.h"

namespace parity::wire {
namespace {

using nlohmann::json;

Usage OfMessages(const json& usage) {
  Usage of;
  of.cached = CountIn(usage, "cache_read_input_tokens");
  of.written = CountIn(usage, "cache_creation_input_tokens");
  // Here the parts of the prompt are apart.
  if (const auto input = CountIn(usage, "input_tokens")) {
    of.prompt = *input + of.cached.value_or(0) + of.written.value_or(0);
  }
  of.output = CountIn(usage, "output_tokens");
  of.reasoning = CountIn(PartOf(usage, "output_tokens_details"), "thinking_tokens");
  return of;
}

Usage WithDetails(const json& usage, const char* prompt, const char* output,
                  const char* prompt_details, const char* output_details) {
  Usage of;
  of.prompt = CountIn(usage, prompt);
  of.output = CountIn(usage, output);
  of.total = CountIn(usage, "total_tokens");
  of.cached = CountIn(PartOf(usage, prompt_details), "cached_tokens");
  of.written = CountIn(PartOf(usage, prompt_details), "cache_write_tokens");
  of.reasoning = CountIn(PartOf(usage, output_details), "reasoning_tokens");
  return of;
}

}  // namespace

std::optional<Usage> UsageOf(Surface surface, const json& usage) {
  if (!usage.is_object()) return std::nullopt;
  if (surface == Surface::kMessages) return OfMessages(usage);
  if (surface == Surface::kResponses) {
    return WithDetails(usage, "input_tokens", "output_tokens", "input_tokens_details",
                       "output_tokens_details");
  }
  return WithDetails(usage, "prompt_tokens", "completion_tokens", "prompt_tokens_details",
                     "completion_tokens_details");
}

}  // namespace parity::wire
