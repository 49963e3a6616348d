#include "suites/kv/random_store.h"

#include <algorithm>

namespace parity::kv {
namespace {

using nlohmann::json;

constexpr std::int64_t kNow = 1'800'000'000;  // unix seconds
constexpr std::int64_t kMost31 = (std::int64_t{1} << 31) - 1;

}  // namespace

std::int64_t RandomStore::Whole(std::int64_t least, std::int64_t most) {
  const auto range = static_cast<std::uint64_t>(most - least) + 1;
  return least + static_cast<std::int64_t>(random_() % range);
}

std::int64_t RandomStore::Count() {
  switch (Whole(0, 9)) {
    case 0:
      return 0;
    case 1:
      return kMost31 - Whole(0, 64);
    case 2:
      return Whole(0, kMost31);
    default:
      return Whole(1, 300);
  }
}

// An interval whose aligned multiple leaves 31 bits is one that engines are known to take
// otherwise.
json RandomStore::Knobs() {
  const std::int64_t least = Whole(1, 64);
  return {{"min_tokens", least},
          {"cold_max_tokens", Flag() ? 0 : least + Whole(0, 2000)},
          {"continued_interval_tokens", Whole(0, 3) == 0 ? 0 : Whole(1, 200)},
          {"boundary_trim_tokens", Whole(0, 40)},
          {"boundary_align_tokens", Whole(0, 4) == 0 ? 1 : Whole(1, 64)},
          {"min_lcp", Whole(1, 12)},
          {"budget_bytes", Whole(1, 400'000)},
          {"reject_different_quant", Flag()}};
}

std::string RandomStore::Text() {
  std::string text;
  for (std::int64_t words = Whole(0, 6); words > 0; --words) {
    text += Whole(0, 3) == 0 ? "the " : "and ";
  }
  return text;
}

json RandomStore::Record() {
  const std::int64_t age = Whole(0, 3) == 0 ? 0 : Whole(0, 200'000);
  return {{"text", Text()},
          {"tokens", Whole(0, 5) == 0 ? Count() : Whole(1, 100)},
          {"hits", Whole(0, 8)},
          {"context", Whole(0, 3) == 0 ? Count() : 512},
          {"created", Flag() ? 0 : kNow - age - 10},
          {"last_used", Whole(0, 4) == 0 ? 0 : kNow - age},
          {"file_bytes", Whole(1, 100'000)},
          {"reason", Whole(0, 10)},
          {"ext", Flag() ? 0 : Whole(0, 127)},
          {"model", Whole(0, 5) == 0 ? 2 : 1},
          {"quant", Whole(0, 5) == 0 ? 2 : 4}};
}

json RandomStore::Records() {
  json records = json::array();
  for (std::int64_t count = Whole(0, 10); count > 0; --count) {
    // One that is there already, whole: a tie.
    const bool again = !records.empty() && Whole(0, 9) == 0;
    records.push_back(again ? json(records.back()) : Record());
  }
  return records;
}

json RandomStore::Asker() {
  return {{"text", Text() + Text()},
          {"context", Whole(0, 5) == 0 ? Whole(0, 600) : 512},
          {"model", 1},
          {"quant", 4}};
}

json RandomStore::Markers() {
  json markers = json::array();
  std::int64_t at = 0;
  for (std::int64_t count = Whole(0, 8); count > 0; --count) {
    at += Whole(1, 40);
    markers.push_back({{"at", at}, {"role", Flag() ? "user" : "assistant"}});
  }
  return markers;
}

}  // namespace parity::kv
