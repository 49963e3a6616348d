#include "kernels/poison.h"

#include <cstring>
#include <stdexcept>
#include <string>

#include "kernels/dispatch.h"
#include "kernels/formats.h"

namespace parity {
namespace {

struct Patterns {
  ElementBits quiet_nan, large_finite;
};

ElementBits Pick(PoisonKind kind, const Patterns& patterns) {
  return kind == PoisonKind::kQuietNaN ? patterns.quiet_nan : patterns.large_finite;
}

Patterns FloatPatterns(DType dtype) {
  switch (dtype) {
    case DType::kF64:
      return {0x7ff8a5a5a5a5a5a5, 0x7e5a5a5a5a5a5a5a};  // 6.2e300
    case DType::kF32:
      return {0x7fc5a5a5, 0x7e5a5a5a};  // 7.3e37
    case DType::kF16:
      return {0x7ea5, 0x7a5a};  // 52032
    case DType::kBF16:
      return {0x7fc5, 0x7e5a};  // 7.2e37
    case DType::kE5M2:
      return {0x7f, 0x7a};  // 49152
    case DType::kE8M0:
      return {0xff, 0xf5};  // 2^118
    case DType::kE2M1:
      return {0xa, 0x7};  // -1, 6
    default:
      return {0x7f, 0x7d};  // e4m3: 416
  }
}

[[noreturn]] void ThrowNoneIn(DType dtype, const ValueRange& domain) {
  throw std::invalid_argument("Poison: no " + std::string(NameOf(dtype)) +
                              " lies in the domain from " + std::to_string(domain.min) + " to " +
                              std::to_string(domain.max));
}

// The smallest and the largest of the few elements that lie in the domain.
template <typename Format>
Patterns FloatDomainPatterns(DType dtype, const ValueRange& domain) {
  CheckRange(domain);
  std::optional<std::uint8_t> low, high;
  for (unsigned bits = 0; bits < 1u << Format::kBits; ++bits) {
    const auto element = static_cast<std::uint8_t>(bits);
    const double value = static_cast<double>(Format::Decode(element));
    if (!(domain.min <= value && value <= domain.max)) continue;
    if (!low || value < static_cast<double>(Format::Decode(*low))) low = element;
    if (!high || value > static_cast<double>(Format::Decode(*high))) high = element;
  }
  if (!low) ThrowNoneIn(dtype, domain);
  return {*low, *high};
}

// The low bytes of a pattern that has no bit in common with its complement.
Patterns OpaquePatterns(std::uint32_t bits) {
  const ElementBits mask = ~ElementBits{0} >> (64 - bits);
  return {0xa5a5a5a5a5a5a5a5 & mask, 0x5a5a5a5a5a5a5a5a & mask};
}

template <typename Format>
Patterns DomainPatterns(DType dtype, const ValueRange& domain) {
  CheckRange(domain);
  const auto range = IntegersOf<typename Format::Value>(domain);
  if (range.empty) ThrowNoneIn(dtype, domain);
  return {static_cast<typename Format::Bits>(range.low),
          static_cast<typename Format::Bits>(range.high)};
}

// Calls visit(Format{}) with a format of the element's width.
template <typename Visitor>
auto VisitWidth(DType dtype, Visitor visit) {
  switch (BitsOf(dtype)) {
    case 4:
      return visit(E2M1{});
    case 8:
      return visit(IntegerFormat<std::uint8_t>{});
    case 16:
      return visit(IntegerFormat<std::uint16_t>{});
    case 32:
      return visit(IntegerFormat<std::uint32_t>{});
    default:
      return visit(IntegerFormat<std::uint64_t>{});
  }
}

}  // namespace

ElementBits Poison(DType dtype, PoisonKind kind, const std::optional<ValueRange>& domain) {
  if (domain && dtype == DType::kE8M0) return Pick(kind, FloatDomainPatterns<E8M0>(dtype, *domain));
  if (domain && dtype == DType::kE2M1) return Pick(kind, FloatDomainPatterns<E2M1>(dtype, *domain));
  if (IsFloat(dtype)) return Pick(kind, FloatPatterns(dtype));
  if (dtype == DType::kBool) return Pick(kind, {0, 1});
  if (dtype == DType::kBytes || !domain) return Pick(kind, OpaquePatterns(BitsOf(dtype)));
  return VisitIntegerFormat(dtype, "Poison", [&]<typename Format>(Format) {
    return Pick(kind, DomainPatterns<Format>(dtype, *domain));
  });
}

void FillPoison(DType dtype, ElementBits pattern, void* data, std::uint64_t count) {
  VisitWidth(dtype, [&]<typename Format>(Format) {
    auto* bytes = static_cast<unsigned char*>(data);
    for (std::uint64_t i = 0; i < count; ++i) {
      StoreBits<Format>(bytes, i, static_cast<typename Format::Bits>(pattern));
    }
  });
}

std::vector<ElementRun> UnwrittenElements(DType dtype, const void* data1, ElementBits pattern1,
                                          const void* data2, ElementBits pattern2,
                                          std::uint64_t count, std::uint64_t first) {
  std::vector<ElementRun> runs;
  VisitWidth(dtype, [&]<typename Format>(Format) {
    const auto* bytes1 = static_cast<const unsigned char*>(data1);
    const auto* bytes2 = static_cast<const unsigned char*>(data2);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (LoadBits<Format>(bytes1, first + i) != pattern1) continue;
      if (LoadBits<Format>(bytes2, first + i) != pattern2) continue;
      if (runs.empty() || runs.back().first + runs.back().count != i) runs.push_back({i, 0});
      ++runs.back().count;
    }
  });
  return runs;
}

}  // namespace parity
