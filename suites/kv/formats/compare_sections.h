// The bytes of one section of two records.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_COMPARE_SECTIONS_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_COMPARE_SECTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "suites/kv/formats/compare_records.h"
#include "suites/kv/formats/hex_window.h"

namespace parity::kv {

// SHA-256 of a range with the mask zeroed; what went wrong in parentheses if it cannot be read.
std::string MaskedSha256(const ComparedRecord& side, Range range);

// `range` of the file for a window, as far as the file goes.
std::vector<WindowByte> WindowOf(const ComparedRecord& side, Range range);

// Of two ranges, byte by byte.
struct ByteDifferences {
  std::uint64_t count = 0;  // of the shorter one's length, outside the mask and outside `told`
  std::uint64_t first = 0;  // from the range's start
};

// `told` are ranges of the reference's file whose differences have been told as a field's. Nothing
// where a side cannot be read.
std::optional<ByteDifferences> CompareBytes(const ComparedRecord& reference, Range reference_range,
                                            const ComparedRecord& candidate, Range candidate_range,
                                            const std::vector<Range>& told);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_COMPARE_SECTIONS_H_
