#include "gtest_parity/engines/tiny/safetensors.h"

#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "gtest_parity/engines/tiny/error.h"

namespace parity::tiny {
namespace {

using nlohmann::json;

constexpr std::uint64_t kLengthBytes = 8;

std::vector<std::byte> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw Invalid(path + ": cannot be opened, expected a safetensors file");
  const std::streamoff size = file.tellg();
  if (size < 0) throw Failed(path + ": cannot be read");
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  file.seekg(0);
  if (!file.read(reinterpret_cast<char*>(bytes.data()), size)) {
    throw Failed(path + ": cannot be read to its end");
  }
  return bytes;
}

std::uint64_t BytesOf(const std::string& dtype, const std::string& where) {
  static const std::map<std::string, std::uint64_t> kBytes = {
      {"F64", 8},  {"I64", 8}, {"U64", 8}, {"F32", 4}, {"I32", 4}, {"U32", 4},     {"F16", 2},
      {"BF16", 2}, {"I16", 2}, {"U16", 2}, {"I8", 1},  {"U8", 1},  {"F8_E4M3", 1}, {"BOOL", 1}};
  const auto found = kBytes.find(dtype);
  if (found == kBytes.end()) throw Failed(where + ": unknown dtype \"" + dtype + "\"");
  return found->second;
}

std::string ShapeText(const std::vector<std::uint64_t>& shape) { return json(shape).dump(); }

// Element count times element size; throws if that overflows.
std::uint64_t ExpectedBytes(const StoredTensor& tensor, const std::string& where) {
  std::uint64_t bytes = BytesOf(tensor.dtype, where);
  for (const std::uint64_t extent : tensor.shape) {
    if (extent != 0 && bytes > std::numeric_limits<std::uint64_t>::max() / extent) {
      throw Failed(where + ": shape " + ShapeText(tensor.shape) + " is too large");
    }
    bytes *= extent;
  }
  return bytes;
}

// Discarded where it is no JSON.
json ParseHeader(std::string_view text, const std::string& path) {
  // A tensor's shape is the deepest; what is nested further would be shown by recursion.
  constexpr int kDeepest = 8;
  const auto check = [&](int depth, json::parse_event_t, json&) {
    if (depth > kDeepest) throw Failed(path + ": header is nested too deep");
    return true;
  };
  return json::parse(text, check, /*allow_exceptions=*/false);
}

// The library would cut and wrap what is none.
std::uint64_t Whole(const json& value) {
  if (!value.is_number_unsigned()) throw std::invalid_argument("no size");
  return value.get<std::uint64_t>();
}

StoredTensor ParseTensor(const json& entry, const std::byte* data, std::uint64_t data_bytes,
                         const std::string& where) {
  StoredTensor tensor;
  std::pair<std::uint64_t, std::uint64_t> offsets;
  try {
    tensor.dtype = entry.at("dtype").get<std::string>();
    for (const json& extent : entry.at("shape").get_ref<const json::array_t&>()) {
      tensor.shape.push_back(Whole(extent));
    }
    const json& bounds = entry.at("data_offsets");
    offsets = {Whole(bounds.at(0)), Whole(bounds.at(1))};
  } catch (const std::exception&) {
    throw Failed(where + ": expected dtype, shape and data_offsets, got " +
                 entry.dump().substr(0, 200));
  }
  const auto [begin, end] = offsets;
  if (begin > end || end > data_bytes) {
    throw Failed(where + ": data_offsets [" + std::to_string(begin) + ", " + std::to_string(end) +
                 "], expected to lie within the file's " + std::to_string(data_bytes) +
                 " bytes of data (truncated?)");
  }
  tensor.bytes = end - begin;
  const std::uint64_t expected = ExpectedBytes(tensor, where);
  if (tensor.bytes != expected) {
    throw Failed(where + ": holds " + std::to_string(tensor.bytes) + " bytes, " + tensor.dtype +
                 ShapeText(tensor.shape) + " needs " + std::to_string(expected));
  }
  tensor.data = data + begin;
  return tensor;
}

}  // namespace

SafetensorsFile::SafetensorsFile(std::string path) : SafetensorsFile(path, ReadFile(path)) {}

SafetensorsFile::SafetensorsFile(std::string path, std::vector<std::byte> bytes)
    : path_(std::move(path)), bytes_(std::move(bytes)) {
  if (bytes_.size() < kLengthBytes) {
    throw Failed(path_ + ": truncated, " + std::to_string(bytes_.size()) +
                 " bytes hold no header length");
  }
  std::uint64_t header_bytes = 0;  // little-endian, as the hosts that this is built for
  std::memcpy(&header_bytes, bytes_.data(), kLengthBytes);
  if (header_bytes > bytes_.size() - kLengthBytes) {
    throw Failed(path_ + ": header of " + std::to_string(header_bytes) +
                 " bytes reaches beyond the file of " + std::to_string(bytes_.size()));
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes_.data()) + kLengthBytes,
                              header_bytes);
  const json header = ParseHeader(text, path_);
  if (!header.is_object()) throw Failed(path_ + ": header is not a JSON object");
  const std::byte* data = bytes_.data() + kLengthBytes + header_bytes;
  const std::uint64_t data_bytes = bytes_.size() - kLengthBytes - header_bytes;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") continue;
    tensors_[name] = ParseTensor(entry, data, data_bytes, path_ + ": " + name);
  }
}

const StoredTensor& SafetensorsFile::Get(const std::string& name, const std::string& dtype,
                                         const std::vector<std::uint64_t>& shape) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) throw Failed(path_ + ": no tensor " + name);
  const StoredTensor& tensor = found->second;
  if (tensor.dtype != dtype || tensor.shape != shape) {
    throw Failed(path_ + ": " + name + " is " + tensor.dtype + ShapeText(tensor.shape) +
                 ", expected " + dtype + ShapeText(shape));
  }
  return tensor;
}

}  // namespace parity::tiny
