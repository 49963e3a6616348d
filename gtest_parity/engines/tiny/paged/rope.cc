#include <cmath>
#include <cstring>

#include "gtest_parity/engines/tiny/paged/ops.h"
#include "gtest_parity/engines/tiny/paged/rows.h"

namespace parity::tiny::paged {
namespace {

// values: [heads * 2 pairs], in place.
void Turn(float* values, std::uint64_t heads, const float* cos, const float* sin,
          std::uint64_t pairs) {
  for (std::uint64_t head = 0; head < heads; ++head) {
    float* low = values + head * 2 * pairs;
    float* high = low + pairs;
    for (std::uint64_t i = 0; i < pairs; ++i) {
      const float a = low[i];
      const float b = high[i];
      low[i] = a * cos[i] - b * sin[i];
      high[i] = b * cos[i] + a * sin[i];
    }
  }
}

}  // namespace

parity_status RopeTable(const OpArgs& args) {
  const Operand& cos = args.writes[0];
  const Operand& sin = args.writes[1];
  const std::uint64_t pairs = Columns(cos);
  for (std::uint64_t i = 0; i < pairs; ++i) {
    const float exponent = static_cast<float>(i) / static_cast<float>(pairs);
    const float frequency = 1.0f / std::pow(args.model->rope_theta, exponent);
    for (std::uint64_t position = 0; position < RowCount(cos); ++position) {
      const float angle = static_cast<float>(position) * frequency;
      cos.As<float>()[position * pairs + i] = std::cos(angle);
      sin.As<float>()[position * pairs + i] = std::sin(angle);
    }
  }
  return PARITY_OK;
}

parity_status RopeRows(const OpArgs& args) {
  const std::int32_t* positions = args.reads[0].As<std::int32_t>();
  for (std::size_t table = 0; table < 2; ++table) {
    const Operand& from = args.reads[1 + table];
    const Operand& to = args.writes[table];
    const std::uint64_t pairs = Columns(to);
    for (std::uint64_t row = 0; row < RowCount(to); ++row) {
      const auto position = static_cast<std::uint64_t>(positions[row]);
      std::memcpy(to.As<float>() + row * pairs, from.As<float>() + position * pairs,
                  pairs * sizeof(float));
    }
  }
  return PARITY_OK;
}

parity_status Rope(const OpArgs& args) {
  const float* cos = args.reads[0].As<float>();
  const float* sin = args.reads[1].As<float>();
  const std::uint64_t pairs = Columns(args.reads[0]);
  for (const Operand& tensor : args.updates) {
    std::vector<float> values(Columns(tensor));
    const std::uint64_t heads = Columns(tensor) / (2 * pairs);
    for (std::uint64_t row = 0; row < RowCount(tensor); ++row) {
      LoadRow(tensor, row, values.data());
      Turn(values.data(), heads, cos + row * pairs, sin + row * pairs, pairs);
      StoreRow(tensor, row, values.data());
    }
  }
  return PARITY_OK;
}

}  // namespace parity::tiny::paged
