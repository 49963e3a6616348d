#include "gtest_parity/device/pages.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>

namespace parity {
namespace {

constexpr std::uint64_t kAlignment = 64;

std::uint64_t PageLength(std::uint64_t bytes, std::uint64_t page) {
  return std::min(kPageBytes, bytes - page * kPageBytes);
}

}  // namespace

PageStore::PageStore(const std::vector<int>& fds, bool writable) {
  for (const int fd : fds) {
    const std::uint64_t bytes = SizeOfSharedMemory(fd);
    if (bytes == 0 || bytes > kChunkBytes) {
      throw std::system_error(EINVAL, std::generic_category(),
                              "a chunk of " + std::to_string(bytes) + " bytes");
    }
    chunks_.emplace_back(fd, bytes, writable);
  }
}

const std::uint8_t* PageStore::At(std::uint64_t offset, std::uint64_t length) const {
  const std::uint64_t chunk = offset / kChunkBytes;
  if (chunk >= chunks_.size() || offset % kChunkBytes + length > chunks_[chunk].bytes()) {
    throw std::out_of_range("bytes " + std::to_string(offset) + " to " +
                            std::to_string(offset + length) + " of a recording of " +
                            std::to_string(chunks_.size() * kChunkBytes) + " bytes");
  }
  return chunks_[chunk].data() + offset % kChunkBytes;
}

std::uint8_t* PageStore::Allocate(std::uint64_t length, std::uint64_t* offset) {
  const std::uint64_t rounded = (length + kAlignment - 1) / kAlignment * kAlignment;
  std::uint64_t at = next_;
  while (at / kChunkBytes < chunks_.size() &&
         at % kChunkBytes + rounded > chunks_[at / kChunkBytes].bytes()) {
    at += kChunkBytes - at % kChunkBytes;
  }
  if (at / kChunkBytes >= chunks_.size()) return nullptr;
  *offset = at;
  next_ = at + rounded;
  used_ += rounded;
  return chunks_[*offset / kChunkBytes].data() + *offset % kChunkBytes;
}

std::optional<Image> PageStore::Keep(const void* data, std::uint64_t bytes, const Image& previous) {
  const auto* source = static_cast<const std::uint8_t*>(data);
  const std::uint64_t before = next_, used_before = used_;
  Image image;
  image.bytes = bytes;
  for (std::uint64_t i = 0; i * kPageBytes < bytes; ++i) {
    const std::uint64_t length = PageLength(bytes, i);
    if (i < previous.pages.size() && PageLength(previous.bytes, i) >= length &&
        std::memcmp(At(previous.pages[i], length), source + i * kPageBytes, length) == 0) {
      image.pages.push_back(previous.pages[i]);
      continue;
    }
    std::uint64_t offset = 0;
    std::uint8_t* page = Allocate(length, &offset);
    if (page == nullptr) {
      next_ = before;
      used_ = used_before;
      return std::nullopt;
    }
    std::memcpy(page, source + i * kPageBytes, length);
    image.pages.push_back(offset);
  }
  return image;
}

void PageStore::Read(const Image& image, void* out) const {
  auto* target = static_cast<std::uint8_t*>(out);
  const std::uint64_t expected = image.bytes / kPageBytes + (image.bytes % kPageBytes != 0 ? 1 : 0);
  if (image.pages.size() != expected) {
    throw std::out_of_range("an image of " + std::to_string(image.bytes) + " bytes with " +
                            std::to_string(image.pages.size()) + " pages");
  }
  for (std::uint64_t i = 0; i < image.pages.size(); ++i) {
    const std::uint64_t length = PageLength(image.bytes, i);
    std::memcpy(target + i * kPageBytes, At(image.pages[i], length), length);
  }
}

}  // namespace parity
