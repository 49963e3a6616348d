// Ops that work row by row: lookup, norm, sums and products, choice.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "gtest_parity/engines/tiny/paged/dot.h"
#include "gtest_parity/engines/tiny/paged/ops.h"
#include "gtest_parity/engines/tiny/paged/rows.h"

namespace parity::tiny::paged {

parity_status Embed(const OpArgs& args) {
  const std::int32_t* tokens = args.reads[0].As<std::int32_t>();
  const Operand& output = args.writes[0];
  std::vector<float> row(Columns(output));
  for (std::uint64_t i = 0; i < RowCount(output); ++i) {
    LoadRow(args.reads[1], static_cast<std::uint64_t>(tokens[i]), row.data());
    StoreRow(output, i, row.data());
  }
  return PARITY_OK;
}

parity_status RmsNorm(const OpArgs& args) {
  const Operand& input = args.reads[0];
  const std::uint64_t columns = Columns(input);
  std::vector<float> row(columns);
  const std::vector<float> weight = LoadAll(args.reads[1]);
  for (std::uint64_t i = 0; i < RowCount(input); ++i) {
    LoadRow(input, i, row.data());
    const float mean = Dot(row.data(), row.data(), columns) / static_cast<float>(columns);
    const float scale = 1.0f / std::sqrt(mean + args.model->norm_epsilon);
    for (std::uint64_t c = 0; c < columns; ++c) row[c] = row[c] * scale * weight[c];
    StoreRow(args.writes[0], i, row.data());
  }
  return PARITY_OK;
}

parity_status AllReduce(const OpArgs& args) {
  if (args.collective == nullptr) return PARITY_OK;
  const Operand& partial = args.updates[0];
  return args.collective->all_reduce_sum(args.collective->context, PARITY_F32, partial.data,
                                         partial.Elements());
}

parity_status Add(const OpArgs& args) {
  const Operand& hidden = args.updates[0];
  std::vector<float> sum(Columns(hidden)), part(Columns(hidden));
  std::vector<std::uint32_t> rounded(Columns(hidden));  // as large as any dtype's row
  const Operand rounded_row{rounded.data(), hidden.dtype, {1, Columns(hidden)}};
  for (std::uint64_t row = 0; row < RowCount(hidden); ++row) {
    LoadRow(args.reads[0], row, part.data());
    StoreRow(rounded_row, 0, part.data());
    LoadRow(rounded_row, 0, part.data());
    LoadRow(hidden, row, sum.data());
    for (std::uint64_t c = 0; c < sum.size(); ++c) sum[c] += part[c];
    StoreRow(hidden, row, sum.data());
  }
  return PARITY_OK;
}

parity_status SiluMul(const OpArgs& args) {
  const Operand& output = args.writes[0];
  std::vector<float> gate(Columns(output)), up(Columns(output));
  for (std::uint64_t row = 0; row < RowCount(output); ++row) {
    LoadRow(args.reads[0], row, gate.data());
    LoadRow(args.reads[1], row, up.data());
    for (std::uint64_t c = 0; c < gate.size(); ++c) {
      gate[c] = gate[c] / (1.0f + std::exp(-gate[c])) * up[c];
    }
    StoreRow(output, row, gate.data());
  }
  return PARITY_OK;
}

parity_status Argmax(const OpArgs& args) {
  const std::uint64_t columns = Columns(args.reads[0]);
  const std::int32_t* last_row = args.reads[1].As<std::int32_t>();
  std::int32_t* next = args.writes[0].As<std::int32_t>();
  for (std::uint64_t sequence = 0; sequence < args.writes[0].dims[0]; ++sequence) {
    const float* row =
        args.reads[0].As<float>() + static_cast<std::uint64_t>(last_row[sequence]) * columns;
    next[sequence] = static_cast<std::int32_t>(std::max_element(row, row + columns) - row);
  }
  return PARITY_OK;
}

}  // namespace parity::tiny::paged
