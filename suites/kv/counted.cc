#include "suites/kv/counted.h"

namespace parity::kv {
namespace {

using nlohmann::json;

std::optional<std::uint64_t> CountOf(const json& counters, const std::string& name) {
  const auto found = counters.find(name);
  if (found == counters.end() || !found->is_number_integer() || *found < 0) return std::nullopt;
  return found->get<std::uint64_t>();
}

}  // namespace

std::optional<std::uint64_t> Moved(const json& before, const json& after,
                                   const std::string& counter) {
  const std::optional<std::uint64_t> now = CountOf(after, counter);
  // One that has never counted may be missing.
  const std::uint64_t then = CountOf(before, counter).value_or(0);
  if (!now || *now < then) return std::nullopt;
  return *now - then;
}

void TakeFromCounters(const json& before, const json& after, Answer& answer) {
  const auto take = [&](const char* what, const char* counter, std::uint64_t& out) {
    if (answer.Tells(what)) return;
    const std::optional<std::uint64_t> moved = Moved(before, after, counter);
    if (!moved) return;
    out = *moved;
    answer.untold.erase(what);
  };
  take("cached", "prefill_cached", answer.cached);
  take("computed", "prefill_computed", answer.computed);
  take("hits", "hits", answer.hits);
  std::uint64_t refusals = 0;
  if (answer.Tells("refusals")) return;
  take("refusals", "refusals", refusals);
  answer.refusals.assign(refusals, "not named");
  answer.untold.insert("refusal names");
}

}  // namespace parity::kv
