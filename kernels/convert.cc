#include "kernels/convert.h"

#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "kernels/convert_element.h"
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
    return VisitIeeeFormat(from, "convert", [&]<typename From>(From) {
      return VisitIeeeFormat(to, "convert", [&]<typename To>(To) {
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
