#include "gtest_parity/device/pages.h"

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "gtest_parity/device/host_device.h"

namespace parity {
namespace {

constexpr std::uint64_t kAlignment = 64;

std::uint64_t PageLength(std::uint64_t bytes, std::uint64_t page) {
  return std::min(kPageBytes, bytes - page * kPageBytes);
}

}  // namespace

MappedChunk MapChunk(int fd, bool writable) {
  const std::uint64_t bytes = SizeOfSharedMemory(fd);
  if (bytes == 0 || bytes > kChunkBytes) {
    throw std::system_error(EINVAL, std::generic_category(),
                            "a chunk of " + std::to_string(bytes) + " bytes");
  }
  auto mapping = std::make_shared<Mapping>(fd, bytes, writable);
  std::uint8_t* data = mapping->data();
  return {data, bytes, std::move(mapping)};
}

PageStore::PageStore(std::shared_ptr<Device> device, std::vector<MappedChunk> chunks)
    : device_(std::move(device)), chunks_(std::move(chunks)) {}

PageStore::PageStore(const std::vector<int>& fds, bool writable)
    : device_(std::make_shared<HostDevice>()) {
  for (const int fd : fds) chunks_.push_back(MapChunk(fd, writable));
}

std::uint8_t* PageStore::At(std::uint64_t offset, std::uint64_t length) const {
  const std::uint64_t chunk = offset / kChunkBytes;
  if (chunk >= chunks_.size() || offset % kChunkBytes + length > chunks_[chunk].bytes) {
    throw std::out_of_range("bytes " + std::to_string(offset) + " to " +
                            std::to_string(offset + length) + " of a recording of " +
                            std::to_string(chunks_.size() * kChunkBytes) + " bytes");
  }
  return chunks_[chunk].data + offset % kChunkBytes;
}

std::uint8_t* PageStore::Allocate(std::uint64_t length, std::uint64_t* offset) {
  const std::uint64_t rounded = (length + kAlignment - 1) / kAlignment * kAlignment;
  std::uint64_t at = next_;
  while (at / kChunkBytes < chunks_.size() &&
         at % kChunkBytes + rounded > chunks_[at / kChunkBytes].bytes) {
    at += kChunkBytes - at % kChunkBytes;
  }
  if (at / kChunkBytes >= chunks_.size()) return nullptr;
  *offset = at;
  next_ = at + rounded;
  used_ += rounded;
  return chunks_[*offset / kChunkBytes].data + *offset % kChunkBytes;
}

// By page of `data`, whether `previous` has one that it can share.
std::vector<bool> PageStore::Unchanged(const std::uint8_t* data, std::uint64_t bytes,
                                       const Image& previous) const {
  std::vector<PageCopy> asked;
  std::vector<std::size_t> of;
  std::vector<bool> unchanged((bytes + kPageBytes - 1) / kPageBytes, false);
  for (std::size_t i = 0; i < std::min(unchanged.size(), previous.pages.size()); ++i) {
    const std::uint64_t length = PageLength(bytes, i);
    if (PageLength(previous.bytes, i) < length) continue;
    asked.push_back({data + i * kPageBytes, At(previous.pages[i], length), length});
    of.push_back(i);
  }
  if (asked.empty()) return unchanged;
  const std::vector<bool> differ = device_->PagesDiffer(asked);
  for (std::size_t i = 0; i < asked.size(); ++i) unchanged[of[i]] = !differ[i];
  return unchanged;
}

std::optional<Image> PageStore::Keep(const void* data, std::uint64_t bytes, const Image& previous) {
  const auto* source = static_cast<const std::uint8_t*>(data);
  const std::uint64_t before = next_, used_before = used_;
  const std::vector<bool> unchanged = Unchanged(source, bytes, previous);
  Image image;
  image.bytes = bytes;
  std::vector<PageCopy> changed;
  for (std::uint64_t i = 0; i < unchanged.size(); ++i) {
    if (unchanged[i]) {
      image.pages.push_back(previous.pages[i]);
      continue;
    }
    const std::uint64_t length = PageLength(bytes, i);
    std::uint64_t offset = 0;
    std::uint8_t* page = Allocate(length, &offset);
    if (page == nullptr) {
      next_ = before;
      used_ = used_before;
      return std::nullopt;
    }
    changed.push_back({source + i * kPageBytes, page, length});
    image.pages.push_back(offset);
  }
  device_->CopyPages(changed);
  return image;
}

void PageStore::Read(const Image& image, void* out) const {
  auto* target = static_cast<std::uint8_t*>(out);
  const std::uint64_t expected = image.bytes / kPageBytes + (image.bytes % kPageBytes != 0 ? 1 : 0);
  if (image.pages.size() != expected) {
    throw std::out_of_range("an image of " + std::to_string(image.bytes) + " bytes with " +
                            std::to_string(image.pages.size()) + " pages");
  }
  std::vector<PageCopy> pages;
  for (std::uint64_t i = 0; i < image.pages.size(); ++i) {
    const std::uint64_t length = PageLength(image.bytes, i);
    pages.push_back({At(image.pages[i], length), target + i * kPageBytes, length});
  }
  device_->CopyPages(pages);
}

}  // namespace parity
