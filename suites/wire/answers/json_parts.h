// Parts of JSON that a server sent: of any type, or not there.
#ifndef GTEST_PARITY_SUITES_WIRE_ANSWERS_JSON_PARTS_H_
#define GTEST_PARITY_SUITES_WIRE_ANSWERS_JSON_PARTS_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace parity::wire {

// Null where `value` is no object or has no such key.
const nlohmann::json& PartOf(const nlohmann::json& value, const char* key);

// Of an array; null where it is none or is shorter.
const nlohmann::json& ElementOf(const nlohmann::json& value, std::size_t index);

// Empty where it is no text.
std::string TextIn(const nlohmann::json& value, const char* key);

// A whole number of up to 2^53; nothing where it is none.
std::optional<std::int64_t> CountIn(const nlohmann::json& value, const char* key);

bool Holds(const nlohmann::json& value, const char* key);  // the key is there, even if null

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_ANSWERS_JSON_PARTS_H_
