// One rank's pages on their way to disk: each content once, in the order of their first use.
#ifndef GTEST_PARITY_REPLAY_PAGE_PACKER_H_
#define GTEST_PARITY_REPLAY_PAGE_PACKER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gtest_parity/device/pages.h"

namespace parity {

class PagePacker {
 public:
  explicit PagePacker(const PageStore& pages) : pages_(pages) {}

  // The image with its pages at their offsets in the file's data. No page crosses a multiple of
  // kChunkBytes, so that the data can be loaded as it stands.
  Image Pack(const Image& image);
  std::uint64_t bytes() const { return end_; }          // of data
  std::uint64_t image_bytes() const { return whole_; }  // of all images, shared or not

  // The data in order, piece by piece, fillers of zeros between pages included.
  void Write(const std::function<void(const void*, std::uint64_t)>& write) const;

 private:
  struct Page {
    std::uint64_t from, bytes, to;
  };
  std::uint64_t Place(std::uint64_t from, std::uint64_t bytes);
  std::vector<std::uint8_t> Read(std::uint64_t from, std::uint64_t bytes) const;

  const PageStore& pages_;
  std::vector<Page> placed_;                                                // ascending
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> known_;  // (from, bytes) -> to
  std::unordered_multimap<std::uint64_t, std::size_t> by_digest_;           // -> index in placed_
  std::uint64_t end_ = 0, whole_ = 0;
};

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_PAGE_PACKER_H_
