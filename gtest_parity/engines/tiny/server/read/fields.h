// Fields that several surfaces have. All throw WireError (400).
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_READ_FIELDS_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_READ_FIELDS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/engines/tiny/server/intent.h"

namespace parity::tiny_server {

// JSON null where there is no such key.
const Json& Get(const Json& object, const char* key);
bool Has(const Json& object, const char* key);  // and is not null

bool FlagOf(const Json& object, const char* key);  // absent: false
std::string TextOf(const Json& object, const char* key, const std::string& where);

// The first of `keys` that is there: fractions are cut off, 2^31 - 1 is the most.
std::optional<std::uint64_t> MaxTokensOf(const Json& body, const std::vector<const char*>& keys);
// A string or an array of strings; empty ones are dropped.
std::vector<std::string> StopsOf(const Json& body, const char* key);
bool SamplesIn(const Json& body);
// What effort, budgets and switches of any spelling come to.
ThinkMode ThinkModeOf(const Json& body);
// `format` wants something else than text.
void RefuseFormat(const Json& format, const std::string& where);
// A field that changes the answer and that this server does not know is not passed over.
void RefuseUnless(bool fine, const char* key, const char* expected);

// A call as chat and Responses write it: arguments are an object as text.
TurnCall CallOf(const Json& id, const Json& arguments, const std::string& where);

// "auto", "none", "required" as `tool_choice` says it, absent: auto. A tool of the client's choice
// is refused.
std::string ToolChoiceOf(const Json& body);
// The tool that the answer calls, if it calls one: the first. With "auto" a turn of a tool's result
// is answered in words.
std::string ToolToCall(const std::vector<std::string>& names, const std::string& choice,
                       const Intent& intent);

}  // namespace parity::tiny_server

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_READ_FIELDS_H_
