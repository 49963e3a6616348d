#include "kernels/domain.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include "kernels/dispatch.h"

namespace parity {
namespace {

// NaN is inside nothing.
template <typename T>
struct FloatRange {
  T low, high;
  bool Contains(T value) const { return low <= value && value <= high; }
};

template <typename Format>
auto Admitted(const ValueRange& range) {
  if constexpr (Format::kIsFloat) {
    return FloatRange<double>{range.min, range.max};
  } else {
    return IntegersOf<typename Format::Value>(range);
  }
}

}  // namespace

void CheckRange(const ValueRange& range) {
  if (range.min <= range.max) return;
  throw std::invalid_argument("a domain's ends must be numbers with min <= max, got min " +
                              std::to_string(range.min) + ", max " + std::to_string(range.max));
}

OutsideRange CountOutside(DType dtype, const void* data, std::uint64_t count,
                          const ValueRange& range) {
  CheckRange(range);
  return VisitNumericFormat(dtype, "CountOutside", [&]<typename Format>(Format) {
    const auto* base = static_cast<const unsigned char*>(data);
    const auto admitted = Admitted<Format>(range);
    OutsideRange outside;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto value = Format::Decode(LoadBits<Format>(base, i));
      if (admitted.Contains(value)) continue;
      if (outside.count++ != 0) continue;
      outside.first_index = i;
      outside.first_value = static_cast<double>(value);
    }
    return outside;
  });
}

}  // namespace parity
