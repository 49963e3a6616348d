// What a server does not tell in its answers, from its counters.
#ifndef GTEST_PARITY_SUITES_KV_COUNTED_H_
#define GTEST_PARITY_SUITES_KV_COUNTED_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "suites/kv/answer.h"

namespace parity::kv {

// How far a counter went up between two readings; nothing where it is not counted, or went down.
std::optional<std::uint64_t> Moved(const nlohmann::json& before, const nlohmann::json& after,
                                   const std::string& counter);

// Fills in cached, computed, hits and refusals (how many, without their names) as far as `answer`
// does not tell them and the counters, read right before and right behind it, do.
void TakeFromCounters(const nlohmann::json& before, const nlohmann::json& after, Answer& answer);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_COUNTED_H_
