// The types of described fields: how they are written in a description, in a record and in words.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_FIELD_TYPE_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_FIELD_TYPE_H_

#include <yaml-cpp/yaml.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "suites/kv/formats/record_description.h"

namespace parity::kv {

// A field of a description holds a few bytes; what is longer is a section.
inline constexpr std::uint64_t kMostFieldBytes = 4096;

// "u32", "f64", "bytes[16]"; nothing where it is no type.
std::optional<FieldType> ParseFieldType(const std::string& text);

// What a description may say, for messages.
std::string FieldTypesText();

// The value in a record. Bytes are hexadecimal digits.
nlohmann::json DecodeFieldValue(const FieldType& type, bool big_endian,
                                std::span<const std::uint8_t> bytes);

// A value that a description gives for a field of the type: a number that the type holds, text or
// hexadecimal digits of its length. Nothing where it is none.
std::optional<nlohmann::json> ParseFieldValue(const FieldType& type, const YAML::Node& node);

// What ParseFieldValue would take.
std::string ExpectedValueText(const FieldType& type);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_FIELD_TYPE_H_
