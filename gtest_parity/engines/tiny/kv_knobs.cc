#include "gtest_parity/engines/tiny/kv_knobs.h"

#include <limits>

#include "gtest_parity/engines/tiny/json_fields.h"
#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny {
namespace {

using nlohmann::json;

constexpr char kWhere[] = "config.kv";

void ReadCount(const json& object, const char* key, std::int32_t& value) {
  const auto found = FindWhole(object, key, kWhere);
  if (!found) return;
  if (*found > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max())) {
    throw Invalid(std::string(kWhere) + "." + key + " is " + std::to_string(*found) +
                  ", expected at most 2147483647");
  }
  value = static_cast<std::int32_t>(*found);
}

void ReadFlag(const json& object, const char* key, bool& value) {
  value = FindFlag(object, key, kWhere).value_or(value);
}

// All sessions, the serial one and the banks, share the engine's pages in equal parts.
void DivideCache(KvKnobs& knobs) {
  if (knobs.banks >= static_cast<std::int32_t>(kMaxSequences)) {
    throw Invalid("config.kv.banks is " + std::to_string(knobs.banks) + ", expected 0 to " +
                  std::to_string(kMaxSequences - 1));
  }
  const std::uint64_t sessions = static_cast<std::uint64_t>(knobs.banks) + 1;
  const auto most = static_cast<std::int32_t>(kPageCount / sessions * kPageTokens);
  if (knobs.context == 0) knobs.context = most;
  if (knobs.context > most) {
    throw Invalid("config.kv.context is " + std::to_string(knobs.context) + ", expected at most " +
                  std::to_string(most) + " with " + std::to_string(knobs.banks) + " banks");
  }
}

void CheckTogether(const json& object, const KvKnobs& knobs, parity_dtype activation) {
  if (knobs.cold_max_tokens != 0 && knobs.cold_max_tokens < knobs.min_tokens) {
    throw Invalid("config.kv.cold_max_tokens is " + std::to_string(knobs.cold_max_tokens) +
                  ", expected 0 or at least min_tokens, " + std::to_string(knobs.min_tokens));
  }
  if (knobs.min_tokens < 1) throw Invalid("config.kv.min_tokens is 0, expected at least 1");
  const auto dtype = FindText(object, "dtype", kWhere);
  if (dtype && *dtype != NameOf(activation)) {
    throw Invalid("config.kv.dtype is \"" + *dtype + "\", expected the cache's \"" +
                  NameOf(activation) + "\"");
  }
}

}  // namespace

KvKnobs ParseKvKnobs(const json& object, parity_dtype activation) {
  if (!object.is_object()) throw Invalid("config.kv is " + object.dump() + ", expected an object");
  CheckKeys(object, kWhere,
            {"folder", "budget_bytes", "min_tokens", "cold_max_tokens", "continued_interval_tokens",
             "boundary_trim_tokens", "boundary_align_tokens", "banks", "bank_checkpoint", "min_lcp",
             "context", "dtype", "reject_different_quant", "fingerprint"});
  KvKnobs knobs;
  knobs.folder = FindText(object, "folder", kWhere).value_or("");
  const auto budget = FindWhole(object, "budget_bytes", kWhere).value_or(0);
  if (budget != 0) knobs.budget_bytes = budget;
  ReadCount(object, "min_tokens", knobs.min_tokens);
  ReadCount(object, "cold_max_tokens", knobs.cold_max_tokens);
  ReadCount(object, "continued_interval_tokens", knobs.continued_interval_tokens);
  ReadCount(object, "boundary_trim_tokens", knobs.boundary_trim_tokens);
  ReadCount(object, "boundary_align_tokens", knobs.boundary_align_tokens);
  ReadCount(object, "banks", knobs.banks);
  ReadFlag(object, "bank_checkpoint", knobs.bank_checkpoint);
  ReadCount(object, "min_lcp", knobs.min_lcp);
  ReadCount(object, "context", knobs.context);
  ReadFlag(object, "reject_different_quant", knobs.reject_different_quant);
  ReadFlag(object, "fingerprint", knobs.fingerprint);
  DivideCache(knobs);
  CheckTogether(object, knobs, activation);
  return knobs;
}

}  // namespace parity::tiny
