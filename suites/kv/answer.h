// What an engine's server says to one request, and what can be counted of it.
#ifndef GTEST_PARITY_SUITES_KV_ANSWER_H_
#define GTEST_PARITY_SUITES_KV_ANSWER_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace parity::kv {

// An answer of docs/serving.md.
struct Answer {
  nlohmann::json whole;
  // What the side tells nothing of: "ids", "cached", "computed", "route", "restored", "ran",
  // "logits", and where there are no events "hits" and "refusals". A plugin tells everything.
  std::set<std::string> untold;
  bool Tells(const std::string& what) const { return !untold.contains(what); }
  // Rows that are known by the ids that were chosen from them.
  bool ShowsLogits() const { return Tells("ids") && Tells("logits"); }
  std::vector<std::int32_t> ids;
  std::string text, finish;
  nlohmann::json calls;  // name and arguments of each; ids are made up anew every time
  std::uint64_t prompt = 0, cached = 0, computed = 0, output = 0;  // tokens
  nlohmann::json route;
  std::string restored_key;                // of the record it went on from; empty: from none
  std::string restored_from;               // "disk", "memory"
  std::uint64_t ops = 0, rows = 0;         // that ran for it
  std::vector<std::string> refusals;       // why records were declined, by the store's own ids
  std::vector<std::string> refusal_words;  // of those that have any
  std::uint64_t hits = 0;                  // events
  std::vector<std::string>
      events;  // in order: "store evict 48", "refuse shutdown 31: hash_mismatch"
};

// The answer of an engine, which cannot excuse itself from telling something: without `untold`.
std::string WithEverythingTold(std::string text);

// Throws std::runtime_error, naming what is missing, for what is not such an answer.
Answer ParseAnswer(const std::string& text);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_ANSWER_H_
