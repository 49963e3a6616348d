#include "gtest_parity/engines/llama_cpp/json_fields.h"

#include <algorithm>

#include "gtest_parity/engines/llama_cpp/error.h"
#include "gtest_parity/engines/llama_cpp/nearest.h"

namespace parity::llama_cpp {
namespace {

using nlohmann::json;

template <typename T>
std::optional<T> Find(const json& object, const char* key, bool (json::*is)() const noexcept,
                      const char* expected, const std::string& where) {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  if (!((*found).*is)()) {
    throw Invalid(where + "." + key + " is " + found->dump() + ", expected " + expected);
  }
  return found->template get<T>();
}

}  // namespace

void CheckObject(const json& value, const std::string& where,
                 const std::vector<std::string>& known) {
  if (!value.is_object()) throw Invalid(where + " is " + value.dump() + ", expected an object");
  for (const auto& [key, ignored] : value.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    throw Invalid(where + ": unknown key \"" + key + "\", did you mean \"" +
                  Nearest(key, known, 1).front() + "\"? Known are " + Joined(known));
  }
}

std::optional<std::string> FindText(const json& object, const char* key, const std::string& where) {
  return Find<std::string>(object, key, &json::is_string, "a string", where);
}

std::string RequireText(const json& object, const char* key, const std::string& where) {
  if (auto text = FindText(object, key, where)) return *std::move(text);
  throw Invalid(where + "." + key + " is missing, expected a string");
}

std::optional<std::uint64_t> FindWhole(const json& object, const char* key,
                                       const std::string& where) {
  return Find<std::uint64_t>(object, key, &json::is_number_unsigned, "a whole number", where);
}

std::optional<bool> FindFlag(const json& object, const char* key, const std::string& where) {
  return Find<bool>(object, key, &json::is_boolean, "true or false", where);
}

std::vector<std::string> FindTexts(const json& object, const char* key, const std::string& where) {
  std::vector<std::string> texts;
  const auto found = object.find(key);
  if (found == object.end()) return texts;
  const bool list = found->is_array() && std::all_of(found->begin(), found->end(),
                                                     [](const json& v) { return v.is_string(); });
  if (!list) {
    throw Invalid(where + "." + key + " is " + found->dump() + ", expected a list of strings");
  }
  return found->get<std::vector<std::string>>();
}

}  // namespace parity::llama_cpp
