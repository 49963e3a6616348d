#include "kernels/poison.h"

#include <cstring>
#include <stdexcept>
#include <string>

#include "kernels/dispatch.h"

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
    default:
      return {0x7f, 0x7d};  // e4m3: 416
  }
}

// The low bytes of a pattern that has no bit in common with its complement.
Patterns OpaquePatterns(std::uint32_t bytes) {
  const ElementBits mask = ~ElementBits{0} >> (64 - 8 * bytes);
  return {0xa5a5a5a5a5a5a5a5 & mask, 0x5a5a5a5a5a5a5a5a & mask};
}

template <typename Format>
Patterns DomainPatterns(DType dtype, const ValueRange& domain) {
  CheckRange(domain);
  const auto range = IntegersOf<typename Format::Value>(domain);
  if (range.empty) {
    throw std::invalid_argument("Poison: no " + std::string(NameOf(dtype)) +
                                " lies in the domain from " + std::to_string(domain.min) + " to " +
                                std::to_string(domain.max));
  }
  return {static_cast<typename Format::Bits>(range.low),
          static_cast<typename Format::Bits>(range.high)};
}

// Calls visit(Bits{}) with the unsigned type of an element's size.
template <typename Visitor>
auto VisitBits(DType dtype, Visitor visit) {
  switch (BytesOf(dtype)) {
    case 1:
      return visit(std::uint8_t{});
    case 2:
      return visit(std::uint16_t{});
    case 4:
      return visit(std::uint32_t{});
    default:
      return visit(std::uint64_t{});
  }
}

// Calls visit(index) for every element that kept both patterns, in ascending order.
template <typename Visitor>
void VisitUnwritten(DType dtype, const void* data1, ElementBits pattern1, const void* data2,
                    ElementBits pattern2, std::uint64_t count, Visitor visit) {
  VisitBits(dtype, [&]<typename Bits>(Bits) {
    const auto* first = static_cast<const unsigned char*>(data1);
    const auto* second = static_cast<const unsigned char*>(data2);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (LoadElement<Bits>(first, i) != static_cast<Bits>(pattern1)) continue;
      if (LoadElement<Bits>(second, i) == static_cast<Bits>(pattern2)) visit(i);
    }
  });
}

}  // namespace

ElementBits Poison(DType dtype, PoisonKind kind, const std::optional<ValueRange>& domain) {
  if (IsFloat(dtype)) return Pick(kind, FloatPatterns(dtype));
  if (dtype == DType::kBool) return Pick(kind, {0, 1});
  if (dtype == DType::kBytes || !domain) return Pick(kind, OpaquePatterns(BytesOf(dtype)));
  return VisitIntegerFormat(dtype, "Poison", [&]<typename Format>(Format) {
    return Pick(kind, DomainPatterns<Format>(dtype, *domain));
  });
}

void FillPoison(DType dtype, ElementBits pattern, void* data, std::uint64_t count) {
  VisitBits(dtype, [&]<typename Bits>(Bits) {
    const auto bits = static_cast<Bits>(pattern);
    auto* bytes = static_cast<unsigned char*>(data);
    for (std::uint64_t i = 0; i < count; ++i) {
      std::memcpy(bytes + i * sizeof(Bits), &bits, sizeof(Bits));
    }
  });
}

std::vector<ElementRun> UnwrittenElements(DType dtype, const void* data1, ElementBits pattern1,
                                          const void* data2, ElementBits pattern2,
                                          std::uint64_t count) {
  std::vector<ElementRun> runs;
  VisitUnwritten(dtype, data1, pattern1, data2, pattern2, count, [&](std::uint64_t i) {
    if (runs.empty() || runs.back().first + runs.back().count != i) runs.push_back({i, 0});
    ++runs.back().count;
  });
  return runs;
}

std::uint64_t CountPoisoned(DType dtype, const void* data1, ElementBits pattern1, const void* data2,
                            ElementBits pattern2, std::uint64_t count) {
  std::uint64_t poisoned = 0;
  VisitUnwritten(dtype, data1, pattern1, data2, pattern2, count,
                 [&](std::uint64_t) { ++poisoned; });
  return poisoned;
}

}  // namespace parity
