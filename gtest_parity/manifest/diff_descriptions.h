// Whether a checked-in description is still what its engine says.
#ifndef GTEST_PARITY_MANIFEST_DIFF_DESCRIPTIONS_H_
#define GTEST_PARITY_MANIFEST_DIFF_DESCRIPTIONS_H_

#include <nlohmann/json.hpp>
#include <string>

namespace parity {

// By structure: the order of an object's keys does not matter, and list members that have a `label`
// or a `name` are paired by it. One difference a line, by JSON pointer, the first 40; empty: equal.
std::string DiffDescriptions(const nlohmann::json& checked_in, const nlohmann::json& from_engine);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_DIFF_DESCRIPTIONS_H_
