// Numbers of the contiguous engine: stored as f32 or bf16, computed in f32.
#ifndef GTEST_PARITY_ENGINES_TINY_CONTIGUOUS_NUMBERS_H_
#define GTEST_PARITY_ENGINES_TINY_CONTIGUOUS_NUMBERS_H_

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny::contiguous {

inline float Widen(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

// Nearest, ties to even; a NaN is made quiet.
inline std::uint16_t Narrow(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t upper = bits >> 16, lower = bits & 0xffffu;
  if (value != value) return static_cast<std::uint16_t>(upper | 0x40u);
  const bool up = lower > 0x8000u || (lower == 0x8000u && (upper & 1u) != 0);
  return static_cast<std::uint16_t>(upper + (up ? 1 : 0));
}

// A tensor's elements from `first` on.
class Cells {
 public:
  explicit Cells(const Operand& tensor, std::uint64_t first = 0)
      : narrow_(tensor.dtype == PARITY_BF16),
        data_(tensor.As<std::byte>() + first * BytesOf(tensor.dtype)) {}

  void Read(std::uint64_t first, std::uint64_t count, float* out) const {
    for (std::uint64_t i = 0; i < count; ++i) out[i] = At(first + i);
  }
  std::vector<float> Read(std::uint64_t first, std::uint64_t count) const {
    std::vector<float> values(count);
    Read(first, count, values.data());
    return values;
  }
  void Write(std::uint64_t first, std::uint64_t count, const float* values) const {
    for (std::uint64_t i = 0; i < count; ++i) Put(first + i, values[i]);
  }
  float At(std::uint64_t i) const {
    return narrow_ ? Widen(reinterpret_cast<const std::uint16_t*>(data_)[i])
                   : reinterpret_cast<const float*>(data_)[i];
  }
  void Put(std::uint64_t i, float value) const {
    if (narrow_) {
      reinterpret_cast<std::uint16_t*>(data_)[i] = Narrow(value);
    } else {
      reinterpret_cast<float*>(data_)[i] = value;
    }
  }

 private:
  bool narrow_;
  std::byte* data_;
};

// Sixteen interleaved sums, then halves added to halves. `count` is a multiple of 16.
inline float Dot(const float* a, const float* b, std::uint64_t count) {
  std::array<float, 16> sums{};
  for (std::uint64_t i = 0; i < count; i += sums.size()) {
    for (std::size_t lane = 0; lane < sums.size(); ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  for (std::size_t half = sums.size() / 2; half != 0; half /= 2) {
    for (std::size_t lane = 0; lane < half; ++lane) sums[lane] += sums[lane + half];
  }
  return sums[0];
}

}  // namespace parity::tiny::contiguous

#endif  // GTEST_PARITY_ENGINES_TINY_CONTIGUOUS_NUMBERS_H_
