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
  kE4M3,  // OCP OFP8: bias 7, no infinities, NaN is 0x7f and 0xff, largest 448
  kE5M2,  // OCP OFP8: bias 15, infinities and NaN as in IEEE 754, largest 57344
  kE8M0,  // OCP MX scale: 2^(bits - 127), NaN is 0xff; no sign, no zero
  kE2M1,  // OCP MX FP4: bias 1, neither infinity nor NaN, largest 6; packed two to a byte
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

inline constexpr std::uint32_t kDTypeCount = 18;

// "f32", "bf16", "e4m3", "i64", "bool", "bytes", ... All but ParseDType throw std::invalid_argument
// for a number that is not an enumerator.
std::string_view NameOf(DType dtype);
// The inverse of NameOf; nothing for any other text.
std::optional<DType> ParseDType(std::string_view name);
// Bits of one element: 4, 8, 16, 32 or 64. Elements lie without gaps; of two that share a byte the
// first has its low half, as in safetensors' F4 and CUDA's __nv_fp4x2_e2m1.
std::uint32_t BitsOf(DType dtype);
// Bytes that `elements` begin or fill.
std::uint64_t BytesOf(DType dtype, std::uint64_t elements);
// Whole elements in `bytes`.
std::uint64_t ElementsIn(DType dtype, std::uint64_t bytes);
bool IsFloat(DType dtype);

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_DTYPE_H_
