// 16 bytes at a time from an address of any alignment.
#ifndef GTEST_PARITY_KERNELS_CUDA_UNALIGNED_CUH_
#define GTEST_PARITY_KERNELS_CUDA_UNALIGNED_CUH_

#include <cstdint>

#include "kernels/cuda/bit_stream.h"

namespace parity {

// Read once and not again: other data stays in the caches.
__device__ inline uint4 LoadStreaming(const uint4* from) {
  uint4 value;
  asm("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];"
      : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
      : "l"(from));
  return value;
}

// Vector `index`. A stream with a shift is read up to 3 bytes beyond it.
__device__ inline uint4 LoadShifted(const BitStream& stream, std::uint64_t index) {
  const std::uint32_t* w = stream.words + 4 * index;
  uint4 v;
  if (reinterpret_cast<std::uintptr_t>(w) % 16 == 0) {
    v = __ldg(reinterpret_cast<const uint4*>(w));
  } else {
    v = make_uint4(__ldg(w), __ldg(w + 1), __ldg(w + 2), __ldg(w + 3));
  }
  if (stream.shift != 0) {
    const std::uint32_t next = __ldg(w + 4);
    v.x = __funnelshift_r(v.x, v.y, stream.shift);
    v.y = __funnelshift_r(v.y, v.z, stream.shift);
    v.z = __funnelshift_r(v.z, v.w, stream.shift);
    v.w = __funnelshift_r(v.w, next, stream.shift);
  }
  return v;
}

// The first `bits` of a vector that holds no more than these, the others zero; reads no other byte.
__device__ inline uint4 LoadPart(const BitStream& stream, std::uint64_t index, std::uint32_t bits) {
  const unsigned char* bytes = stream.Bytes() + 16 * index;
  const std::uint32_t half = stream.shift % 8;  // 4 where elements of half a byte begin between
  std::uint32_t words[5] = {};
  const std::uint32_t count = (half + bits + 7) / 8;
  for (std::uint32_t i = 0; i < 20; ++i) {
    if (i < count) words[i / 4] |= std::uint32_t{bytes[i]} << (i % 4 * 8);
  }
  std::uint32_t out[4];
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t left = bits > 32 * i ? bits - 32 * i : 0;
    const std::uint32_t mask = left >= 32 ? ~0u : (1u << left) - 1;
    out[i] = __funnelshift_r(words[i], words[i + 1], half) & mask;
  }
  return make_uint4(out[0], out[1], out[2], out[3]);
}

// Vectors of an array of so many bits, whole ones or not.
struct VectorReader {
  BitStream stream;
  std::uint64_t bits;
  std::uint64_t readable;  // vectors that may be read as such

  __device__ VectorReader(const BitStream& from, std::uint64_t size) : stream(from), bits(size) {
    readable = stream.ReadableVectors(bits);
  }
  // Zeros beyond the end.
  __device__ uint4 Load(std::uint64_t index) const {
    if (index < readable) {
      if (stream.Aligned()) return reinterpret_cast<const uint4*>(stream.words)[index];
      return LoadShifted(stream, index);
    }
    const std::uint64_t begin = 128 * index;
    if (begin >= bits) return make_uint4(0, 0, 0, 0);
    return LoadPart(stream, index,
                    static_cast<std::uint32_t>(bits - begin < 128 ? bits - begin : 128));
  }
};

// Not 0 where two vectors differ.
__device__ inline std::uint32_t AnyDifference(const uint4& a, const uint4& b) {
  return (a.x ^ b.x) | (a.y ^ b.y) | (a.z ^ b.z) | (a.w ^ b.w);
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_UNALIGNED_CUH_
