// Ops on one row at a time, or on elements.
#include <cmath>
#include <vector>

#include "gtest_parity/engines/tiny/contiguous/numbers.h"
#include "gtest_parity/engines/tiny/contiguous/ops.h"

namespace parity::tiny::contiguous {

parity_status Embed(const OpArgs& args) {
  const auto* tokens = args.reads[0].As<std::int32_t>();
  const std::uint64_t rows = args.writes[0].dims[0], width = args.writes[0].dims[1];
  const Cells table(args.reads[1]), hidden(args.writes[0]);
  for (std::uint64_t row = 0; row < rows; ++row) {
    const auto token = static_cast<std::uint64_t>(tokens[row]);
    hidden.Write(row * width, width, table.Read(token * width, width).data());
  }
  return PARITY_OK;
}

parity_status RmsNorm(const OpArgs& args) {
  const std::uint64_t rows = args.reads[0].dims[0], width = args.reads[0].dims[1];
  const std::vector<float> weight = Cells(args.reads[1]).Read(0, width);
  for (std::uint64_t row = 0; row < rows; ++row) {
    std::vector<float> values = Cells(args.reads[0]).Read(row * width, width);
    const float squares = Dot(values.data(), values.data(), width);
    const float scale =
        1.0f / std::sqrt(squares / static_cast<float>(width) + args.model->norm_epsilon);
    for (std::uint64_t i = 0; i < width; ++i) values[i] = values[i] * scale * weight[i];
    Cells(args.writes[0]).Write(row * width, width, values.data());
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
  const Cells partial(args.reads[0]), hidden(args.updates[0]);
  const bool narrow = args.updates[0].dtype == PARITY_BF16;
  const std::uint64_t elements = args.updates[0].Elements();
  for (std::uint64_t i = 0; i < elements; ++i) {
    const float part = narrow ? Widen(Narrow(partial.At(i))) : partial.At(i);
    hidden.Put(i, hidden.At(i) + part);
  }
  return PARITY_OK;
}

parity_status SiluMul(const OpArgs& args) {
  const Cells gate(args.reads[0]), up(args.reads[1]), act(args.writes[0]);
  const std::uint64_t elements = args.writes[0].Elements();
  for (std::uint64_t i = 0; i < elements; ++i) {
    const float x = gate.At(i);
    act.Put(i, x / (1.0f + std::exp(-x)) * up.At(i));
  }
  return PARITY_OK;
}

parity_status Argmax(const OpArgs& args) {
  const auto* last_row = args.reads[1].As<std::int32_t>();
  const std::uint64_t columns = args.reads[0].dims[1];
  for (std::uint64_t sequence = 0; sequence < args.writes[0].dims[0]; ++sequence) {
    const Cells row(args.reads[0], static_cast<std::uint64_t>(last_row[sequence]) * columns);
    std::uint64_t best = 0;
    for (std::uint64_t token = 1; token < columns; ++token) {
      if (row.At(token) > row.At(best)) best = token;
    }
    args.writes[0].As<std::int32_t>()[sequence] = static_cast<std::int32_t>(best);
  }
  return PARITY_OK;
}

}  // namespace parity::tiny::contiguous
