#include "gtest_parity/engines/tiny/fused/lanes.h"

#include <algorithm>
#include <vector>

namespace parity::tiny::fused {
namespace {

constexpr std::uint64_t kRowTile = 4;

// Four rows against one output: each weight is loaded once for all of them.
void DotTile(const float* x, std::uint64_t depth, const float* weight, float* sums) {
  Four low[kRowTile] = {}, high[kRowTile] = {};
  for (std::uint64_t i = 0; i < depth; i += kLanes) {
    const Four w0 = LoadFour(weight + i), w1 = LoadFour(weight + i + 4);
    for (std::uint64_t row = 0; row < kRowTile; ++row) {
      low[row] += LoadFour(x + row * depth + i) * w0;
      high[row] += LoadFour(x + row * depth + i + 4) * w1;
    }
  }
  for (std::uint64_t row = 0; row < kRowTile; ++row) {
    const Four &a = low[row], &b = high[row];
    sums[row] = a[0] + a[1] + a[2] + a[3] + b[0] + b[1] + b[2] + b[3];
  }
}

}  // namespace

void Load(const Operand& tensor, std::uint64_t first, std::uint64_t count, float* values) {
  if (tensor.dtype == PARITY_BF16) {
    std::transform(tensor.As<std::uint16_t>() + first, tensor.As<std::uint16_t>() + first + count,
                   values, FromBf16);
  } else {
    std::copy_n(tensor.As<float>() + first, count, values);
  }
}

void Store(const Operand& tensor, std::uint64_t first, std::uint64_t count, const float* values) {
  if (tensor.dtype == PARITY_BF16) {
    std::transform(values, values + count, tensor.As<std::uint16_t>() + first, ToBf16);
  } else {
    std::copy_n(values, count, tensor.As<float>() + first);
  }
}

void Round(parity_dtype dtype, std::vector<float>& values) {
  if (dtype != PARITY_BF16) return;
  for (float& value : values) value = FromBf16(ToBf16(value));
}

void Multiply(const float* x, std::uint64_t rows, const Operand& weight, float* y) {
  const std::uint64_t outputs = weight.dims[0], depth = weight.dims[1];
  std::vector<float> w(depth);
  float sums[kRowTile];
  for (std::uint64_t output = 0; output < outputs; ++output) {
    Load(weight, output * depth, depth, w.data());
    std::uint64_t row = 0;
    for (; row + kRowTile <= rows; row += kRowTile) {
      DotTile(x + row * depth, depth, w.data(), sums);
      for (std::uint64_t t = 0; t < kRowTile; ++t) y[(row + t) * outputs + output] = sums[t];
    }
    for (; row < rows; ++row) y[row * outputs + output] = Dot(x + row * depth, w.data(), depth);
  }
}

}  // namespace parity::tiny::fused
