// Rows of stored matrices as f32: where bf16 is widened and rounded.
#ifndef GTEST_PARITY_ENGINES_TINY_PAGED_ROWS_H_
#define GTEST_PARITY_ENGINES_TINY_PAGED_ROWS_H_

#include <cstdint>
#include <vector>

#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny::paged {

// A tensor is taken as rows of its last extent, all others laid end to end.
std::uint64_t Columns(const Operand& tensor);
std::uint64_t RowCount(const Operand& tensor);

// out: [columns].
void LoadRow(const Operand& tensor, std::uint64_t row, float* out);
// [rows * columns]
std::vector<float> LoadAll(const Operand& tensor);
// values: [columns]; to bf16 by rounding to nearest, ties to even, NaN staying NaN.
void StoreRow(const Operand& tensor, std::uint64_t row, const float* values);

}  // namespace parity::tiny::paged

#endif  // GTEST_PARITY_ENGINES_TINY_PAGED_ROWS_H_
