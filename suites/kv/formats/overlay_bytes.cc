#include "suites/kv/formats/overlay_bytes.h"

#include <algorithm>

namespace parity::kv {

ReadResult OverlayBytes::ReadInside(std::uint64_t offset, std::span<std::uint8_t> out) {
  std::fill(out.begin(), out.end(), std::uint8_t{0});
  if (offset < base_->size()) {
    const std::uint64_t there = std::min<std::uint64_t>(out.size(), base_->size() - offset);
    const ReadResult result = base_->Read(offset, out.first(there));
    if (result != ReadResult::kOk) return result;
  }
  for (const Overwrite& write : overwrites_) {
    const std::uint64_t begin = std::max(offset, write.offset);
    const std::uint64_t end = std::min(offset + out.size(), write.offset + write.bytes.size());
    for (std::uint64_t at = begin; at < end; ++at)
      out[at - offset] = write.bytes[at - write.offset];
  }
  return ReadResult::kOk;
}

}  // namespace parity::kv
