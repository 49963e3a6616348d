// What one pair of elements says: `a` is the reference's bits, `b` the candidate's. Usable from
// device code, where it must not be compiled with flush-to-zero (-ftz, -use_fast_math).
#ifndef GTEST_PARITY_KERNELS_PAIRS_H_
#define GTEST_PARITY_KERNELS_PAIRS_H_

#include <cstdint>

#include "kernels/formats.h"
#include "kernels/host_device.h"

namespace parity {

// Below this magnitude of the reference a relative difference is taken relative to it.
inline constexpr float kRelativeFloor = 0x1p-20f;

// The first that applies.
enum class PairKind : std::uint8_t {
  kEqual,  // bit for bit
  kNanPayload,
  kNanOnlyReference,
  kNanOnlyCandidate,
  kSignedZero,
  kInfinityOnlyReference,  // against a finite number
  kInfinityOnlyCandidate,
  kInfinityOpposite,  // infinities of opposite signs
  kNumeric,           // two numbers
};

template <typename Format>
PARITY_HOST_DEVICE constexpr PairKind KindOf(typename Format::Bits a, typename Format::Bits b) {
  if (a == b) return PairKind::kEqual;
  if constexpr (Format::kIsFloat) {
    if (Format::IsNan(a)) {
      return Format::IsNan(b) ? PairKind::kNanPayload : PairKind::kNanOnlyReference;
    }
    if (Format::IsNan(b)) return PairKind::kNanOnlyCandidate;
    if (Format::Key(a) == Format::Key(b)) return PairKind::kSignedZero;
    if (Format::IsInfinite(a)) {
      return Format::IsInfinite(b) ? PairKind::kInfinityOpposite : PairKind::kInfinityOnlyReference;
    }
    if (Format::IsInfinite(b)) return PairKind::kInfinityOnlyCandidate;
  }
  return PairKind::kNumeric;
}

// |x - y| without overflow.
template <typename T>
PARITY_HOST_DEVICE constexpr std::uint64_t IntegerDistance(T x, T y) {
  const auto ux = static_cast<std::uint64_t>(x), uy = static_cast<std::uint64_t>(y);
  return x > y ? ux - uy : uy - ux;
}

// Distance of ordered keys (floats, infinities included; not for NaN) or |a - b| (integers).
template <typename Format>
PARITY_HOST_DEVICE constexpr std::uint64_t UlpDistance(typename Format::Bits a,
                                                       typename Format::Bits b) {
  if constexpr (Format::kIsFloat) {
    return IntegerDistance(Format::Key(a), Format::Key(b));
  } else {
    return IntegerDistance(Format::Decode(a), Format::Decode(b));
  }
}

// |a - b| of two finite elements: rounded to f32 for floats of up to 32 bits, exact for integers of
// up to 32 bits, else rounded to f64. Infinite where that overflows.
template <typename Format>
PARITY_HOST_DEVICE constexpr double AbsoluteDifference(typename Format::Bits a,
                                                       typename Format::Bits b) {
  if constexpr (Format::kIsFloat) {
    const typename Format::Value difference = Format::Decode(a) - Format::Decode(b);
    return difference < 0 ? -difference : difference;
  } else {
    return static_cast<double>(UlpDistance<Format>(a, b));
  }
}

// To f32 for dtypes of up to 32 bits; f64 stays. What maxima are reported in.
template <typename Format>
PARITY_HOST_DEVICE constexpr double Narrow(double value) {
  return sizeof(typename Format::Bits) <= 4 ? static_cast<float>(value) : value;
}

// The smallest f32 that is not below `value`, which is not negative and not NaN.
PARITY_HOST_DEVICE constexpr float RoundUpToFloat(double value) {
  const float nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) >= value) return nearest;
  return BitCast<float>(BitCast<std::uint32_t>(nearest) + 1);
}

// Narrow(|a - b|) / max(Narrow(|a|), kRelativeFloor), rounded up to f32. The quotient passes
// through f64; that of two f32 never rounds onto an f32 there, so for dtypes of up to 32 bits this
// is the f32 division that rounds up (__fdiv_ru).
template <typename Format>
PARITY_HOST_DEVICE constexpr float RelativeDifference(typename Format::Bits a, double difference) {
  const double value = Narrow<Format>(static_cast<double>(Format::Decode(a)));
  const double magnitude = value < 0 ? -value : value;
  const double floor = static_cast<double>(kRelativeFloor);
  return RoundUpToFloat(Narrow<Format>(difference) / (magnitude > floor ? magnitude : floor));
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_PAIRS_H_
