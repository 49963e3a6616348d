#include "suites/kv/formats/field_type.h"

#include <bit>
#include <charconv>
#include <cmath>

#include "gtest_parity/manifest/yaml_section.h"
#include "suites/kv/formats/byte_order.h"
#include "suites/kv/formats/record_reader.h"

namespace parity::kv {
namespace {

struct NamedType {
  const char* name;
  FieldType type;
};

constexpr NamedType kTypes[] = {
    {"u8", {FieldKind::kUnsigned, 1}},  {"u16", {FieldKind::kUnsigned, 2}},
    {"u32", {FieldKind::kUnsigned, 4}}, {"u64", {FieldKind::kUnsigned, 8}},
    {"i8", {FieldKind::kSigned, 1}},    {"i16", {FieldKind::kSigned, 2}},
    {"i32", {FieldKind::kSigned, 4}},   {"i64", {FieldKind::kSigned, 8}},
    {"f32", {FieldKind::kFloat, 4}},    {"f64", {FieldKind::kFloat, 8}},
};

// The N of "bytes[N]".
std::optional<std::uint64_t> LengthIn(std::string_view text, std::string_view name) {
  if (!text.starts_with(name) || !text.ends_with(']')) return std::nullopt;
  text = text.substr(name.size(), text.size() - name.size() - 1);
  std::uint64_t length = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  const bool number = error == std::errc() && end == text.data() + text.size();
  if (!number || length < 1 || length > kMostFieldBytes) return std::nullopt;
  return length;
}

std::int64_t SignedOf(std::uint64_t value, std::uint64_t bytes) {
  const int unused = static_cast<int>(64 - 8 * bytes);
  return static_cast<std::int64_t>(value << unused) >> unused;
}

// JSON has no number for infinities and NaN: those are words.
nlohmann::json FloatOf(std::uint64_t bits, std::uint64_t bytes) {
  const double value = bytes == 4 ? std::bit_cast<float>(static_cast<std::uint32_t>(bits))
                                  : std::bit_cast<double>(bits);
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

std::optional<nlohmann::json> ParseSigned(const FieldType& type, const YAML::Node& node) {
  std::string text = node.IsScalar() ? node.Scalar() : "";
  const bool negative = text.starts_with('-');
  const auto magnitude = ParseUnsigned(negative ? YAML::Node(text.substr(1)) : node);
  const std::uint64_t most = (std::uint64_t{1} << (8 * type.bytes - 1)) - (negative ? 0 : 1);
  if (!magnitude || *magnitude > most) return std::nullopt;
  return static_cast<std::int64_t>(negative ? 0 - *magnitude : *magnitude);
}

bool IsHex(const std::string& text) {
  return text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

std::optional<FieldType> ParseFieldType(const std::string& text) {
  for (const NamedType& known : kTypes) {
    if (text == known.name) return known.type;
  }
  if (const auto bytes = LengthIn(text, "bytes[")) return FieldType{FieldKind::kBytes, *bytes};
  if (const auto bytes = LengthIn(text, "text[")) return FieldType{FieldKind::kText, *bytes};
  return std::nullopt;
}

std::string FieldTypesText() {
  std::string text;
  for (const NamedType& known : kTypes) text += std::string(known.name) + ", ";
  return text + "bytes[N] or text[N] of 1 to " + std::to_string(kMostFieldBytes) + " bytes";
}

nlohmann::json DecodeFieldValue(const FieldType& type, bool big_endian,
                                std::span<const std::uint8_t> bytes) {
  switch (type.kind) {
    case FieldKind::kBytes:
      return HexOf(bytes);
    case FieldKind::kText:
      return std::string(bytes.begin(), bytes.end());
    case FieldKind::kSigned:
      return SignedOf(LoadUnsigned(bytes, big_endian), type.bytes);
    case FieldKind::kFloat:
      return FloatOf(LoadUnsigned(bytes, big_endian), type.bytes);
    case FieldKind::kUnsigned:
      break;
  }
  return LoadUnsigned(bytes, big_endian);
}

std::optional<nlohmann::json> ParseFieldValue(const FieldType& type, const YAML::Node& node) {
  if (!node.IsScalar()) return std::nullopt;
  const std::string& text = node.Scalar();
  switch (type.kind) {
    case FieldKind::kBytes:
      if (text.size() != 2 * type.bytes || !IsHex(text)) return std::nullopt;
      return text;
    case FieldKind::kText:
      if (text.size() != type.bytes) return std::nullopt;
      return text;
    case FieldKind::kSigned:
      return ParseSigned(type, node);
    case FieldKind::kFloat: {
      const auto value = ParseNumber(node);
      if (!value) return std::nullopt;
      return *value;
    }
    case FieldKind::kUnsigned:
      break;
  }
  const auto value = ParseUnsigned(node);
  if (!value || (type.bytes < 8 && *value >> (8 * type.bytes) != 0)) return std::nullopt;
  return *value;
}

std::string ExpectedValueText(const FieldType& type) {
  const std::string bits = std::to_string(8 * type.bytes), bytes = std::to_string(type.bytes);
  switch (type.kind) {
    case FieldKind::kBytes:
      return std::to_string(2 * type.bytes) + " lower-case hexadecimal digits in quotes";
    case FieldKind::kText:
      return "text of " + bytes + " bytes";
    case FieldKind::kSigned:
      return "a whole number that " + bits + " bits hold, of either sign";
    case FieldKind::kFloat:
      return "a number";
    case FieldKind::kUnsigned:
      break;
  }
  return "a whole number that " + bits + " bits hold";
}

}  // namespace parity::kv
