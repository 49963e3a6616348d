// The order of a row's columns: value descending, then index ascending; NaN of either sign comes
// last, after -inf; +0 and -0 are equal. Usable from device code.
#ifndef GTEST_PARITY_KERNELS_ROW_ORDER_H_
#define GTEST_PARITY_KERNELS_ROW_ORDER_H_

#include <cstdint>

#include "kernels/host_device.h"

namespace parity {

inline constexpr std::uint32_t kTopColumns = 20;

inline constexpr std::int64_t kNanOrderKey = INT64_MIN;

template <typename Format>
PARITY_HOST_DEVICE constexpr std::int64_t OrderKey(typename Format::Bits bits) {
  return Format::IsNan(bits) ? kNanOrderKey : Format::Key(bits);
}

struct RowPlace {
  std::int64_t key;
  std::uint32_t column;
};

PARITY_HOST_DEVICE constexpr bool Before(RowPlace p, RowPlace q) {
  return p.key > q.key || (p.key == q.key && p.column < q.column);
}

// The first kTopColumns places of what was offered, in order.
struct TopColumns {
  RowPlace places[kTopColumns];
  std::uint32_t size = 0;

  PARITY_HOST_DEVICE constexpr void Offer(RowPlace place) {
    if (size == kTopColumns && !Before(place, places[size - 1])) return;
    std::uint32_t at = size < kTopColumns ? size++ : size - 1;
    for (; at != 0 && Before(place, places[at - 1]); --at) places[at] = places[at - 1];
    places[at] = place;
  }

  // How many columns both hold.
  PARITY_HOST_DEVICE constexpr std::uint32_t Overlap(const TopColumns& other) const {
    std::uint32_t shared = 0;
    for (std::uint32_t i = 0; i < size; ++i) {
      for (std::uint32_t k = 0; k < other.size; ++k) {
        shared += places[i].column == other.places[k].column ? 1 : 0;
      }
    }
    return shared;
  }
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_ROW_ORDER_H_
