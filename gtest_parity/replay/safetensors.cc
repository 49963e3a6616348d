#include "gtest_parity/replay/safetensors.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "gtest_parity/manifest/json_text.h"
#include "gtest_parity/replay/fields_json.h"
#include "gtest_parity/replay/refused.h"

namespace parity {
namespace {

constexpr std::uint64_t kMostHeaderBytes = 100'000'000;

struct Name {
  const char* name;
  std::uint64_t bits;
};
constexpr Name kNames[] = {{"F64", 64},    {"F32", 32}, {"F16", 16}, {"BF16", 16},   {"I64", 64},
                           {"I32", 32},    {"I16", 16}, {"I8", 8},   {"U64", 64},    {"U32", 32},
                           {"U16", 16},    {"U8", 8},   {"BOOL", 8}, {"F8_E4M3", 8}, {"F8_E5M2", 8},
                           {"F8_E8M0", 8}, {"F4", 4}};

// RecordingRefused where that is no 64-bit number.
std::uint64_t BytesByShape(const SafetensorsEntry& entry) {
  const auto known = std::find_if(std::begin(kNames), std::end(kNames),
                                  [&](const Name& name) { return entry.dtype == name.name; });
  if (known == std::end(kNames)) {
    throw RecordingRefused("dtype of '" + entry.name + "'", "'" + entry.dtype + "'",
                           "one of the format");
  }
  std::uint64_t bits = known->bits;
  for (const std::uint64_t extent : entry.shape) {
    if (extent != 0 && bits > (std::numeric_limits<std::uint64_t>::max() - 7) / extent) {
      throw RecordingRefused("'" + entry.name + "': its shape has no size");
    }
    bits *= extent;
  }
  return (bits + 7) / 8;
}

SafetensorsEntry ParseEntry(const std::string& name, const nlohmann::json& json) {
  SafetensorsEntry entry;
  entry.name = name;
  try {
    FromJson(json.at("dtype"), entry.dtype);
    FromJson(json.at("shape"), entry.shape);
    const auto& offsets = json.at("data_offsets");
    if (json.size() != 3 || offsets.size() != 2) throw RecordingRefused("");
    FromJson(offsets.at(0), entry.begin);
    FromJson(offsets.at(1), entry.end);
  } catch (const std::exception&) {
    throw RecordingRefused("'" + name + "': expected dtype, shape and two data_offsets");
  }
  if (entry.begin > entry.end || entry.end - entry.begin != BytesByShape(entry)) {
    throw RecordingRefused(
        "data_offsets of '" + name + "'",
        "[" + std::to_string(entry.begin) + ", " + std::to_string(entry.end) + ")",
        std::to_string(BytesByShape(entry)) + " bytes by its shape");
  }
  return entry;
}

}  // namespace

const char* SafetensorsName(DType dtype) {
  switch (dtype) {
    case DType::kF64:
      return "F64";
    case DType::kF32:
      return "F32";
    case DType::kF16:
      return "F16";
    case DType::kBF16:
      return "BF16";
    case DType::kE4M3:
      return "F8_E4M3";
    case DType::kE5M2:
      return "F8_E5M2";
    case DType::kE8M0:
      return "F8_E8M0";
    case DType::kE2M1:
      return "F4";
    case DType::kI8:
      return "I8";
    case DType::kI16:
      return "I16";
    case DType::kI32:
      return "I32";
    case DType::kI64:
      return "I64";
    case DType::kU16:
      return "U16";
    case DType::kU32:
      return "U32";
    case DType::kU64:
      return "U64";
    case DType::kBool:
      return "BOOL";
    case DType::kU8:
    case DType::kBytes:
      return "U8";
  }
  return "U8";
}

std::string SafetensorsHead(const std::vector<SafetensorsEntry>& entries) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  for (const SafetensorsEntry& entry : entries) {
    header[entry.name] = {
        {"dtype", entry.dtype}, {"shape", entry.shape}, {"data_offsets", {entry.begin, entry.end}}};
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  std::string head;
  for (int i = 0; i < 8; ++i) head += static_cast<char>(text.size() >> (8 * i));
  return head + text;
}

std::uint64_t SafetensorsHeaderBytes(std::span<const std::uint8_t> first,
                                     std::uint64_t file_bytes) {
  if (first.size() < kSafetensorsLengthBytes || file_bytes < kSafetensorsLengthBytes) {
    throw RecordingRefused("a safetensors file", std::to_string(file_bytes) + " bytes",
                           "at least 8");
  }
  std::uint64_t bytes = 0;
  for (int i = 0; i < 8; ++i) bytes |= std::uint64_t{first[static_cast<std::size_t>(i)]} << (8 * i);
  const std::uint64_t most = std::min(kMostHeaderBytes, file_bytes - kSafetensorsLengthBytes);
  if (bytes > most) {
    throw RecordingRefused("a safetensors header", std::to_string(bytes) + " bytes",
                           "at most " + std::to_string(most));
  }
  return bytes;
}

std::vector<SafetensorsEntry> ParseSafetensorsHeader(std::span<const std::uint8_t> header,
                                                     std::uint64_t data_bytes) {
  const nlohmann::json json =
      nlohmann::json::parse(header.begin(), header.end(), nullptr, /*allow_exceptions=*/false);
  const std::string_view text(reinterpret_cast<const char*>(header.data()), header.size());
  if (!json.is_object() || EndsEarly(text)) {
    throw RecordingRefused("a safetensors header: it is no JSON object");
  }
  std::vector<SafetensorsEntry> entries;
  for (const auto& [name, entry] : json.items()) {
    if (name != "__metadata__") entries.push_back(ParseEntry(name, entry));
  }
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  std::uint64_t at = 0;
  for (const SafetensorsEntry& entry : entries) {
    if (entry.begin != at) {
      throw RecordingRefused("the data of '" + entry.name + "' begins",
                             "at " + std::to_string(entry.begin), "at " + std::to_string(at));
    }
    at = entry.end;
  }
  if (at != data_bytes) {
    throw RecordingRefused("a safetensors file", std::to_string(data_bytes) + " bytes of data",
                           std::to_string(at) + " by its header");
  }
  return entries;
}

}  // namespace parity
