// The longest common subsequence of two op lists.
#ifndef GTEST_PARITY_MANIFEST_ALIGN_H_
#define GTEST_PARITY_MANIFEST_ALIGN_H_

#include <cstdint>
#include <utility>
#include <vector>

namespace parity {

// Pairs (i, j), both ascending, with a[i] == b[j], as many as there can be. Equal ends are trimmed;
// the rest takes |a| |b| / 64 steps and |a| |b| / 8 bytes, bit-parallel (Hyyro, "Bit-parallel
// LCS-length computation revisited", 2004).
std::vector<std::pair<std::uint32_t, std::uint32_t>> Align(const std::vector<std::uint32_t>& a,
                                                           const std::vector<std::uint32_t>& b);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_ALIGN_H_
