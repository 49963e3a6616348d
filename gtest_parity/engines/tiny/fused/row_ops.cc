// The ops that nothing is fused to.
#include <cmath>
#include <vector>

#include "gtest_parity/engines/tiny/fused/lanes.h"
#include "gtest_parity/engines/tiny/fused/ops.h"

namespace parity::tiny::fused {

parity_status RopeTable(const OpArgs& args) {
  const std::uint64_t positions = args.writes[0].dims[0], pairs = args.writes[0].dims[1];
  float* cos = args.writes[0].As<float>();
  float* sin = args.writes[1].As<float>();
  std::vector<float> frequencies(pairs);
  for (std::uint64_t i = 0; i < pairs; ++i) {
    frequencies[i] = 1 / std::pow(args.model->rope_theta,
                                  static_cast<float>(2 * i) / static_cast<float>(2 * pairs));
  }
  for (std::uint64_t i = 0; i < positions * pairs; ++i) {
    const std::uint64_t position = i / pairs;
    const float angle = static_cast<float>(position) * frequencies[i % pairs];
    cos[i] = std::cos(angle);
    sin[i] = std::sin(angle);
  }
  return PARITY_OK;
}

parity_status RopeRows(const OpArgs& args) {
  const std::uint64_t rows = args.writes[0].dims[0], pairs = args.writes[0].dims[1];
  for (std::uint64_t row = 0; row < rows; ++row) {
    const auto position = static_cast<std::uint64_t>(args.reads[0].As<std::int32_t>()[row]);
    for (std::size_t which = 0; which < 2; ++which) {
      const float* from = args.reads[1 + which].As<float>() + position * pairs;
      Store(args.writes[which], row * pairs, pairs, from);
    }
  }
  return PARITY_OK;
}

parity_status Embed(const OpArgs& args) {
  const std::uint64_t rows = args.writes[0].dims[0], width = args.writes[0].dims[1];
  std::vector<float> values(width);
  for (std::uint64_t row = 0; row < rows; ++row) {
    const auto token = static_cast<std::uint64_t>(args.reads[0].As<std::int32_t>()[row]);
    Load(args.reads[1], token * width, width, values.data());
    Store(args.writes[0], row * width, width, values.data());
  }
  return PARITY_OK;
}

parity_status RmsNorm(const OpArgs& args) {
  const std::uint64_t rows = args.reads[0].dims[0], width = args.reads[0].dims[1];
  std::vector<float> values(width), weight(width);
  Load(args.reads[1], 0, width, weight.data());
  for (std::uint64_t row = 0; row < rows; ++row) {
    Load(args.reads[0], row * width, width, values.data());
    const float squares = Dot(values.data(), values.data(), width);
    const float scale =
        1 / std::sqrt(squares / static_cast<float>(width) + args.model->norm_epsilon);
    for (std::uint64_t i = 0; i < width; ++i) values[i] *= scale * weight[i];
    Store(args.writes[0], row * width, width, values.data());
  }
  return PARITY_OK;
}

parity_status AllReduce(const OpArgs& args) {
  const Operand& partial = args.updates[0];
  if (args.collective == nullptr) return PARITY_OK;
  return args.collective->all_reduce_sum(args.collective->context, PARITY_F32, partial.data,
                                         partial.Elements());
}

parity_status Add(const OpArgs& args) {
  const Operand& hidden = args.updates[0];
  const float* partial = args.reads[0].As<float>();
  const bool rounds = hidden.dtype == PARITY_BF16;
  std::vector<float> sum(hidden.Elements());
  Load(hidden, 0, sum.size(), sum.data());
  for (std::size_t i = 0; i < sum.size(); ++i) {
    sum[i] += rounds ? FromBf16(ToBf16(partial[i])) : partial[i];
  }
  Store(hidden, 0, sum.size(), sum.data());
  return PARITY_OK;
}

parity_status Argmax(const OpArgs& args) {
  const std::uint64_t columns = args.reads[0].dims[1];
  for (std::uint64_t sequence = 0; sequence < args.writes[0].dims[0]; ++sequence) {
    const auto row = static_cast<std::uint64_t>(args.reads[1].As<std::int32_t>()[sequence]);
    const float* logits = args.reads[0].As<float>() + row * columns;
    std::int32_t best = 0;
    for (std::uint64_t token = 0; token < columns; ++token) {
      if (logits[token] > logits[best]) best = static_cast<std::int32_t>(token);
    }
    args.writes[0].As<std::int32_t>()[sequence] = best;
  }
  return PARITY_OK;
}

}  // namespace parity::tiny::fused
