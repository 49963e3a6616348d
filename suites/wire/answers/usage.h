// Counts of tokens in each surface's words.
#ifndef GTEST_PARITY_SUITES_WIRE_ANSWERS_USAGE_H_
#define GTEST_PARITY_SUITES_WIRE_ANSWERS_USAGE_H_

#include <nlohmann/json.hpp>
#include <optional>

#include "suites/wire/answers/answer.h"
#include "suites/wire/transcript/exchange.h"

namespace parity::wire {

// Nothing where `usage` is no object.
std::optional<Usage> UsageOf(Surface surface, const nlohmann::json& usage);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_ANSWERS_USAGE_H_
