#include "kernels/convert.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "kernels/dispatch.h"

namespace parity {
namespace {

bool IsIeee(DType dtype) {
  return dtype == DType::kF64 || dtype == DType::kF32 || dtype == DType::kF16 ||
         dtype == DType::kBF16;
}

bool IsInteger(DType dtype) {
  return !IsFloat(dtype) && dtype != DType::kBool && dtype != DType::kBytes;
}

template <typename Wide, typename Narrow>
constexpr bool kHoldsInteger = std::in_range<Wide>(std::numeric_limits<Narrow>::min()) &&
                               std::in_range<Wide>(std::numeric_limits<Narrow>::max());

// Whether `wide` holds every value of `narrow`.
bool Holds(DType wide, DType narrow) {
  if (wide == narrow) return true;
  if (IsIeee(wide) && IsIeee(narrow)) return BitsOf(wide) > BitsOf(narrow);
  if (!IsInteger(wide) || !IsInteger(narrow)) return false;
  return VisitIntegerFormat(wide, "Holds", [&]<typename Wide>(Wide) {
    return VisitIntegerFormat(narrow, "Holds", []<typename Narrow>(Narrow) {
      return kHoldsInteger<typename Wide::Value, typename Narrow::Value>;
    });
  });
}

// How a format's bits are split; its own parameters.
template <typename Format>
struct Fields;
template <typename B, int kExponent, int kMantissa, B kLargest, bool kInfinity>
struct Fields<FloatFormat<B, kExponent, kMantissa, kLargest, kInfinity>> {
  static constexpr int kMantissaBits = kMantissa;
  static constexpr B kLargestBits = kLargest;
};

// A NaN keeps the leading bits of its payload; exact if the others are zero.
template <typename From, typename To>
bool ConvertNan(typename From::Bits bits, typename To::Bits& out) {
  constexpr int kWidened = Fields<To>::kMantissaBits - Fields<From>::kMantissaBits;
  constexpr auto kMask = (std::uint64_t{1} << Fields<From>::kMantissaBits) - 1;
  const std::uint64_t payload = bits & kMask;
  const std::uint64_t moved =
      kWidened >= 0 ? payload << std::max(kWidened, 0) : payload >> std::max(-kWidened, 0);
  const bool exact = kWidened >= 0 || (moved << std::max(-kWidened, 0)) == payload;
  out = static_cast<typename To::Bits>((std::uint64_t{Fields<To>::kLargestBits} + 1) | moved);
  if ((bits & From::kSign) != 0) out = static_cast<typename To::Bits>(out | To::kSign);
  return exact && moved != 0;
}

// |value| as a multiple of the step that `To` has there, which must be whole.
template <typename To>
bool EncodeFinite(double value, typename To::Bits& out) {
  constexpr int kMantissaBits = Fields<To>::kMantissaBits;
  constexpr int kLeast = 1 - To::kBias;
  out = std::signbit(value) ? To::kSign : typename To::Bits{0};
  value = std::fabs(value);
  if (value == 0) return true;
  const int exponent = std::max(std::ilogb(value), kLeast);
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
bool ConvertFloat(typename From::Bits bits, typename To::Bits& out) {
  if (From::IsNan(bits)) return ConvertNan<From, To>(bits, out);
  if (From::IsInfinite(bits)) {
    const bool negative = (bits & From::kSign) != 0;
    out = static_cast<typename To::Bits>((Fields<To>::kLargestBits + 1) |
                                         (negative ? To::kSign : typename To::Bits{0}));
    return true;
  }
  return EncodeFinite<To>(static_cast<double>(From::Decode(bits)), out);
}

template <typename From, typename To>
bool ConvertInteger(typename From::Bits bits, typename To::Bits& out) {
  const auto value = From::Decode(bits);
  out = static_cast<typename To::Bits>(value);
  return std::in_range<typename To::Value>(value);
}

template <typename From, typename To, typename ConvertOne>
Inexact ConvertAll(const void* in, void* out, std::uint64_t count, ConvertOne convert) {
  Inexact inexact;
  const auto* from = static_cast<const unsigned char*>(in);
  auto* to = static_cast<unsigned char*>(out);
  for (std::uint64_t i = 0; i < count; ++i) {
    typename From::Bits bits;
    typename To::Bits converted;
    std::memcpy(&bits, from + i * sizeof(bits), sizeof(bits));
    if (!convert(bits, converted)) {
      if (inexact.count++ == 0) inexact.first_index = i;
      converted = 0;
    }
    std::memcpy(to + i * sizeof(converted), &converted, sizeof(converted));
  }
  return inexact;
}

// visit(F64{}), ...: the formats that Fields describes and that have an infinity.
template <typename Visitor>
auto VisitIeee(DType dtype, Visitor visit) {
  switch (dtype) {
    case DType::kF64:
      return visit(F64{});
    case DType::kF32:
      return visit(F32{});
    case DType::kF16:
      return visit(F16{});
    default:
      return visit(BF16{});
  }
}

}  // namespace

bool CanConvert(DType a, DType b) { return Holds(a, b) || Holds(b, a); }

Inexact Convert(DType from, const void* in, DType to, void* out, std::uint64_t count) {
  if (!CanConvert(from, to)) {
    throw std::invalid_argument("Convert: from " + std::string(NameOf(from)) + " to " +
                                std::string(NameOf(to)));
  }
  if (from == to) {
    if (count != 0) std::memcpy(out, in, BytesOf(from, count));
    return {};
  }
  if (IsFloat(from)) {
    return VisitIeee(from, [&]<typename From>(From) {
      return VisitIeee(to, [&]<typename To>(To) {
        return ConvertAll<From, To>(in, out, count, ConvertFloat<From, To>);
      });
    });
  }
  return VisitIntegerFormat(from, "Convert", [&]<typename From>(From) {
    return VisitIntegerFormat(to, "Convert", [&]<typename To>(To) {
      return ConvertAll<From, To>(in, out, count, ConvertInteger<From, To>);
    });
  });
}

ElementBits PoisonThrough(DType stored, DType seen, PoisonKind kind,
                          const std::optional<ValueRange>& domain) {
  const DType narrow = Holds(seen, stored) ? stored : seen;
  const ElementBits own = Poison(narrow, kind, domain);
  ElementBits poison = 0;
  Convert(narrow, &own, seen, &poison, 1);
  return poison;
}

}  // namespace parity
