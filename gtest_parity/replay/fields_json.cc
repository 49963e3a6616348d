#include "gtest_parity/replay/fields_json.h"

namespace parity {

Json ToJson(const SpreadPool& of) {
  std::vector<PooledSpread> list;
  for (const auto& [key, spread] : of.all()) list.push_back({key, spread});
  return ToJson(list);
}

void FromJson(const Json& json, SpreadPool& of) {
  std::vector<PooledSpread> list;
  FromJson(json, list);
  std::map<SpreadKey, Spread> all;
  for (PooledSpread& one : list) all[std::move(one.key)] = one.spread;
  of = SpreadPool(std::move(all));
}

}  // namespace parity
