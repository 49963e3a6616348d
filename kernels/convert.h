// Between dtypes without loss: an element either keeps its value, sign and NaN payload, or it is
// counted.
#ifndef GTEST_PARITY_KERNELS_CONVERT_H_
#define GTEST_PARITY_KERNELS_CONVERT_H_

#include <cstdint>
#include <optional>

#include "kernels/domain.h"
#include "kernels/dtype.h"
#include "kernels/poison.h"

namespace parity {

// Whether one of the two holds every value of the other: the same dtype, two of f64, f32, f16 and
// bf16 (but f16 and bf16), or two such integers.
bool CanConvert(DType a, DType b);

// The elements that the other dtype does not hold.
struct Inexact {
  std::uint64_t count = 0;
  std::uint64_t first_index = 0;
};

// Converts `count` elements; those that are not exact come out as zero. Neither pointer need be
// aligned. Throws std::invalid_argument unless CanConvert.
Inexact Convert(DType from, const void* in, DType to, void* out, std::uint64_t count);

// The poison of a tensor that is stored in one dtype and seen in another, as `seen` holds it: that
// of the narrower one, which both hold. Throws std::invalid_argument as Poison and Convert do.
ElementBits PoisonThrough(DType stored, DType seen, PoisonKind kind,
                          const std::optional<ValueRange>& domain = {});

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CONVERT_H_
