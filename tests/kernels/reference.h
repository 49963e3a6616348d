// The measures once more, slowly and in other words, for the tests to compare with.
#ifndef GTEST_PARITY_TESTS_KERNELS_REFERENCE_H_
#define GTEST_PARITY_TESTS_KERNELS_REFERENCE_H_

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kernels/dtype.h"

namespace parity {

using Buffer = std::vector<unsigned char>;

inline const std::vector<DType>& AllDTypes() {
  static const std::vector<DType> all = [] {
    std::vector<DType> dtypes;
    for (std::uint32_t i = 0; i < kDTypeCount; ++i) dtypes.push_back(static_cast<DType>(i));
    return dtypes;
  }();
  return all;
}

inline std::vector<DType> FloatDTypes() {
  return {DType::kF64,  DType::kF32,  DType::kF16,  DType::kBF16,
          DType::kE4M3, DType::kE5M2, DType::kE8M0, DType::kE2M1};
}

// Those that have a sign and a NaN.
inline std::vector<DType> UsualFloatDTypes() {
  return {DType::kF64, DType::kF32, DType::kF16, DType::kBF16, DType::kE4M3, DType::kE5M2};
}

inline std::string TestNameOf(DType dtype) { return std::string(NameOf(dtype)); }

inline bool IsSigned(DType dtype) {
  return dtype == DType::kI8 || dtype == DType::kI16 || dtype == DType::kI32 ||
         dtype == DType::kI64;
}

struct FloatFields {
  int mantissa_bits, bias;
  std::uint64_t largest;  // magnitude of the largest finite number
  bool infinity;
};

inline FloatFields FieldsOf(DType dtype) {
  switch (dtype) {
    case DType::kF64:
      return {52, 1023, 0x7fefffffffffffff, true};
    case DType::kF32:
      return {23, 127, 0x7f7fffff, true};
    case DType::kF16:
      return {10, 15, 0x7bff, true};
    case DType::kBF16:
      return {7, 127, 0x7f7f, true};
    case DType::kE5M2:
      return {2, 15, 0x7b, true};
    case DType::kE8M0:
      return {0, 127, 0xfe, false};
    case DType::kE2M1:
      return {1, 1, 0x7, false};
    default:
      return {3, 7, 0x7e, false};
  }
}

inline std::uint64_t MaskOf(DType dtype) { return ~std::uint64_t{0} >> (64 - BitsOf(dtype)); }

// 0 for e8m0, which has none.
inline std::uint64_t SignBitOf(DType dtype) {
  return dtype == DType::kE8M0 ? 0 : std::uint64_t{1} << (BitsOf(dtype) - 1);
}

// Every value of every numeric dtype fits into a long double (64 bits of mantissa).
static_assert(std::numeric_limits<long double>::digits >= 64);
inline long double ValueOf(DType dtype, std::uint64_t bits) {
  if (dtype == DType::kE8M0) {
    return bits == 0xff ? std::numeric_limits<long double>::quiet_NaN()
                        : std::ldexp(1.0L, static_cast<int>(bits) - 127);
  }
  if (IsFloat(dtype)) {
    const FloatFields fields = FieldsOf(dtype);
    const bool negative = (bits & SignBitOf(dtype)) != 0;
    const std::uint64_t magnitude = bits & (SignBitOf(dtype) - 1);
    const std::uint64_t hidden = std::uint64_t{1} << fields.mantissa_bits;
    const int exponent = static_cast<int>(magnitude >> fields.mantissa_bits);
    std::uint64_t mantissa = magnitude & (hidden - 1);
    if (exponent != 0) mantissa |= hidden;
    long double value =
        std::ldexp(static_cast<long double>(mantissa),
                   (exponent == 0 ? 1 : exponent) - fields.bias - fields.mantissa_bits);
    if (magnitude > fields.largest) {
      value = fields.infinity && magnitude == fields.largest + 1
                  ? std::numeric_limits<long double>::infinity()
                  : std::numeric_limits<long double>::quiet_NaN();
    }
    return negative ? -value : value;
  }
  if (IsSigned(dtype) && (bits & SignBitOf(dtype)) != 0) {
    const std::uint64_t below = ~bits & (SignBitOf(dtype) - 1);
    return -1.0L - static_cast<long double>(below);
  }
  return static_cast<long double>(bits);
}

inline std::uint64_t BitsAt(DType dtype, const unsigned char* data, std::uint64_t index) {
  if (BitsOf(dtype) == 4) return index % 2 == 0 ? data[index / 2] % 16 : data[index / 2] / 16;
  std::uint64_t bits = 0;
  std::memcpy(&bits, data + BytesOf(dtype, index), BytesOf(dtype, 1));
  return bits;
}

inline Buffer Pack(DType dtype, const std::vector<std::uint64_t>& elements) {
  Buffer buffer(BytesOf(dtype, elements.size()));
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (BitsOf(dtype) == 4) {
      buffer[i / 2] =
          static_cast<unsigned char>(buffer[i / 2] + elements[i] * (i % 2 == 0 ? 1 : 16));
    } else {
      std::memcpy(buffer.data() + BytesOf(dtype, i), &elements[i], BytesOf(dtype, 1));
    }
  }
  return buffer;
}

// Bits of the element nearest to `value` by bisection over magnitudes; of two equally near, either.
inline std::uint64_t NearestFloat(DType dtype, long double value) {
  const std::uint64_t sign = std::signbit(value) ? SignBitOf(dtype) : 0;
  const long double magnitude = std::fabs(value);
  if (std::isnan(value)) return sign | ((SignBitOf(dtype) - 1) & MaskOf(dtype));
  std::uint64_t low = 0, high = FieldsOf(dtype).largest;
  if (std::isinf(value)) return sign | (high + 1);
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (ValueOf(dtype, middle) <= magnitude ? low : high) = middle;
  }
  const bool upper = ValueOf(dtype, high) - magnitude < magnitude - ValueOf(dtype, low);
  return sign | (upper ? high : low);
}

inline Buffer PackValues(DType dtype, const std::vector<double>& values) {
  std::vector<std::uint64_t> elements;
  for (const double value : values) elements.push_back(NearestFloat(dtype, value));
  return Pack(dtype, elements);
}

// Bits of any kind: NaN, infinities, zeros and subnormals are far more common than by chance.
inline std::uint64_t RandomElement(DType dtype, std::mt19937_64& random) {
  const std::uint64_t mask = MaskOf(dtype);
  const std::uint64_t bits = random() & mask;
  if (!IsFloat(dtype)) return bits;
  const std::uint64_t sign = bits & SignBitOf(dtype);
  switch (random() % 16) {
    case 0:
      return sign;
    case 1:
      return (sign | (FieldsOf(dtype).largest + 1)) & mask;  // infinity, or NaN where it is next
    case 2:
      return (sign | (SignBitOf(dtype) - 1)) & mask;
    case 3:
      return bits & (sign | ((std::uint64_t{1} << FieldsOf(dtype).mantissa_bits) - 1));
    default:
      return bits;
  }
}

}  // namespace parity

#endif  // GTEST_PARITY_TESTS_KERNELS_REFERENCE_H_
