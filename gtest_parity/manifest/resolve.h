// Requests that speak of answers that came before them.
#ifndef GTEST_PARITY_MANIFEST_RESOLVE_H_
#define GTEST_PARITY_MANIFEST_RESOLVE_H_

#include <nlohmann/json.hpp>

namespace parity {

// `request` with every ${/a/json/pointer} in its strings replaced by what `known` holds there: a
// string that is nothing else becomes the value itself, whatever its type; within a string only
// strings and numbers can stand. Throws std::runtime_error, naming the pointer, where there is none
// or its value cannot stand there.
nlohmann::json Resolve(const nlohmann::json& request, const nlohmann::json& known);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_RESOLVE_H_
