// Numbers of the fused engine: bf16 in and out, and its sums over 8 lanes.
#ifndef GTEST_PARITY_ENGINES_TINY_FUSED_LANES_H_
#define GTEST_PARITY_ENGINES_TINY_FUSED_LANES_H_

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny::fused {

inline constexpr std::uint64_t kLanes = 8;
using Four = float __attribute__((vector_size(16)));

inline Four LoadFour(const float* from) {
  Four four;
  std::memcpy(&four, from, sizeof(four));
  return four;
}

inline float FromBf16(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

// Nearest, ties to even.
inline std::uint16_t ToBf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (value != value) return static_cast<std::uint16_t>(bits >> 16 | 0x40u);
  return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

// values [count] from, or to, element `first` of a tensor.
void Load(const Operand& tensor, std::uint64_t first, std::uint64_t count, float* values);
void Store(const Operand& tensor, std::uint64_t first, std::uint64_t count, const float* values);

// In place: as if stored and loaded again.
void Round(parity_dtype dtype, std::vector<float>& values);

// Lane l of 8 sums products l, l + 8, ...; then the lanes from first to last. `count` is a multiple
// of 8.
inline float Dot(const float* a, const float* b, std::uint64_t count) {
  Four low{}, high{};
  for (std::uint64_t i = 0; i < count; i += kLanes) {
    low += LoadFour(a + i) * LoadFour(b + i);
    high += LoadFour(a + i + 4) * LoadFour(b + i + 4);
  }
  return low[0] + low[1] + low[2] + low[3] + high[0] + high[1] + high[2] + high[3];
}

// y [rows, outputs] = x [rows, depth] weight^T; weight is bf16 [outputs, depth].
void Multiply(const float* x, std::uint64_t rows, const Operand& weight, float* y);

}  // namespace parity::tiny::fused

#endif  // GTEST_PARITY_ENGINES_TINY_FUSED_LANES_H_
