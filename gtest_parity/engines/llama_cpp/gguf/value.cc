#include "gtest_parity/engines/llama_cpp/gguf/value.h"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <string_view>

namespace parity::gguf {
namespace {

constexpr std::size_t kMostShownBytes = 60;
constexpr std::uint64_t kMostShownElements = 4;

void Put(std::uint64_t value, int bytes, std::string* out) {
  for (int i = 0; i < bytes; ++i) *out += static_cast<char>(value >> (8 * i));
}

// The little-endian number that `bytes` begins with.
std::uint64_t Number(std::string_view bytes, std::uint64_t width) {
  std::uint64_t value = 0;
  for (std::uint64_t i = 0; i < width; ++i) {
    value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return value;
}

// Cut before a character of UTF-8, not within it.
std::string Shown(std::string_view text) {
  const bool cut = text.size() > kMostShownBytes;
  std::size_t shown = std::min(text.size(), kMostShownBytes);
  while (cut && shown > 0 && (text[shown] & 0xc0) == 0x80) --shown;
  const nlohmann::json json = std::string(text.substr(0, shown));
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + (cut ? "..." : "");
}

std::string NumberText(ValueType type, std::uint64_t bits) {
  switch (type) {
    case ValueType::kBool:
      return bits == 0 ? "false" : "true";
    case ValueType::kI8:
      return std::to_string(static_cast<std::int8_t>(bits));
    case ValueType::kI16:
      return std::to_string(static_cast<std::int16_t>(bits));
    case ValueType::kI32:
      return std::to_string(static_cast<std::int32_t>(bits));
    case ValueType::kI64:
      return std::to_string(static_cast<std::int64_t>(bits));
    case ValueType::kF32:
      return nlohmann::json(std::bit_cast<float>(static_cast<std::uint32_t>(bits))).dump();
    case ValueType::kF64:
      return nlohmann::json(std::bit_cast<double>(bits)).dump();
    default:
      return std::to_string(bits);
  }
}

// Takes one element off the front of `rest`.
std::string TakeText(ValueType type, std::string_view* rest) {
  std::uint64_t bytes = BytesOf(type);
  std::string text;
  if (type == ValueType::kString) {
    bytes = Number(*rest, 8);
    rest->remove_prefix(8);
    text = Shown(rest->substr(0, bytes));
  } else {
    text = NumberText(type, Number(*rest, bytes));
  }
  rest->remove_prefix(bytes);
  return text;
}

Value Plain(ValueType type, std::uint64_t bits) {
  Value value{type};
  Put(bits, static_cast<int>(BytesOf(type)), &value.bytes);
  return value;
}

}  // namespace

void PutU32(std::uint32_t value, std::string* out) { Put(value, 4, out); }

void PutU64(std::uint64_t value, std::string* out) { Put(value, 8, out); }

void PutText(const std::string& text, std::string* out) {
  PutU64(text.size(), out);
  *out += text;
}

Value U32(std::uint32_t value) { return Plain(ValueType::kU32, value); }

Value F32(float value) { return Plain(ValueType::kF32, std::bit_cast<std::uint32_t>(value)); }

Value Bool(bool value) { return Plain(ValueType::kBool, value ? 1 : 0); }

Value Text(const std::string& text) {
  Value value{ValueType::kString};
  PutText(text, &value.bytes);
  return value;
}

Value Texts(const std::vector<std::string>& texts) {
  Value value{ValueType::kArray, ValueType::kString, texts.size()};
  for (const std::string& text : texts) PutText(text, &value.bytes);
  return value;
}

Value I32s(const std::vector<std::int32_t>& values) {
  Value value{ValueType::kArray, ValueType::kI32, values.size()};
  for (const std::int32_t each : values) PutU32(static_cast<std::uint32_t>(each), &value.bytes);
  return value;
}

const Value* Find(const Metadata& metadata, const std::string& key) {
  for (const auto& [name, value] : metadata) {
    if (name == key) return &value;
  }
  return nullptr;
}

std::string TextOf(const Value& value) {
  std::string_view rest = value.bytes;
  if (value.type != ValueType::kArray) return TakeText(value.type, &rest);
  std::string text = "[" + std::to_string(value.count) + "]";
  for (std::uint64_t i = 0; i < std::min(value.count, kMostShownElements); ++i) {
    text += (i == 0 ? " " : ", ") + TakeText(value.element, &rest);
  }
  if (value.count > kMostShownElements) text += ", ...";
  return text;
}

std::string TypeTextOf(const Value& value) {
  std::string text(NameOf(value.type));
  if (value.type == ValueType::kArray) text += " of " + std::string(NameOf(value.element));
  return text;
}

}  // namespace parity::gguf
