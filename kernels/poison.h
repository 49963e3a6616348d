// What is put where a span must write, so that a missing write and an undefined read show.
//
// A span runs twice, its outputs filled first with one poison and then with the other. An element
// that held the first after the first run and the second after the second was written by neither.
#ifndef GTEST_PARITY_KERNELS_POISON_H_
#define GTEST_PARITY_KERNELS_POISON_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/domain.h"
#include "kernels/dtype.h"

namespace parity {

// Named after what floats get; for other dtypes they are just two different patterns.
enum class PoisonKind : std::uint8_t { kQuietNaN, kLargeFinite };

// Bits of one element, in its low bytes.
using ElementBits = std::uint64_t;

// Floats: a quiet NaN whose payload is not the default one where there is a choice (e2m1, which has
// no NaN: -1), and a large finite number. Bool: false and true. Integers: two patterns with no bit
// in common. With `domain` integers, e8m0 and e2m1 get its ends (their values nearest to them
// inside), which are equal where it has one value only: then a missing write cannot be seen, and
// the caller must say so. `domain` means nothing to the others. Throws std::invalid_argument where
// the dtype holds no value of the domain.
ElementBits Poison(DType dtype, PoisonKind kind, const std::optional<ValueRange>& domain = {});

// Fills `count` elements and nothing else. `data` need not be aligned.
void FillPoison(DType dtype, ElementBits pattern, void* data, std::uint64_t count);

struct ElementRun {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  friend bool operator==(const ElementRun&, const ElementRun&) = default;
};

// Runs of elements, ascending and apart, that hold `pattern1` in `data1` and `pattern2` in `data2`,
// among `count` from element `first` on, which is index 0 of the result.
std::vector<ElementRun> UnwrittenElements(DType dtype, const void* data1, ElementBits pattern1,
                                          const void* data2, ElementBits pattern2,
                                          std::uint64_t count, std::uint64_t first = 0);

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_POISON_H_
