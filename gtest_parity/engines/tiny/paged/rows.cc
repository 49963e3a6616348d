#include "gtest_parity/engines/tiny/paged/rows.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace parity::tiny::paged {
namespace {

std::uint16_t RoundToBf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>((bits >> 16) | 0x0040u);
  const std::uint32_t to_even = (bits >> 16) & 1u;
  return static_cast<std::uint16_t>((bits + 0x7fffu + to_even) >> 16);
}

}  // namespace

std::uint64_t Columns(const Operand& tensor) { return tensor.dims.back(); }

std::uint64_t RowCount(const Operand& tensor) { return tensor.Elements() / tensor.dims.back(); }

void LoadRow(const Operand& tensor, std::uint64_t row, float* out) {
  const std::uint64_t columns = Columns(tensor);
  if (tensor.dtype == PARITY_F32) {
    std::memcpy(out, tensor.As<float>() + row * columns, columns * sizeof(float));
    return;
  }
  const std::uint16_t* stored = tensor.As<std::uint16_t>() + row * columns;
  for (std::uint64_t i = 0; i < columns; ++i) {
    out[i] = std::bit_cast<float>(std::uint32_t{stored[i]} << 16);
  }
}

std::vector<float> LoadAll(const Operand& tensor) {
  std::vector<float> values(tensor.Elements());
  const std::uint64_t rows = RowCount(tensor);
  for (std::uint64_t row = 0; row < rows; ++row) {
    LoadRow(tensor, row, values.data() + row * Columns(tensor));
  }
  return values;
}

void StoreRow(const Operand& tensor, std::uint64_t row, const float* values) {
  const std::uint64_t columns = Columns(tensor);
  if (tensor.dtype == PARITY_F32) {
    std::memcpy(tensor.As<float>() + row * columns, values, columns * sizeof(float));
    return;
  }
  std::uint16_t* stored = tensor.As<std::uint16_t>() + row * columns;
  for (std::uint64_t i = 0; i < columns; ++i) stored[i] = RoundToBf16(values[i]);
}

}  // namespace parity::tiny::paged
