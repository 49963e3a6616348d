// The files of core/ and strict/, as the build puts them into the program.
#ifndef GTEST_PARITY_SUITES_WIRE_SCHEMAS_SCHEMA_TEXTS_H_
#define GTEST_PARITY_SUITES_WIRE_SCHEMAS_SCHEMA_TEXTS_H_

#include <string_view>
#include <vector>

namespace parity::wire {

struct SchemaText {
  std::string_view set, file, text;  // "core", "chat.json"
};

std::vector<SchemaText> SchemaTexts();

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_SCHEMAS_SCHEMA_TEXTS_H_
