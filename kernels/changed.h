// Which 64-byte blocks of two byte ranges differ.
#ifndef GTEST_PARITY_KERNELS_CHANGED_H_
#define GTEST_PARITY_KERNELS_CHANGED_H_

#include <cstdint>
#include <vector>

#include "kernels/block.h"

namespace parity {

// Bit i % 64 of word i / 64 is set where block i differs; the last block may be short. One word for
// every 4096 bytes begun. Neither pointer need be aligned.
std::vector<std::uint64_t> ChangedBlocks(const void* a, const void* b, std::uint64_t bytes);

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CHANGED_H_
