#include "gtest_parity/engines/tiny/paged/dot.h"
#include "gtest_parity/engines/tiny/paged/ops.h"
#include "gtest_parity/engines/tiny/paged/rows.h"

namespace parity::tiny::paged {

parity_status Linear(const OpArgs& args) {
  const Operand& input = args.reads[0];
  const Operand& weight = args.reads[1];
  const Operand& output = args.writes[0];
  const std::uint64_t rows = RowCount(input);
  const std::uint64_t width = Columns(input);
  const std::uint64_t outputs = Columns(output);
  const std::vector<float> x = LoadAll(input);
  std::vector<float> w(width);
  std::vector<float> y(rows * outputs);
  for (std::uint64_t o = 0; o < outputs; ++o) {
    LoadRow(weight, o, w.data());  // widened once for all rows
    for (std::uint64_t row = 0; row < rows; ++row) {
      y[row * outputs + o] = Dot(x.data() + row * width, w.data(), width, args.lane_order);
    }
  }
  for (std::uint64_t row = 0; row < rows; ++row) StoreRow(output, row, y.data() + row * outputs);
  return PARITY_OK;
}

}  // namespace parity::tiny::paged
