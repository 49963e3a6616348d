// The places of a JSON value that a profile tells apart.
#ifndef GTEST_PARITY_SUITES_WIRE_PROFILE_PLACES_H_
#define GTEST_PARITY_SUITES_WIRE_PROFILE_PLACES_H_

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace parity::wire {

// `visit(place, value)` for the value and all its parts. Elements of a list share a place; those
// that have a type share one with their like: "/content/*{tool_use}/name". What a client or a model
// has written, such as a tool's arguments, is one value whatever is in it.
void EachPlace(const nlohmann::json& value,
               const std::function<void(const std::string&, const nlohmann::json&)>& visit);

// "integer", "number", "string", "boolean", "null", "object", "array".
std::string TypeNameOf(const nlohmann::json& value);

// Whether what is at that place names one of a few.
bool IsChoice(const std::string& place);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_PROFILE_PLACES_H_
