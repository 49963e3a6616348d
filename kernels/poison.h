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

// Floats: a quiet NaN whose payload is not the default one where there is a choice, and a large
// finite number. Bool: false and true. Integers: two patterns with no bit in common, or with
// `domain` its ends, which are equal where it has one value only: then a missing write cannot be
// seen, and the caller must say so. `domain` means nothing to the others. Throws
// std::invalid_argument where the dtype holds no value of the domain.
ElementBits Poison(DType dtype, PoisonKind kind, const std::optional<ValueRange>& domain = {});

// Fills `count` elements. `data` need not be aligned.
void FillPoison(DType dtype, ElementBits pattern, void* data, std::uint64_t count);

struct ElementRun {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  friend bool operator==(const ElementRun&, const ElementRun&) = default;
};

// Runs of elements, ascending and apart, that hold `pattern1` in `data1` and `pattern2` in `data2`.
std::vector<ElementRun> UnwrittenElements(DType dtype, const void* data1, ElementBits pattern1,
                                          const void* data2, ElementBits pattern2,
                                          std::uint64_t count);

// How many elements those runs have.
std::uint64_t CountPoisoned(DType dtype, const void* data1, ElementBits pattern1, const void* data2,
                            ElementBits pattern2, std::uint64_t count);

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_POISON_H_
