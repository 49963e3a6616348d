#include "gtest_parity/engines/tiny/ported/kv/tool_trailer.h"

#include <algorithm>
#include <istream>
#include <iterator>
#include <optional>

#include "gtest_parity/engines/tiny/ported/kv/bytes.h"

namespace parity::tiny::ported {
namespace {

constexpr std::string_view kMagic{"KTM\x01", 4};

struct Limits {
  std::uint64_t entries = 400'000, id = 256, block = std::uint64_t{512} << 20;
};
constexpr Limits kLimits;

// Takes from a stream no more than it was given.
class Bounded {
 public:
  Bounded(std::istream& in, std::uint64_t left) : in_(in), left_(left) {}
  std::optional<std::string> Take(std::uint64_t bytes) {
    if (bytes > left_) return std::nullopt;
    left_ -= bytes;
    std::string taken(bytes, '\0');
    if (!in_.read(taken.data(), static_cast<std::streamsize>(bytes))) return std::nullopt;
    return taken;
  }
  std::uint64_t left() const { return left_; }

 private:
  std::istream& in_;
  std::uint64_t left_;
};

std::string UpToNul(const std::string& bytes) { return bytes.substr(0, bytes.find('\0')); }

std::optional<ToolBlock> TakeEntry(Bounded& in) {
  const auto lengths = in.Take(8);
  if (!lengths) return std::nullopt;
  const std::uint64_t id_bytes = NumberAt<std::uint32_t>(*lengths, 0);
  const std::uint64_t block_bytes = NumberAt<std::uint32_t>(*lengths, 4);
  const auto within = [](std::uint64_t n, std::uint64_t most) { return n >= 1 && n <= most; };
  if (!within(id_bytes, kLimits.id) || !within(block_bytes, kLimits.block)) return std::nullopt;
  if (id_bytes + block_bytes > in.left()) return std::nullopt;
  const auto id = in.Take(id_bytes);
  const auto block = in.Take(block_bytes);
  if (!id || !block) return std::nullopt;
  return ToolBlock{UpToNul(*id), UpToNul(*block)};
}

}  // namespace

std::string EncodeTrailer(const std::string& text, const std::vector<ToolBlock>& blocks) {
  std::vector<ToolBlock> kept;
  std::copy_if(blocks.begin(), blocks.end(), std::back_inserter(kept), [&](const ToolBlock& block) {
    return !block.block.empty() && text.find(block.block) != std::string::npos;
  });
  if (kept.empty()) return {};
  std::string trailer(kMagic);
  Append(trailer, static_cast<std::uint32_t>(kept.size()));
  for (const auto& [id, block] : kept) {
    Append(trailer, static_cast<std::uint32_t>(id.size()));
    Append(trailer, static_cast<std::uint32_t>(block.size()));
    trailer += id;
    trailer += block;
  }
  return trailer;
}

std::vector<ToolBlock> DecodeTrailer(std::istream& in, std::uint64_t bytes) {
  Bounded bounded(in, bytes);
  const auto front = bounded.Take(8);
  if (!front || !front->starts_with(kMagic)) return {};
  const std::uint64_t count = NumberAt<std::uint32_t>(*front, 4);
  if (count > kLimits.entries) return {};
  std::vector<ToolBlock> blocks;
  while (blocks.size() < count) {
    auto entry = TakeEntry(bounded);
    if (!entry) break;
    blocks.push_back(*std::move(entry));
  }
  return blocks;
}

}  // namespace parity::tiny::ported
