// One block of the changed-blocks bitmap. Usable from device code.
#ifndef GTEST_PARITY_KERNELS_BLOCK_H_
#define GTEST_PARITY_KERNELS_BLOCK_H_

#include <cstdint>

#include "kernels/host_device.h"

namespace parity {

inline constexpr std::uint64_t kBlockBytes = 64;

// Whether the first `bytes` bytes differ; at most kBlockBytes of them, fewer at an array's end.
PARITY_HOST_DEVICE inline bool BlockDiffers(const unsigned char* a, const unsigned char* b,
                                            std::uint64_t bytes) {
  std::uint64_t difference = 0;
  std::uint64_t i = 0;
  for (; i + 8 <= bytes; i += 8) {
    difference |= LoadElement<std::uint64_t>(a + i, 0) ^ LoadElement<std::uint64_t>(b + i, 0);
  }
  for (; i < bytes; ++i) difference |= static_cast<std::uint64_t>(a[i] ^ b[i]);
  return difference != 0;
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_BLOCK_H_
