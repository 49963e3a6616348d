// A format that is described rather than programmed.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_RECORD_DESCRIPTION_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_RECORD_DESCRIPTION_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "suites/kv/formats/record.h"

namespace parity::kv {

enum class FieldKind { kUnsigned, kSigned, kFloat, kBytes, kText };

struct FieldType {
  FieldKind kind = FieldKind::kUnsigned;
  std::uint64_t bytes = 1;
  bool operator==(const FieldType&) const = default;
};

struct DescribedField {
  std::string name;
  std::string in;  // the section that `at` counts from; empty: the file
  std::uint64_t at = 0;
  FieldType type;
  bool big_endian = false, masked = false;
  FieldRole role = FieldRole::kPlain;
  // What its value must be, in the form that a decoded field has it; `accepted` empty: anything.
  std::vector<nlohmann::json> accepted;
  std::optional<nlohmann::json> least, most;
};

struct RestOfFile {};

struct DescribedSection {
  std::string name;
  std::optional<std::uint64_t> at;  // else where the section before it ends
  std::variant<std::uint64_t, std::string, RestOfFile> length;  // a constant or a field's value
  std::uint64_t each = 1;                                       // bytes of what the length counts
  bool masked = false;
};

struct NameRule {
  bool sha1 = true;  // else SHA-256
  std::string section, suffix;
};

struct RecordDescription {
  std::string name;
  std::vector<DescribedField> fields;
  std::vector<DescribedSection> sections;
  std::vector<Range> masked;
  std::optional<NameRule> name_rule;
  bool trailing_allowed = false;
};

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_RECORD_DESCRIPTION_H_
