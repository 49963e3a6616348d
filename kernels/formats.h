// From an element's bits to its value, one format per numeric dtype. Usable from device code.
#ifndef GTEST_PARITY_KERNELS_FORMATS_H_
#define GTEST_PARITY_KERNELS_FORMATS_H_

#include <cstdint>
#include <type_traits>

#include "kernels/host_device.h"

namespace parity {

// Sign, exponent with the bias of IEEE 754, mantissa, in the low bits of `BitsT`. `kLargest` is the
// magnitude of the largest finite number; what lies above it is infinity (if there is one) and then
// NaN.
template <typename BitsT, int kExponentBits, int kMantissaBitsT, BitsT kLargest, bool kHasInfinity>
struct FloatFormat {
  using Bits = BitsT;
  // Holds every finite element exactly.
  using Value = std::conditional_t<sizeof(Bits) == 8, double, float>;
  static constexpr bool kIsFloat = true;
  static constexpr int kMantissaBits = kMantissaBitsT;
  static constexpr int kBits = 1 + kExponentBits + kMantissaBits;
  static constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  // Every finite element is a multiple of 2^-kFractionBits, the smallest positive one.
  static constexpr int kFractionBits = kBias + kMantissaBits - 1;
  static constexpr Bits kSign = static_cast<Bits>(Bits{1} << (kBits - 1));
  static constexpr Bits kLargestFinite = kLargest;

  PARITY_HOST_DEVICE static constexpr Bits Magnitude(Bits bits) {
    return static_cast<Bits>(bits & static_cast<Bits>(kSign - 1));
  }
  PARITY_HOST_DEVICE static constexpr bool IsNan(Bits bits) {
    return Magnitude(bits) > kLargest + (kHasInfinity ? 1 : 0);
  }
  PARITY_HOST_DEVICE static constexpr bool IsInfinite(Bits bits) {
    return kHasInfinity && Magnitude(bits) == kLargest + 1;
  }
  PARITY_HOST_DEVICE static constexpr bool IsFinite(Bits bits) {
    return Magnitude(bits) <= kLargest;
  }
  // Ordered as the numbers are, neighbours 1 apart, +0 and -0 both 0. Meaningless for NaN.
  PARITY_HOST_DEVICE static constexpr std::int64_t Key(Bits bits) {
    const auto magnitude = static_cast<std::int64_t>(Magnitude(bits));
    return (bits & kSign) != 0 ? -magnitude : magnitude;
  }

  PARITY_HOST_DEVICE static constexpr Value Decode(Bits bits) {
    if constexpr (sizeof(Bits) == 8) {
      return BitCast<double>(bits);
    } else if constexpr (kBias == 127) {
      return BitCast<float>(static_cast<std::uint32_t>(bits) << (32 - kBits));
    } else {
      return Widen(bits);
    }
  }

 private:
  // To f32, whose exponents cover every narrower format: subnormals become normal numbers.
  PARITY_HOST_DEVICE static constexpr float Widen(Bits bits) {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & kSign) << (32 - kBits);
    const std::uint32_t magnitude = Magnitude(bits);
    const std::uint32_t shifted = magnitude << (23 - kMantissaBits);
    if (!IsFinite(bits)) {
      const std::uint32_t payload = IsNan(bits) ? 0x00400000u | (shifted & 0x007fffffu) : 0u;
      return BitCast<float>(sign | 0x7f800000u | payload);
    }
    if ((magnitude >> kMantissaBits) == 0) {
      constexpr std::uint32_t kStepExponent = 127 + 1 - kBias - kMantissaBits;
      const float value =
          static_cast<float>(magnitude) * BitCast<float>(std::uint32_t{kStepExponent << 23});
      return sign != 0 ? -value : value;
    }
    return BitCast<float>(sign | (shifted + (std::uint32_t{127 - kBias} << 23)));
  }
};

// Exponents alone: 2^(bits - 127), from 2^-127 to 2^127, and one NaN. What scales a block of
// elements.
struct ScaleFormat {
  using Bits = std::uint8_t;
  using Value = float;
  static constexpr bool kIsFloat = true;
  static constexpr int kBits = 8;

  PARITY_HOST_DEVICE static constexpr bool IsNan(Bits bits) { return bits == 0xff; }
  PARITY_HOST_DEVICE static constexpr bool IsInfinite(Bits) { return false; }
  PARITY_HOST_DEVICE static constexpr bool IsFinite(Bits bits) { return !IsNan(bits); }
  PARITY_HOST_DEVICE static constexpr std::int64_t Key(Bits bits) { return bits; }
  PARITY_HOST_DEVICE static constexpr float Decode(Bits bits) {
    if (IsNan(bits)) return BitCast<float>(std::uint32_t{0x7fc00000});
    // 2^-127 is a subnormal f32.
    return BitCast<float>(bits == 0 ? std::uint32_t{0x00400000} : std::uint32_t{bits} << 23);
  }
};

// Two's complement or unsigned. Has no NaN, no infinity and one zero.
template <typename T>
struct IntegerFormat {
  using Bits = std::make_unsigned_t<T>;
  using Value = T;
  static constexpr bool kIsFloat = false;
  static constexpr int kBits = 8 * sizeof(T);
  static constexpr int kFractionBits = 0;

  PARITY_HOST_DEVICE static constexpr bool IsNan(Bits) { return false; }
  PARITY_HOST_DEVICE static constexpr bool IsInfinite(Bits) { return false; }
  PARITY_HOST_DEVICE static constexpr bool IsFinite(Bits) { return true; }
  PARITY_HOST_DEVICE static constexpr T Decode(Bits bits) { return static_cast<T>(bits); }
};

using F64 = FloatFormat<std::uint64_t, 11, 52, 0x7fefffffffffffffu, true>;
using F32 = FloatFormat<std::uint32_t, 8, 23, 0x7f7fffffu, true>;
using F16 = FloatFormat<std::uint16_t, 5, 10, 0x7bffu, true>;
using BF16 = FloatFormat<std::uint16_t, 8, 7, 0x7f7fu, true>;
// OCP 8-bit Floating Point Specification (OFP8), revision 1.0.
using E4M3 = FloatFormat<std::uint8_t, 4, 3, 0x7eu, false>;
using E5M2 = FloatFormat<std::uint8_t, 5, 2, 0x7bu, true>;
// OCP Microscaling Formats (MX) Specification, version 1.0: the element format FP4 and the scale.
using E2M1 = FloatFormat<std::uint8_t, 2, 1, 0x7u, false>;
using E8M0 = ScaleFormat;

// Element `index` of an array that need not be aligned; of two elements that share a byte the first
// lies in its low half.
template <typename Format>
PARITY_HOST_DEVICE inline typename Format::Bits LoadBits(const unsigned char* base,
                                                         std::uint64_t index) {
  if constexpr (Format::kBits == 4) {
    return static_cast<std::uint8_t>((base[index / 2] >> (index % 2 * 4)) & 0xf);
  } else {
    return LoadElement<typename Format::Bits>(base, index);
  }
}

// Leaves the other element of a shared byte alone.
template <typename Format>
PARITY_HOST_DEVICE inline void StoreBits(unsigned char* base, std::uint64_t index,
                                         typename Format::Bits bits) {
  if constexpr (Format::kBits == 4) {
    const int shift = static_cast<int>(index % 2 * 4);
    const int other = base[index / 2] & (0xf0 >> shift);
    base[index / 2] = static_cast<unsigned char>(other | (bits & 0xf) << shift);
  } else {
    memcpy(base + index * sizeof(bits), &bits, sizeof(bits));
  }
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_FORMATS_H_
