// The recording's memory: immutable 64 KiB pages in shared chunks.
#ifndef GTEST_PARITY_DEVICE_PAGES_H_
#define GTEST_PARITY_DEVICE_PAGES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gtest_parity/device/device.h"
#include "gtest_parity/device/shared_memory.h"

namespace parity {

inline constexpr std::uint64_t kPageBytes = 64 * 1024;
inline constexpr std::uint64_t kChunkBytes = 256 * 1024 * 1024;

// What a tensor held at one moment: pages in order, given by their offset in the rank's chunks laid
// end to end, each taken for kChunkBytes. All pages but the last are full; a short last page takes
// only its own bytes, rounded up to 64. Images of one rank may share pages. Written once, never
// changed.
struct Image {
  std::uint64_t bytes = 0;
  std::vector<std::uint64_t> pages;
};

// A chunk as this process maps it.
struct MappedChunk {
  std::uint8_t* data = nullptr;
  std::uint64_t bytes = 0;
  std::shared_ptr<void> mapping;  // ends with its last copy
};

// Maps shared memory of the host. Throws std::system_error.
MappedChunk MapChunk(int fd, bool writable);

// One rank's pages, as one process maps them.
class PageStore {
 public:
  // Chunks that `device`, whose memory is kept and read into, can reach; each of at most
  // kChunkBytes. Throws std::system_error.
  PageStore(std::shared_ptr<Device> device, std::vector<MappedChunk> chunks);
  // Of the host, in shared memory. Throws std::system_error.
  PageStore(const std::vector<int>& fds, bool writable);

  // Keeps `bytes` of `data`, which the device holds. Pages that equal the corresponding page of
  // `previous` are shared with it. Empty when the pages are used up; what was written until then is
  // given back.
  std::optional<Image> Keep(const void* data, std::uint64_t bytes, const Image& previous);
  // Copies the image to `out`, `image.bytes` long, in the device's or the host's memory. Throws
  // std::out_of_range for an image that does not lie in the chunks.
  void Read(const Image& image, void* out) const;
  std::uint64_t used_bytes() const { return used_; }
  Device& device() const { return *device_; }

 private:
  std::uint8_t* At(std::uint64_t offset, std::uint64_t length) const;
  std::uint8_t* Allocate(std::uint64_t length, std::uint64_t* offset);
  std::vector<bool> Unchanged(const std::uint8_t* data, std::uint64_t bytes,
                              const Image& previous) const;

  std::shared_ptr<Device> device_;
  std::vector<MappedChunk> chunks_;
  std::uint64_t next_ = 0;  // offset of the first free byte
  std::uint64_t used_ = 0;  // bytes of pages, what was left over at chunks' ends not counted
};

}  // namespace parity

#endif  // GTEST_PARITY_DEVICE_PAGES_H_
