#include <algorithm>
#include <vector>

#include "gtest_parity/engines/tiny/contiguous/numbers.h"
#include "gtest_parity/engines/tiny/contiguous/ops.h"

namespace parity::tiny::contiguous {
namespace {

// x [rows, depth], weight bf16 [outputs, depth]; writes [rows, outputs].
void Multiply(const std::vector<float>& x, std::uint64_t rows, const Operand& weight,
              const Operand& out) {
  const std::uint64_t outputs = weight.dims[0], depth = weight.dims[1];
  const Cells weights(weight), results(out);
  std::vector<float> column(depth);
  for (std::uint64_t output = 0; output < outputs; ++output) {
    weights.Read(output * depth, depth, column.data());
    for (std::uint64_t row = 0; row < rows; ++row) {
      results.Put(row * outputs + output, Dot(x.data() + row * depth, column.data(), depth));
    }
  }
}

}  // namespace

parity_status Project(const OpArgs& args) {
  const Operand& x = args.reads[0];
  Multiply(Cells(x).Read(0, x.Elements()), x.dims[0], args.reads[1], args.writes[0]);
  return PARITY_OK;
}

parity_status ProjectHeads(const OpArgs& args) {
  const Operand& attn = args.reads[0];
  const std::uint64_t heads = attn.dims[0], rows = attn.dims[1], head_dim = attn.dims[2];
  const Cells cells(attn);
  std::vector<float> x(attn.Elements());
  for (std::uint64_t head = 0; head < heads; ++head) {
    for (std::uint64_t row = 0; row < rows; ++row) {
      cells.Read((head * rows + row) * head_dim, head_dim,
                 x.data() + (row * heads + head) * head_dim);
    }
  }
  Multiply(x, rows, args.reads[1], args.writes[0]);
  return PARITY_OK;
}

}  // namespace parity::tiny::contiguous
