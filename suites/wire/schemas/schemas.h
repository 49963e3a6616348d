// What one answer or one event must look like by itself. Order, ids, counts and sums no schema
// sees.
#ifndef GTEST_PARITY_SUITES_WIRE_SCHEMAS_SCHEMAS_H_
#define GTEST_PARITY_SUITES_WIRE_SCHEMAS_SCHEMAS_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "suites/wire/transcript/exchange.h"

namespace parity::wire {

// kCore: what every client needs. kStrict: the public types of one pinned release, which no local
// server meets in full; only reported.
enum class SchemaSet { kCore, kStrict };

struct SchemaError {
  std::string pointer;  // RFC 6901, of the part that does not fit
  std::string words;
};

// The name of the schema for a body or a stream's event: "chat.chunk", "messages.ping". An event's
// type picks it, as a union of all events would tell of each that this one is not. Empty: nothing
// that a schema is for.
std::string SchemaNameOf(Surface surface, bool is_event, const nlohmann::json& value);

bool HasSchema(SchemaSet set, const std::string& name);
std::vector<std::string> SchemaNames(SchemaSet set);

// Empty where `value` fits, or the set has no schema of that name.
std::vector<SchemaError> Validate(SchemaSet set, const std::string& name,
                                  const nlohmann::json& value);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_SCHEMAS_SCHEMAS_H_
