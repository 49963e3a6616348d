// From an element's bits to its value, one format per numeric dtype. Usable from device code.
#ifndef GTEST_PARITY_KERNELS_FORMATS_H_
#define GTEST_PARITY_KERNELS_FORMATS_H_

#include <cstdint>
#include <type_traits>

#include "kernels/host_device.h"

namespace parity {

// Sign, exponent, mantissa. `kLargest` is the magnitude of the largest finite number; what lies
// above it is infinity (if there is one) and then NaN.
template <typename BitsT, int kMantissaBits, int kBias, BitsT kLargest, bool kHasInfinity>
struct FloatFormat {
  using Bits = BitsT;
  // Holds every finite element exactly.
  using Value = std::conditional_t<sizeof(Bits) == 8, double, float>;
  static constexpr bool kIsFloat = true;
  static constexpr int kWidth = 8 * sizeof(Bits);
  static constexpr Bits kSign = static_cast<Bits>(Bits{1} << (kWidth - 1));

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
      return BitCast<float>(static_cast<std::uint32_t>(bits) << (32 - kWidth));
    } else {
      return Widen(bits);
    }
  }

 private:
  // To f32, whose exponents cover every narrower format: subnormals become normal numbers.
  PARITY_HOST_DEVICE static constexpr float Widen(Bits bits) {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & kSign) << (32 - kWidth);
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

// Two's complement or unsigned. Has no NaN, no infinity and one zero.
template <typename T>
struct IntegerFormat {
  using Bits = std::make_unsigned_t<T>;
  using Value = T;
  static constexpr bool kIsFloat = false;

  PARITY_HOST_DEVICE static constexpr bool IsNan(Bits) { return false; }
  PARITY_HOST_DEVICE static constexpr bool IsInfinite(Bits) { return false; }
  PARITY_HOST_DEVICE static constexpr bool IsFinite(Bits) { return true; }
  PARITY_HOST_DEVICE static constexpr T Decode(Bits bits) { return static_cast<T>(bits); }
};

using F64 = FloatFormat<std::uint64_t, 52, 1023, 0x7fefffffffffffffu, true>;
using F32 = FloatFormat<std::uint32_t, 23, 127, 0x7f7fffffu, true>;
using F16 = FloatFormat<std::uint16_t, 10, 15, 0x7bffu, true>;
using BF16 = FloatFormat<std::uint16_t, 7, 127, 0x7f7fu, true>;
using E4M3 = FloatFormat<std::uint8_t, 3, 7, 0x7eu, false>;

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_FORMATS_H_
