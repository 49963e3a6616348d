// The element types that engines store.
#ifndef GTEST_PARITY_KERNELS_DTYPE_H_
#define GTEST_PARITY_KERNELS_DTYPE_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace parity {

enum class DType : std::uint8_t {
  kF64,
  kF32,
  kF16,
  kBF16,
  kE4M3,  // OCP "fn": bias 7, no infinities, NaN is 0x7f and 0xff, largest 448
  kI8,
  kI16,
  kI32,
  kI64,
  kU8,
  kU16,
  kU32,
  kU64,
  kBool,   // one byte; any non-zero byte is true, but bits are compared, as u8
  kBytes,  // opaque: compared as bytes, never as numbers
};

inline constexpr std::uint32_t kDTypeCount = 15;

// "f32", "bf16", "e4m3", "i64", "bool", "bytes", ... This and the two below throw
// std::invalid_argument for a number that is not an enumerator.
std::string_view NameOf(DType dtype);
// The inverse of NameOf; nothing for any other text.
std::optional<DType> ParseDType(std::string_view name);
// Bytes of one element.
std::uint32_t BytesOf(DType dtype);
bool IsFloat(DType dtype);

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_DTYPE_H_
