// Which elements of an array lie outside the range that was declared for it.
#ifndef GTEST_PARITY_KERNELS_DOMAIN_H_
#define GTEST_PARITY_KERNELS_DOMAIN_H_

#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/dtype.h"

namespace parity {

// Legal values, both ends included. An end may be infinite; neither is NaN, and min <= max.
struct ValueRange {
  double min = 0;
  double max = 0;
};

// What of a range an integer type can hold.
template <typename T>
struct IntegerRange {
  T low = 0;
  T high = 0;
  bool empty = false;

  constexpr bool Contains(T value) const { return !empty && low <= value && value <= high; }
};

// Throws std::invalid_argument where `range` is none.
void CheckRange(const ValueRange& range);

// Exact: no integer is rounded to a double on the way. An end between two integers moves inwards.
template <typename T>
IntegerRange<T> IntegersOf(const ValueRange& range) {
  const double lowest = static_cast<double>(std::numeric_limits<T>::min());
  // 2^bits, one beyond the largest, which a double may not hold.
  const T half = std::numeric_limits<T>::max() / 2 + 1;
  const double beyond = 2 * static_cast<double>(half);
  const double low = std::ceil(range.min), high = std::floor(range.max);
  if (low > high || low >= beyond || high < lowest) return {0, 0, true};
  return {low < lowest ? std::numeric_limits<T>::min() : static_cast<T>(low),
          high >= beyond ? std::numeric_limits<T>::max() : static_cast<T>(high), false};
}

struct OutsideRange {
  std::uint64_t count = 0;  // elements outside; NaN counts
  std::uint64_t first_index = 0;
  double first_value = 0;  // of the element at first_index, 64-bit integers rounded

  bool None() const { return count == 0; }
};

// Counts elements outside `range`; bool counts as u8. `data` need not be aligned. Throws
// std::invalid_argument for opaque bytes, and where `range` is none.
OutsideRange CountOutside(DType dtype, const void* data, std::uint64_t count,
                          const ValueRange& range);

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_DOMAIN_H_
