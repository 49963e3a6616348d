// Elements of a format in vectors of 16 bytes, and in memory.
#ifndef GTEST_PARITY_KERNELS_CUDA_VECTOR_ELEMENTS_CUH_
#define GTEST_PARITY_KERNELS_CUDA_VECTOR_ELEMENTS_CUH_

#include <cstdint>

#include "kernels/cuda/unaligned.cuh"
#include "kernels/formats.h"

namespace parity {

// Element `i` of a vector, for a constant i.
template <typename Format>
__device__ inline typename Format::Bits ElementOf(const uint4& vector, std::uint32_t i) {
  constexpr int kBits = Format::kBits;
  const std::uint32_t words[] = {vector.x, vector.y, vector.z, vector.w};
  const std::uint32_t bit = i * kBits;
  if constexpr (kBits == 64) {
    return std::uint64_t{words[bit / 32 + 1]} << 32 | words[bit / 32];
  } else {
    const std::uint32_t word = words[bit / 32] >> (bit % 32);
    return static_cast<typename Format::Bits>(kBits == 32 ? word : word & ((1u << kBits % 32) - 1));
  }
}

// Element `index` of an array.
template <typename Format>
__device__ inline typename Format::Bits ElementAt(const BitStream& stream, std::uint64_t index) {
  if constexpr (Format::kBits == 4) {
    return LoadBits<Format>(stream.Bytes(), index + (stream.shift % 8 != 0 ? 1 : 0));
  } else {
    using Bits = typename Format::Bits;
    const unsigned char* bytes = stream.Bytes();
    if (reinterpret_cast<std::uintptr_t>(bytes) % sizeof(Bits) == 0) {
      return reinterpret_cast<const Bits*>(bytes)[index];
    }
    return LoadElement<Bits>(bytes, index);
  }
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_VECTOR_ELEMENTS_CUH_
