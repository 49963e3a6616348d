// A record with some of its bytes replaced and another size: what a damaged copy would hold,
// without the copy.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_OVERLAY_BYTES_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_OVERLAY_BYTES_H_

#include <cstdint>
#include <vector>

#include "suites/kv/formats/record_bytes.h"

namespace parity::kv {

struct Overwrite {
  std::uint64_t offset = 0;
  std::vector<std::uint8_t> bytes;
};

// Where neither `base` nor an overwrite has a byte it is zero, as in a file's hole. `base` and
// `overwrites` must outlive it.
class OverlayBytes : public RecordBytes {
 public:
  OverlayBytes(RecordBytes* base, const std::vector<Overwrite>& overwrites, std::uint64_t size)
      : base_(base), overwrites_(overwrites), size_(size) {}
  std::uint64_t size() const override { return size_; }

 private:
  ReadResult ReadInside(std::uint64_t offset, std::span<std::uint8_t> out) override;

  RecordBytes* base_;
  const std::vector<Overwrite>& overwrites_;
  std::uint64_t size_;
};

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_OVERLAY_BYTES_H_
