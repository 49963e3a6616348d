#include "gtest_parity/engines/tiny/paged/kv/trailer.h"

#include <cstring>

#include "gtest_parity/engines/tiny/paged/kv/format.h"

namespace parity::tiny::paged {
namespace {

constexpr std::uint32_t kMostEntries = 400000;
constexpr std::uint32_t kMostIdBytes = 256;
constexpr std::uint32_t kMostBlockBytes = 512u << 20;

void Append32(std::string& bytes, std::uint32_t value) {
  unsigned char raw[4];
  KvcPut32(raw, value);
  bytes.append(reinterpret_cast<const char*>(raw), 4);
}

// As a C string has it: up to the first NUL.
bool ReadString(std::FILE* file, std::uint32_t bytes, std::string* out) {
  std::string raw(bytes, '\0');
  if (std::fread(raw.data(), 1, bytes, file) != bytes) return false;
  out->assign(raw, 0, raw.find('\0'));
  return true;
}

bool ReadEntry(std::FILE* file, std::uint64_t* left, ToolBlock* out) {
  unsigned char raw[8];
  if (*left < 8 || std::fread(raw, 1, 8, file) != 8) return false;
  const std::uint32_t id = KvcGet32(raw), block = KvcGet32(raw + 4);
  if (id < 1 || id > kMostIdBytes || block < 1 || block > kMostBlockBytes) return false;
  if (*left - 8 < std::uint64_t{id} + block) return false;
  *left -= 8 + std::uint64_t{id} + block;
  return ReadString(file, id, &out->id) && ReadString(file, block, &out->block);
}

}  // namespace

std::string KvcTrailer(const std::string& text, const std::vector<ToolBlock>& blocks) {
  std::string entries;
  std::uint32_t count = 0;
  for (const ToolBlock& block : blocks) {
    if (block.block.empty() || text.find(block.block) == std::string::npos) continue;
    Append32(entries, static_cast<std::uint32_t>(block.id.size()));
    Append32(entries, static_cast<std::uint32_t>(block.block.size()));
    entries += block.id + block.block;
    ++count;
  }
  if (count == 0) return "";
  std::string trailer("KTM\x01", 4);
  Append32(trailer, count);
  return trailer + entries;
}

void KvcReadTrailer(std::FILE* file, std::uint64_t bytes, std::vector<ToolBlock>* out) {
  unsigned char raw[8];
  if (bytes < 8 || std::fread(raw, 1, 8, file) != 8) return;
  if (std::memcmp(raw, "KTM\x01", 4) != 0 || KvcGet32(raw + 4) > kMostEntries) return;
  std::uint64_t left = bytes - 8;
  for (std::uint32_t i = 0; i < KvcGet32(raw + 4); ++i) {
    ToolBlock entry;
    if (!ReadEntry(file, &left, &entry)) return;
    out->push_back(entry);
  }
}

}  // namespace parity::tiny::paged
