#include "gtest_parity/replay/fields_json.h"

#include "gtest_parity/manifest/json_text.h"

namespace parity {

Json ParseRecordingJson(std::string_view text) {
  constexpr std::size_t kDeepest = 64;
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || EndsEarly(text)) throw RecordingRefused("it is no JSON object");
  if (FindDeeper(text, kDeepest) != std::string_view::npos) {
    throw RecordingRefused("it is nested deeper than " + std::to_string(kDeepest) + " levels");
  }
  return json;
}

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

Json ToJson(const TimeLog& of) {
  std::vector<LoggedTimes> list;
  for (const auto& [ops, times] : of.all()) list.push_back({ops, times});
  return ToJson(list);
}

void FromJson(const Json& json, TimeLog& of) {
  std::vector<LoggedTimes> list;
  FromJson(json, list);
  std::map<TimedOps, Times> all;
  for (LoggedTimes& one : list) all[std::move(one.ops)] = std::move(one.times);
  of = TimeLog(std::move(all));
}

}  // namespace parity
