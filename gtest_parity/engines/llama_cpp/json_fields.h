// Reading the fields of a JSON object that a person has written, with errors that say what to mend.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_JSON_FIELDS_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_JSON_FIELDS_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace parity::llama_cpp {

// All throw EngineError (PARITY_INVALID). `where` is the object's own name.
void CheckObject(const nlohmann::json& value, const std::string& where,
                 const std::vector<std::string>& known);
std::optional<std::string> FindText(const nlohmann::json& object, const char* key,
                                    const std::string& where);
std::string RequireText(const nlohmann::json& object, const char* key, const std::string& where);
std::optional<std::uint64_t> FindWhole(const nlohmann::json& object, const char* key,
                                       const std::string& where);
std::optional<bool> FindFlag(const nlohmann::json& object, const char* key,
                             const std::string& where);
// A list of names; empty where there is none.
std::vector<std::string> FindTexts(const nlohmann::json& object, const char* key,
                                   const std::string& where);

}  // namespace parity::llama_cpp

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_JSON_FIELDS_H_
