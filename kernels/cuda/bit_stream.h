// An array from an address of any alignment, as words.
#ifndef GTEST_PARITY_KERNELS_CUDA_BIT_STREAM_H_
#define GTEST_PARITY_KERNELS_CUDA_BIT_STREAM_H_

#include <cstdint>

#include "kernels/host_device.h"

namespace parity {

// An array that begins `shift` bits after a multiple of 4 bytes.
struct BitStream {
  const std::uint32_t* words = nullptr;
  std::uint32_t shift = 0;

  // Of bits from `bits` on, counted from `base`: elements of half a byte begin anywhere.
  PARITY_HOST_DEVICE static BitStream At(const void* base, std::uint64_t bits) {
    const auto address = reinterpret_cast<std::uintptr_t>(base) + bits / 8;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the word that an address lies in
    return {reinterpret_cast<const std::uint32_t*>(address / 4 * 4),
            static_cast<std::uint32_t>(address % 4 * 8 + bits % 8)};
  }
  PARITY_HOST_DEVICE bool Aligned() const {
    return shift == 0 && reinterpret_cast<std::uintptr_t>(words) % 16 == 0;
  }
  // Of an array of so many bits, vectors that may be read as five words: with a shift the fifth
  // reaches up to 28 bits beyond the vector, which must be the array's own.
  PARITY_HOST_DEVICE std::uint64_t ReadableVectors(std::uint64_t bits) const {
    if (shift == 0) return bits / 128;
    return bits < 32 ? 0 : (bits - 32) / 128;
  }
  PARITY_HOST_DEVICE const unsigned char* Bytes() const {
    return reinterpret_cast<const unsigned char*>(words) + shift / 8;
  }
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_BIT_STREAM_H_
