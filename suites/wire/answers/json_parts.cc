#include "suites/wire/answers/json_parts.h"

namespace parity::wire {

using nlohmann::json;

const json& PartOf(const json& value, const char* key) {
  static const json nothing;
  if (!value.is_object()) return nothing;
  const auto found = value.find(key);
  return found == value.end() ? nothing : *found;
}

const json& ElementOf(const json& value, std::size_t index) {
  static const json nothing;
  return value.is_array() && index < value.size() ? value[index] : nothing;
}

std::string TextIn(const json& value, const char* key) {
  const json& part = PartOf(value, key);
  return part.is_string() ? part.get<std::string>() : "";
}

std::optional<std::int64_t> CountIn(const json& value, const char* key) {
  const json& part = PartOf(value, key);
  if (!part.is_number_integer()) return std::nullopt;
  // Beyond that a reader's double is no longer the number, and sums of them may not fit.
  constexpr std::int64_t kMost = std::int64_t{1} << 53;
  if (part.is_number_unsigned() && part.get<std::uint64_t>() > static_cast<std::uint64_t>(kMost)) {
    return std::nullopt;
  }
  const auto count = part.get<std::int64_t>();
  if (count < -kMost) return std::nullopt;
  return count;
}

bool Holds(const json& value, const char* key) { return value.is_object() && value.contains(key); }

}  // namespace parity::wire
