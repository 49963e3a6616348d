#include "gtest_parity/replay/page_packer.h"

#include <algorithm>

#include "kernels/digest.h"

namespace parity {
namespace {

constexpr std::uint64_t kAlignment = 64;

}  // namespace

std::vector<std::uint8_t> PagePacker::Read(std::uint64_t from, std::uint64_t bytes) const {
  std::vector<std::uint8_t> data(bytes);
  pages_.Read({bytes, {from}}, data.data());
  return data;
}

std::uint64_t PagePacker::Place(std::uint64_t from, std::uint64_t bytes) {
  const auto known = known_.find({from, bytes});
  if (known != known_.end()) return known->second;
  const std::vector<std::uint8_t> data = Read(from, bytes);
  const std::uint64_t digest = DigestOf(data.data(), bytes).first;
  const auto [begin, end] = by_digest_.equal_range(digest);
  for (auto at = begin; at != end; ++at) {
    const Page& page = placed_[at->second];
    if (page.bytes == bytes && Read(page.from, bytes) == data) {
      return known_[{from, bytes}] = page.to;
    }
  }
  std::uint64_t to = (end_ + kAlignment - 1) / kAlignment * kAlignment;
  if (to % kChunkBytes + bytes > kChunkBytes) to += kChunkBytes - to % kChunkBytes;
  by_digest_.emplace(digest, placed_.size());
  placed_.push_back({from, bytes, to});
  end_ = to + bytes;
  return known_[{from, bytes}] = to;
}

Image PagePacker::Pack(const Image& image) {
  Image packed;
  packed.bytes = image.bytes;
  whole_ += image.bytes;
  for (std::size_t i = 0; i < image.pages.size(); ++i) {
    packed.pages.push_back(
        Place(image.pages[i], std::min(kPageBytes, image.bytes - i * kPageBytes)));
  }
  return packed;
}

void PagePacker::Write(const std::function<void(const void*, std::uint64_t)>& write) const {
  const std::vector<std::uint8_t> zeros(kPageBytes);
  std::uint64_t at = 0;
  for (const Page& page : placed_) {
    for (; at < page.to; at += std::min(kPageBytes, page.to - at)) {
      write(zeros.data(), std::min(kPageBytes, page.to - at));
    }
    write(Read(page.from, page.bytes).data(), page.bytes);
    at = page.to + page.bytes;
  }
}

}  // namespace parity
