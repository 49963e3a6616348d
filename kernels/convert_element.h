// One element from one dtype to another, exactly or not at all. Usable from device code.
#ifndef GTEST_PARITY_KERNELS_CONVERT_ELEMENT_H_
#define GTEST_PARITY_KERNELS_CONVERT_ELEMENT_H_

#include <cmath>
#include <cstdint>
#include <utility>

#include "kernels/formats.h"
#include "kernels/host_device.h"

namespace parity {

// How a format's bits are split; its own parameters.
template <typename Format>
struct BitFields;
template <typename B, int kExponent, int kMantissa, B kLargest, bool kInfinity>
struct BitFields<FloatFormat<B, kExponent, kMantissa, kLargest, kInfinity>> {
  static constexpr int kMantissaBits = kMantissa;
  static constexpr B kLargestBits = kLargest;
};

// A NaN keeps the leading bits of its payload; exact if the others are zero.
template <typename From, typename To>
PARITY_HOST_DEVICE bool ConvertNan(typename From::Bits bits, typename To::Bits& out) {
  constexpr int kWidened = BitFields<To>::kMantissaBits - BitFields<From>::kMantissaBits;
  constexpr auto kMask = (std::uint64_t{1} << BitFields<From>::kMantissaBits) - 1;
  const std::uint64_t payload = bits & kMask;
  const std::uint64_t moved = kWidened >= 0 ? payload << (kWidened >= 0 ? kWidened : 0)
                                            : payload >> (kWidened < 0 ? -kWidened : 0);
  const bool exact = kWidened >= 0 || (moved << (kWidened < 0 ? -kWidened : 0)) == payload;
  out = static_cast<typename To::Bits>((std::uint64_t{BitFields<To>::kLargestBits} + 1) | moved);
  if ((bits & From::kSign) != 0) out = static_cast<typename To::Bits>(out | To::kSign);
  return exact && moved != 0;
}

// |value| as a multiple of the step that `To` has there, which must be whole.
template <typename To>
PARITY_HOST_DEVICE bool EncodeFinite(double value, typename To::Bits& out) {
  constexpr int kMantissaBits = BitFields<To>::kMantissaBits;
  constexpr int kLeast = 1 - To::kBias;
  out = std::signbit(value) ? To::kSign : typename To::Bits{0};
  value = std::fabs(value);
  if (value == 0) return true;
  const int own = std::ilogb(value), exponent = own > kLeast ? own : kLeast;
  if (exponent > To::kBias) return false;
  const double steps = std::ldexp(value, kMantissaBits - exponent);
  if (steps != std::floor(steps)) return false;
  // A subnormal's exponent field is 0 and its steps have no leading one to take off.
  const auto field = static_cast<std::uint64_t>(exponent - kLeast);
  const auto magnitude = (field << kMantissaBits) + static_cast<std::uint64_t>(steps);
  out = static_cast<typename To::Bits>(out | magnitude);
  return true;
}

template <typename From, typename To>
PARITY_HOST_DEVICE bool ConvertFloat(typename From::Bits bits, typename To::Bits& out) {
  if (From::IsNan(bits)) return ConvertNan<From, To>(bits, out);
  if (From::IsInfinite(bits)) {
    const bool negative = (bits & From::kSign) != 0;
    out = static_cast<typename To::Bits>((BitFields<To>::kLargestBits + 1) |
                                         (negative ? To::kSign : typename To::Bits{0}));
    return true;
  }
  return EncodeFinite<To>(static_cast<double>(From::Decode(bits)), out);
}

template <typename From, typename To>
PARITY_HOST_DEVICE bool ConvertInteger(typename From::Bits bits, typename To::Bits& out) {
  const auto value = From::Decode(bits);
  out = static_cast<typename To::Bits>(value);
  return std::in_range<typename To::Value>(value);
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CONVERT_ELEMENT_H_
