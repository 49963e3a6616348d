// Reading the fields of a JSON object that a person has written, with errors that say what to mend.
#ifndef GTEST_PARITY_ENGINES_TINY_JSON_FIELDS_H_
#define GTEST_PARITY_ENGINES_TINY_JSON_FIELDS_H_

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/engines/tiny/error.h"

namespace parity::tiny {

// All throw EngineError (PARITY_INVALID). `where` is the object's own name.
template <typename Json>
void CheckKeys(const Json& object, const std::string& where,
               const std::vector<std::string>& known) {
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    std::string names;
    for (const std::string& name : known) names += (names.empty() ? "" : ", ") + name;
    throw Invalid(where + ": unknown key \"" + key + "\", known are " + names);
  }
}

template <typename T, typename Json>
std::optional<T> Find(const Json& object, const char* key, bool (Json::*is)() const noexcept,
                      const char* expected, const std::string& where) {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  if (!((*found).*is)()) {
    throw Invalid(where + "." + key + " is " + found->dump() + ", expected " + expected);
  }
  return found->template get<T>();
}

template <typename Json>
std::optional<std::string> FindText(const Json& object, const char* key, const std::string& where) {
  return Find<std::string>(object, key, &Json::is_string, "a string", where);
}

template <typename Json>
std::optional<std::uint64_t> FindWhole(const Json& object, const char* key,
                                       const std::string& where) {
  return Find<std::uint64_t>(object, key, &Json::is_number_unsigned, "a whole number", where);
}

template <typename Json>
std::optional<bool> FindFlag(const Json& object, const char* key, const std::string& where) {
  return Find<bool>(object, key, &Json::is_boolean, "true or false", where);
}

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_JSON_FIELDS_H_
