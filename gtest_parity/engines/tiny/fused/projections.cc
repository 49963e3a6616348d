// The ops that multiply by weights, with what is fused to them.
#include <cmath>
#include <vector>

#include "gtest_parity/engines/tiny/fused/lanes.h"
#include "gtest_parity/engines/tiny/fused/ops.h"

namespace parity::tiny::fused {
namespace {

std::vector<float> LoadAll(const Operand& tensor) {
  std::vector<float> values(tensor.Elements());
  Load(tensor, 0, values.size(), values.data());
  return values;
}

// Rounded to `dtype`, as the unfused op would have stored it: where bf16 rounds is part of what a
// kernel computes, and matters more than the order of its sums.
std::vector<float> Project(const std::vector<float>& x, std::uint64_t rows, const Operand& weight,
                           parity_dtype dtype) {
  std::vector<float> y(rows * weight.dims[0]);
  Multiply(x.data(), rows, weight, y.data());
  Round(dtype, y);
  return y;
}

// values [rows, width], in place; cos and sin [rows, half].
void Rotate(std::vector<float>& values, std::uint64_t rows, const Operand& cos,
            const Operand& sin) {
  const std::uint64_t half = cos.dims[1];
  const std::uint64_t heads = values.size() / rows / (2 * half);
  float* low = values.data();
  for (std::uint64_t row = 0; row < rows; ++row) {
    const float* c = cos.As<float>() + row * half;
    const float* s = sin.As<float>() + row * half;
    for (std::uint64_t head = 0; head < heads; ++head, low += 2 * half) {
      for (std::uint64_t i = 0; i < half; ++i) {
        const float turned = low[i] * c[i] - low[half + i] * s[i];
        low[half + i] = low[i] * s[i] + low[half + i] * c[i];
        low[i] = turned;
      }
    }
  }
}

// Puts values [rows, G E] where the block table says.
void Append(const std::vector<float>& values, const OpArgs& args, const Operand& cache) {
  const std::int32_t* positions = args.reads[6].As<std::int32_t>();
  const std::int32_t* row_seq = args.reads[7].As<std::int32_t>();
  const Operand& table = args.reads[8];
  const std::uint64_t rows = args.reads[0].dims[0];
  const std::uint64_t width = values.size() / rows;
  const std::uint64_t page_tokens = cache.dims[1];
  for (std::uint64_t row = 0; row < rows; ++row) {
    const auto position = static_cast<std::uint64_t>(positions[row]);
    const auto sequence = static_cast<std::uint64_t>(row_seq[row]);
    const std::int32_t page =
        table.As<std::int32_t>()[sequence * table.dims[1] + position / page_tokens];
    const std::uint64_t token =
        static_cast<std::uint64_t>(page) * page_tokens + position % page_tokens;
    Store(cache, token * width, width, values.data() + row * width);
  }
}

}  // namespace

parity_status Linear(const OpArgs& args) {
  const std::vector<float> y =
      Project(LoadAll(args.reads[0]), args.reads[0].dims[0], args.reads[1], args.writes[0].dtype);
  Store(args.writes[0], 0, y.size(), y.data());
  return PARITY_OK;
}

parity_status QkvRopeAppend(const OpArgs& args) {
  const std::uint64_t rows = args.reads[0].dims[0];
  const std::vector<float> x = LoadAll(args.reads[0]);
  std::vector<float> query = Project(x, rows, args.reads[1], args.writes[0].dtype);
  std::vector<float> key = Project(x, rows, args.reads[2], args.writes[0].dtype);
  const std::vector<float> value = Project(x, rows, args.reads[3], args.writes[0].dtype);
  Rotate(query, rows, args.reads[4], args.reads[5]);
  Rotate(key, rows, args.reads[4], args.reads[5]);
  Store(args.writes[0], 0, query.size(), query.data());
  Append(key, args, args.updates[0]);
  Append(value, args, args.updates[1]);
  return PARITY_OK;
}

parity_status GateUpSilu(const OpArgs& args) {
  const std::uint64_t rows = args.reads[0].dims[0];
  const std::vector<float> x = LoadAll(args.reads[0]);
  std::vector<float> act = Project(x, rows, args.reads[1], args.writes[0].dtype);
  const std::vector<float> up = Project(x, rows, args.reads[2], args.writes[0].dtype);
  for (std::size_t i = 0; i < act.size(); ++i) act[i] = act[i] * up[i] / (1 + std::exp(-act[i]));
  Store(args.writes[0], 0, act.size(), act.data());
  return PARITY_OK;
}

}  // namespace parity::tiny::fused
