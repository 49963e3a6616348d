// Element types as classes, and a call that picks one at run time.
#ifndef GTEST_PARITY_ENGINES_TINY_PORTED_STORAGE_H_
#define GTEST_PARITY_ENGINES_TINY_PORTED_STORAGE_H_

#include <cstdint>
#include <cstring>
#include <utility>

#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny::ported {

struct Single {
  using Stored = float;
  static float Widen(float stored) { return stored; }
  static float Narrow(float value) { return value; }
};

struct Brain {
  using Stored = std::uint16_t;
  static float Widen(std::uint16_t stored) {
    const std::uint32_t bits = static_cast<std::uint32_t>(stored) << 16;
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
  // Nearest, ties to even: half a unit is added, and a tie's last bit cleared. A NaN is made quiet.
  static std::uint16_t Narrow(float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
    if (nan) return static_cast<std::uint16_t>(bits >> 16 | 0x40u);
    const bool tie = (bits & 0xffffu) == 0x8000u;
    const std::uint32_t rounded = (bits + 0x8000u) >> 16;
    return static_cast<std::uint16_t>(tie ? rounded & ~1u : rounded);
  }
};

// Calls body(Single{}) or body(Brain{}).
template <typename Body>
void WithStorage(const Operand& operand, Body body) {
  if (operand.dtype == PARITY_BF16) {
    body(Brain{});
  } else {
    body(Single{});
  }
}

// A matrix over an operand; further extents are folded into the rows.
template <typename Storage>
struct Matrix {
  typename Storage::Stored* data;
  std::size_t rows, columns;

  explicit Matrix(const Operand& operand)
      : data(operand.As<typename Storage::Stored>()),
        rows(operand.Elements() / operand.dims.back()),
        columns(operand.dims.back()) {}
  float At(std::size_t row, std::size_t column) const {
    return Storage::Widen(data[row * columns + column]);
  }
  void Put(std::size_t row, std::size_t column, float value) const {
    data[row * columns + column] = Storage::Narrow(value);
  }
};

}  // namespace parity::tiny::ported

#endif  // GTEST_PARITY_ENGINES_TINY_PORTED_STORAGE_H_
