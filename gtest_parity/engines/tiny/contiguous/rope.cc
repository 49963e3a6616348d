#include <cmath>

#include "gtest_parity/engines/tiny/contiguous/numbers.h"
#include "gtest_parity/engines/tiny/contiguous/ops.h"

namespace parity::tiny::contiguous {

parity_status RopeTable(const OpArgs& args) {
  const Operand &cos = args.writes[0], &sin = args.writes[1];
  const std::uint64_t positions = cos.dims[0], pairs = cos.dims[1];
  for (std::uint64_t position = 0; position < positions; ++position) {
    for (std::uint64_t i = 0; i < pairs; ++i) {
      const float exponent = static_cast<float>(i) / static_cast<float>(pairs);
      const float frequency = 1.0f / std::pow(args.model->rope_theta, exponent);
      const float angle = static_cast<float>(position) * frequency;
      cos.As<float>()[position * pairs + i] = std::cos(angle);
      sin.As<float>()[position * pairs + i] = std::sin(angle);
    }
  }
  return PARITY_OK;
}

parity_status RopeRows(const OpArgs& args) {
  const auto* positions = args.reads[0].As<std::int32_t>();
  for (std::size_t table = 0; table < 2; ++table) {
    const Cells from(args.reads[1 + table]), to(args.writes[table]);
    const std::uint64_t rows = args.writes[table].dims[0], pairs = args.writes[table].dims[1];
    for (std::uint64_t row = 0; row < rows; ++row) {
      for (std::uint64_t i = 0; i < pairs; ++i) {
        const auto position = static_cast<std::uint64_t>(positions[row]);
        to.Put(row * pairs + i, from.At(position * pairs + i));
      }
    }
  }
  return PARITY_OK;
}

parity_status Rope(const OpArgs& args) {
  const Operand& qkv = args.updates[0];
  const std::uint64_t rows = qkv.dims[0], all_heads = qkv.dims[1], half = qkv.dims[2] / 2;
  const std::uint64_t kv_heads =
      args.model->kv_heads * all_heads / (args.model->heads + 2 * args.model->kv_heads);
  const Cells cos(args.reads[0]), sin(args.reads[1]);
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::uint64_t head = 0; head < all_heads - kv_heads; ++head) {
      const Cells pair(qkv, (row * all_heads + head) * 2 * half);
      for (std::uint64_t i = 0; i < half; ++i) {
        const float c = cos.At(row * half + i), s = sin.At(row * half + i);
        const float low = pair.At(i), high = pair.At(half + i);
        pair.Put(i, low * c - high * s);
        pair.Put(half + i, high * c + low * s);
      }
    }
  }
  return PARITY_OK;
}

}  // namespace parity::tiny::contiguous
