// Vectors of 16 bytes, which every x86-64 and arm64 has, in the compiler's own terms, and how
// floats of up to 32 bits become vectors of f32. For the host.
#ifndef GTEST_PARITY_KERNELS_VECTORS_H_
#define GTEST_PARITY_KERNELS_VECTORS_H_

#include <cstdint>
#include <cstring>
#include <type_traits>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "kernels/formats.h"
#include "kernels/host_device.h"

namespace parity {

template <typename T>
struct VectorOf {
  typedef T Type __attribute__((vector_size(16)));
};
template <typename T>
using Vector = typename VectorOf<T>::Type;
using Floats = Vector<float>;
using Doubles = Vector<double>;

template <typename T>
inline Vector<T> LoadVector(const void* from) {
  Vector<T> vector;
  std::memcpy(&vector, from, sizeof(vector));
  return vector;
}

template <typename T>
inline bool Any(const T& mask) {
  const auto halves = BitCast<Vector<std::uint64_t>>(mask);
  return (halves[0] | halves[1]) != 0;
}

inline Floats Magnitude(Floats values) {
  return BitCast<Floats>(BitCast<Vector<std::uint32_t>>(values) & 0x7fffffffu);
}

// Elements 0 and 1, and 2 and 3.
inline Doubles LowHalf(Floats values) {
#ifdef __SSE2__
  return _mm_cvtps_pd(values);
#else
  return Doubles{values[0], values[1]};
#endif
}
inline Doubles HighHalf(Floats values) {
  return LowHalf(__builtin_shufflevector(values, values, 2, 3, 2, 3));
}

inline Floats Larger(Floats a, Floats b) {
#ifdef __SSE2__
  return _mm_max_ps(a, b);
#else
  return a > b ? a : b;
#endif
}

// Four f16, one in the low half of each 32 bits.
inline Floats WidenHalves(Vector<std::uint32_t> bits) {
  const Vector<std::uint32_t> magnitude = bits & 0x7fffu;
  const auto special = BitCast<Vector<std::uint32_t>>(magnitude > 0x7bffu) & (112u << 23);
  const auto normal = (magnitude << 13) + (112u << 23) + special;
  // 2^-14 and the subnormal's mantissa, less 2^-14.
  const Floats subnormal = BitCast<Floats>((magnitude << 13) + (113u << 23)) - 0x1p-14f;
  const auto small = BitCast<Vector<std::uint32_t>>(magnitude < 0x400u);
  const auto value = (BitCast<Vector<std::uint32_t>>(subnormal) & small) | (normal & ~small);
  return BitCast<Floats>(value | (bits & 0x8000u) << 16);
}

// The elements of two loads, which are two lanes', taken in turn: first of each, second of each,
// ... `floats` gets half as many vectors as a load has elements.
template <typename Format>
inline void WidenLanes(const unsigned char* loads, Floats* floats) {
  if constexpr (std::is_same_v<Format, F32>) {
    const Floats left = LoadVector<float>(loads), right = LoadVector<float>(loads + 16);
    floats[0] = __builtin_shufflevector(left, right, 0, 4, 1, 5);
    floats[1] = __builtin_shufflevector(left, right, 2, 6, 3, 7);
  } else {
    using Shorts = Vector<std::uint16_t>;
    const Shorts left = LoadVector<std::uint16_t>(loads);
    const Shorts right = LoadVector<std::uint16_t>(loads + 16), none = {};
    const Shorts turns[] = {__builtin_shufflevector(left, right, 0, 8, 1, 9, 2, 10, 3, 11),
                            __builtin_shufflevector(left, right, 4, 12, 5, 13, 6, 14, 7, 15)};
    for (int i = 0; i < 2; ++i) {
      if constexpr (std::is_same_v<Format, BF16>) {
        const Shorts low = __builtin_shufflevector(none, turns[i], 0, 8, 1, 9, 2, 10, 3, 11);
        const Shorts high = __builtin_shufflevector(none, turns[i], 4, 12, 5, 13, 6, 14, 7, 15);
        floats[2 * i] = BitCast<Floats>(low);
        floats[2 * i + 1] = BitCast<Floats>(high);
      } else {
        const Shorts low = __builtin_shufflevector(turns[i], none, 0, 8, 1, 9, 2, 10, 3, 11);
        const Shorts high = __builtin_shufflevector(turns[i], none, 4, 12, 5, 13, 6, 14, 7, 15);
        floats[2 * i] = WidenHalves(BitCast<Vector<std::uint32_t>>(low));
        floats[2 * i + 1] = WidenHalves(BitCast<Vector<std::uint32_t>>(high));
      }
    }
  }
}

// Formats whose numbers are f32 after a few operations on vectors.
template <typename Format>
inline constexpr bool kHasStripes =
    std::is_same_v<Format, F32> || std::is_same_v<Format, F16> || std::is_same_v<Format, BF16>;

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_VECTORS_H_
