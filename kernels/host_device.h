// What lets one definition serve the host and the device.
#ifndef GTEST_PARITY_KERNELS_HOST_DEVICE_H_
#define GTEST_PARITY_KERNELS_HOST_DEVICE_H_

#include <bit>
#include <cstdint>
#include <cstring>

#ifdef __CUDACC__
#define PARITY_HOST_DEVICE __host__ __device__
#else
#define PARITY_HOST_DEVICE
#endif

namespace parity {

// The value whose bytes are those of `from`; both types have the same size.
template <typename To, typename From>
PARITY_HOST_DEVICE constexpr To BitCast(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

// Element `index` of an array that need not be aligned.
template <typename T>
PARITY_HOST_DEVICE inline T LoadElement(const unsigned char* base, std::uint64_t index) {
  T value;
  memcpy(&value, base + index * sizeof(T), sizeof(T));
  return value;
}

// Bits that it takes to write `value`: 0 for 0, k for [2^(k-1), 2^k).
PARITY_HOST_DEVICE inline int BitWidth(std::uint64_t value) {
#ifdef __CUDA_ARCH__
  return 64 - __clzll(static_cast<long long>(value));
#else
  return static_cast<int>(std::bit_width(value));
#endif
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_HOST_DEVICE_H_
