#include "kernels/block.h"

#include <gtest/gtest.h>

namespace parity {
namespace {

TEST(BlockTest, EveryByteCountsAndNoneBeyond) {
  for (std::uint64_t bytes = 0; bytes <= kBlockBytes; ++bytes) {
    for (std::uint64_t at = 0; at < kBlockBytes; ++at) {
      unsigned char a[kBlockBytes + 1] = {}, b[kBlockBytes + 1] = {};
      b[1 + at] = 0x80;
      EXPECT_EQ(BlockDiffers(a + 1, b + 1, bytes), at < bytes) << bytes << " bytes, at " << at;
    }
  }
}

}  // namespace
}  // namespace parity
