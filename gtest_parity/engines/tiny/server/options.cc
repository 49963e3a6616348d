#include "gtest_parity/engines/tiny/server/options.h"

#include <map>
#include <variant>

#include "gtest_parity/engine/error.h"
#include "gtest_parity/engines/tiny/server/mutants.h"
#include "gtest_parity/engines/tiny/server/projector.h"

namespace parity::tiny_server {
namespace {

using Target = std::variant<bool*, std::uint64_t*>;

EngineError Invalid(const std::string& words) { return {PARITY_INVALID, "server: " + words}; }

std::map<std::string, Target> TargetsIn(ServerOptions& options) {
  return {{"continuous", &options.continuous},
          {"gathered", &options.gathered},
          {"width", &options.width},
          {"continuous_bytes", &options.continuous_bytes},
          {"gather_ms", &options.gather_ms},
          {"pace_us", &options.pace_us},
          {"fail_after_tokens", &options.fail_after_tokens},
          {"think_tokens", &options.serve.think_tokens},
          {"call_tokens", &options.serve.call_tokens},
          {"continuation_records", &options.continuations.records},
          {"continuation_ttl_ms", &options.continuations.ttl_ms},
          {"continuation_pin_ms", &options.continuations.pin_ms},
          {"continuation_hold_ms", &options.continuations.hold_ms},
          {"max_clients", &options.max_clients},
          {"max_queue", &options.max_queue},
          {"max_body_bytes", &options.max_body_bytes},
          {"max_inflight_body_bytes", &options.max_inflight_body_bytes},
          {"queue_age_ms", &options.queue_age_ms},
          {"backlog_events", &options.backlog_events},
          {"send_buffer_bytes", &options.send_buffer_bytes},
          {"grace_ms", &options.grace_ms}};
}

void Set(const std::string& key, const Json& value, const Target& target) {
  if (bool* const* flag = std::get_if<bool*>(&target)) {
    if (!value.is_boolean()) throw Invalid(key + " is " + value.dump() + ", expected a bool");
    **flag = value.get<bool>();
    return;
  }
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > 1u << 31) {
    throw Invalid(key + " is " + value.dump() + ", expected a whole number, at most 2^31");
  }
  *std::get<std::uint64_t*>(target) = value.get<std::uint64_t>();
}

const Variant* VariantOf(const Json& name) {
  for (const Variant* variant : {&kReference, &kPorted}) {
    if (name == variant->name) return variant;
  }
  throw Invalid("variant is " + name.dump() + ", expected \"reference\" or \"ported\"");
}

const WireMutant* MutantOf(const Json& name) {
  if (name == "") return nullptr;
  for (const WireMutant& mutant : AllWireMutants()) {
    if (name == mutant.name) return &mutant;
  }
  throw Invalid("mutant is " + name.dump() + ", expected one that --list_mutants prints");
}

}  // namespace

ServerOptions ParseServerOptions(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) throw Invalid("the options are no JSON object");
  ServerOptions options;
  const std::map<std::string, Target> targets = TargetsIn(options);
  for (const auto& [key, value] : json.items()) {
    const auto target = targets.find(key);
    if (key == "variant") {
      options.variant = VariantOf(value);
    } else if (key == "mutant") {
      options.mutant = MutantOf(value);
    } else if (target != targets.end()) {
      Set(key, value, target->second);
    } else {
      std::string known = "variant, mutant";
      for (const auto& [name, ignored] : targets) known += ", " + name;
      throw Invalid("unknown key \"" + key + "\", known are " + known);
    }
  }
  if (options.width == 0) throw Invalid("width is 0, expected at least 1");
  return options;
}

}  // namespace parity::tiny_server
