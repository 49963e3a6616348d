#include <cmath>
#include <vector>

#include "gtest_parity/engines/tiny/ported/ops.h"
#include "gtest_parity/engines/tiny/ported/storage.h"

namespace parity::tiny::ported {
namespace {

// Mean of squares; sixteen interleaved sums, folded in halves.
float MeanSquare(const std::vector<float>& values) {
  float part[16] = {};
  for (std::size_t i = 0; i < values.size(); ++i) part[i % 16] += values[i] * values[i];
  for (std::size_t fold = 8; fold != 0; fold /= 2) {
    for (std::size_t i = 0; i < fold; ++i) part[i] = part[i] + part[i + fold];
  }
  return part[0] / static_cast<float>(values.size());
}

}  // namespace

parity_status EmbedKernel(const OpArgs& args) {
  const auto* tokens = args.reads[0].As<const std::int32_t>();
  const Matrix<Brain> table(args.reads[1]);
  WithStorage(args.writes[0], [&](auto storage) {
    const Matrix<decltype(storage)> out(args.writes[0]);
    for (std::size_t row = 0; row < out.rows; ++row) {
      const auto token = static_cast<std::size_t>(tokens[row]);
      for (std::size_t i = 0; i < out.columns; ++i) out.Put(row, i, table.At(token, i));
    }
  });
  return PARITY_OK;
}

parity_status NormKernel(const OpArgs& args) {
  const Matrix<Brain> weight(args.reads[1]);
  WithStorage(args.reads[0], [&](auto storage) {
    const Matrix<decltype(storage)> in(args.reads[0]), out(args.writes[0]);
    std::vector<float> values(in.columns);
    for (std::size_t row = 0; row < in.rows; ++row) {
      for (std::size_t i = 0; i < in.columns; ++i) values[i] = in.At(row, i);
      const float root = std::sqrt(MeanSquare(values) + args.model->norm_epsilon);
      const float scale = 1.0f / root;
      for (std::size_t i = 0; i < in.columns; ++i) {
        out.Put(row, i, (values[i] * scale) * weight.At(0, i));
      }
    }
  });
  return PARITY_OK;
}

parity_status ReduceKernel(const OpArgs& args) {
  const Operand& partial = args.updates[0];
  const parity_collective* ranks = args.collective;
  return ranks == nullptr ? PARITY_OK
                          : ranks->all_reduce_sum(ranks->context, partial.dtype, partial.data,
                                                  partial.Elements());
}

parity_status ResidualKernel(const OpArgs& args) {
  const Matrix<Single> partial(args.reads[0]);
  WithStorage(args.updates[0], [&](auto storage) {
    using Storage = decltype(storage);
    const Matrix<Storage> hidden(args.updates[0]);
    for (std::size_t i = 0; i < hidden.rows * hidden.columns; ++i) {
      const float part = Storage::Widen(Storage::Narrow(partial.data[i]));
      hidden.data[i] = Storage::Narrow(Storage::Widen(hidden.data[i]) + part);
    }
  });
  return PARITY_OK;
}

parity_status SwigluKernel(const OpArgs& args) {
  WithStorage(args.writes[0], [&](auto storage) {
    using Storage = decltype(storage);
    const Matrix<Storage> gate(args.reads[0]), up(args.reads[1]), out(args.writes[0]);
    for (std::size_t i = 0; i < out.rows * out.columns; ++i) {
      const float x = Storage::Widen(gate.data[i]);
      const float silu = x / (1.0f + std::exp(-x));
      out.data[i] = Storage::Narrow(silu * Storage::Widen(up.data[i]));
    }
  });
  return PARITY_OK;
}

parity_status GreedyKernel(const OpArgs& args) {
  const Matrix<Single> logits(args.reads[0]);
  const auto* last_row = args.reads[1].As<const std::int32_t>();
  auto* best = args.writes[0].As<std::int32_t>();
  for (std::size_t sequence = 0; sequence < args.writes[0].dims[0]; ++sequence) {
    const auto row = static_cast<std::size_t>(last_row[sequence]);
    std::size_t choice = 0;
    for (std::size_t token = 1; token < logits.columns; ++token) {
      if (logits.At(row, choice) < logits.At(row, token)) choice = token;
    }
    best[sequence] = static_cast<std::int32_t>(choice);
  }
  return PARITY_OK;
}

}  // namespace parity::tiny::ported
