#include "gtest_parity/side/ranges.h"

#include <algorithm>

#include "kernels/block.h"

namespace parity {

ElementRanges BlocksToElements(const std::vector<std::uint64_t>& bitmap, std::uint64_t bytes,
                               DType dtype) {
  ElementRanges ranges;
  const std::uint64_t blocks = (bytes + kBlockBytes - 1) / kBlockBytes;
  const std::uint64_t elements = ElementsIn(dtype, bytes);
  const std::uint64_t per_block = ElementsIn(dtype, kBlockBytes);
  for (std::uint64_t block = 0; block < blocks; ++block) {
    if ((bitmap[block / 64] >> (block % 64) & 1) == 0) continue;
    const std::uint64_t first = block * per_block;
    const std::uint64_t end = std::min(elements, first + per_block);
    if (!ranges.empty() && ranges.back().first + ranges.back().count == first) {
      ranges.back().count = end - ranges.back().first;
    } else {
      ranges.push_back({first, end - first});
    }
  }
  return ranges;
}

ElementRanges Intersect(const ElementRanges& a, const ElementRanges& b) {
  ElementRanges both;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const std::uint64_t end_a = a[i].first + a[i].count, end_b = b[j].first + b[j].count;
    const std::uint64_t first = std::max(a[i].first, b[j].first);
    const std::uint64_t end = std::min(end_a, end_b);
    if (first < end) both.push_back({first, end - first});
    end_a < end_b ? ++i : ++j;
  }
  return both;
}

ElementRanges Complement(const ElementRanges& ranges, std::uint64_t count) {
  ElementRanges rest;
  std::uint64_t next = 0;
  for (const ElementRun& range : ranges) {
    if (range.first >= count) break;
    if (range.first > next) rest.push_back({next, range.first - next});
    next = range.first + range.count;
  }
  if (next < count) rest.push_back({next, count - next});
  return rest;
}

}  // namespace parity
