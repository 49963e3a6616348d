#include "suites/kv/other_weights.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "gtest_parity/engines/llama_cpp/gguf/edit.h"
#include "gtest_parity/report/files.h"

namespace parity::kv {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

static_assert(std::endian::native == std::endian::little);

constexpr unsigned char kSign = 0x80;  // of a value's last byte

std::string ReadAll(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) throw std::runtime_error("cannot read " + path.string());
  return bytes;
}

void TurnSigns(std::string& bytes, std::uint64_t begin, std::uint64_t end, std::uint64_t width) {
  for (std::uint64_t at = begin; at + width <= end; at += 2 * width) {
    char& last = bytes[at + width - 1];
    last = static_cast<char>(static_cast<unsigned char>(last) ^ kSign);
  }
}

// Returns how many tensors were changed.
std::uint64_t ChangeTensors(std::string& bytes, const std::string& name) {
  static const std::map<std::string, std::uint64_t> kWidths = {
      {"F64", 8}, {"F32", 4}, {"F16", 2}, {"BF16", 2}};
  const auto bad = [&] { return std::runtime_error(name + " is no safetensors file"); };
  std::uint64_t header = 0;
  if (bytes.size() < sizeof(header)) throw bad();
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header > bytes.size() - sizeof(header)) throw bad();
  const std::uint64_t data = sizeof(header) + header;
  const json tensors = json::parse(bytes.substr(sizeof(header), header), nullptr, false);
  if (!tensors.is_object()) throw bad();
  std::uint64_t changed = 0;
  for (const auto& [tensor, about] : tensors.items()) {
    const auto width = kWidths.find(about.value("dtype", ""));
    if (width == kWidths.end()) continue;
    const auto at = about.at("data_offsets").get<std::array<std::uint64_t, 2>>();
    if (at[0] > at[1] || at[1] > bytes.size() - data) throw bad();
    TurnSigns(bytes, data + at[0], data + at[1], width->second);
    ++changed;
  }
  return changed;
}

}  // namespace

void CopyGgufWithOtherWeights(const std::string& file, const std::string& to) {
  gguf::Edits edits;
  edits.other_weights_seed = 1;
  WriteFileAtomically(to, gguf::Edit(file, ReadAll(file), edits));
}

void CopyWithOtherWeights(const std::string& folder, const std::string& to) {
  std::uint64_t changed = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const fs::path copy = fs::path(to) / entry.path().filename();
    if (entry.path().extension() != ".safetensors") {
      fs::copy_file(entry.path(), copy);
      continue;
    }
    std::string bytes = ReadAll(entry.path());
    changed += ChangeTensors(bytes, entry.path().string());
    std::ofstream out(copy, std::ios::binary);
    out << bytes;
    out.close();
    if (!out) throw std::runtime_error("cannot write " + copy.string());
  }
  if (changed == 0) {
    throw std::runtime_error(folder + " has no weights, expected .safetensors files with floats");
  }
}

}  // namespace parity::kv
