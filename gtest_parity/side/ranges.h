// Ranges of elements: what to compare, and what was found.
#ifndef GTEST_PARITY_SIDE_RANGES_H_
#define GTEST_PARITY_SIDE_RANGES_H_

#include <cstdint>
#include <vector>

#include "gtest_parity/side/script.h"

namespace parity {

// Runs of elements that the set blocks of a ChangedBlocks bitmap hold.
ElementRanges BlocksToElements(const std::vector<std::uint64_t>& bitmap, std::uint64_t bytes,
                               DType dtype);
// The elements of [0, count) that are in no range; `ranges` ascending and disjoint, and may reach
// beyond `count`.
ElementRanges Complement(const ElementRanges& ranges, std::uint64_t count);
// The elements that are in both.
ElementRanges Intersect(const ElementRanges& a, const ElementRanges& b);

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_RANGES_H_
