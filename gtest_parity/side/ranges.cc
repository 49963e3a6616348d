#include <algorithm>

#include "gtest_parity/side/executor.h"
#include "kernels/changed.h"

namespace parity {

ElementRanges BlocksToElements(const std::vector<std::uint64_t>& bitmap, std::uint64_t bytes,
                               std::uint32_t element_bytes) {
  ElementRanges ranges;
  const std::uint64_t blocks = (bytes + kBlockBytes - 1) / kBlockBytes;
  const std::uint64_t elements = bytes / element_bytes;
  for (std::uint64_t block = 0; block < blocks; ++block) {
    if ((bitmap[block / 64] >> (block % 64) & 1) == 0) continue;
    const std::uint64_t first = block * kBlockBytes / element_bytes;
    const std::uint64_t end = std::min(elements, (block + 1) * kBlockBytes / element_bytes);
    if (!ranges.empty() && ranges.back().first + ranges.back().count == first) {
      ranges.back().count = end - ranges.back().first;
    } else {
      ranges.push_back({first, end - first});
    }
  }
  return ranges;
}

ElementRanges Complement(const ElementRanges& ranges, std::uint64_t count) {
  ElementRanges rest;
  std::uint64_t next = 0;
  for (const ElementRun& range : ranges) {
    if (range.first > next) rest.push_back({next, range.first - next});
    next = range.first + range.count;
  }
  if (next < count) rest.push_back({next, count - next});
  return rest;
}

}  // namespace parity
