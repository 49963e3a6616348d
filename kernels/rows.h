// How two rows of logits differ as distributions over the next token.
#ifndef GTEST_PARITY_KERNELS_ROWS_H_
#define GTEST_PARITY_KERNELS_ROWS_H_

#include <cstdint>
#include <vector>

#include "kernels/dtype.h"

namespace parity {

// One row; `a` is the reference, `b` the candidate. Probabilities are softmax over the row.
struct RowStats {
  std::uint32_t argmax_reference = 0;  // of the order: value, then lowest index; NaN is lowest
  std::uint32_t argmax_candidate = 0;
  // Reference's best minus its second best, in logits. 0 for a tie; infinite where there is no
  // second, or it is NaN.
  double margin = 0;
  double kl = 0;                    // sum p_a (log p_a - log p_b), nats, >= 0
  double kl_reverse = 0;            // sum p_b (log p_b - log p_a), nats, >= 0
  std::uint32_t rank = 0;           // place of argmax_reference in the candidate's order, from 1
  std::uint32_t top_overlap = 0;    // |top-k of a, top-k of b|, k = min(20, columns)
  std::uint32_t mask_mismatch = 0;  // columns that are -inf on one side only
  std::uint32_t nan_reference = 0, nan_candidate = 0;
  bool identical = false;  // every bit of the row

  bool Flip() const { return argmax_reference != argmax_candidate; }
};

// Rows of `columns` logits each, one after another without gaps; neither pointer need be aligned.
// Throws std::invalid_argument where the dtype is not floating or a row has no column.
//
// Divergences: 0 log 0 = 0. A column that is -inf on both sides, or NaN on both, is masked and
// leaves both distributions; NaN on one side only makes both infinite. -inf on one side is
// probability 0 there: the divergence from the side that has some is infinite, the reverse is not.
// Two rows masked everywhere diverge by 0, one and any other by infinity. In a row with +inf all
// probability lies on those columns, in equal parts. Rows with the same bits diverge by exactly 0.
// kernels/row_order.h and kernels/divergence.h define the order and the formula.
std::vector<RowStats> CompareRows(DType dtype, std::uint32_t columns, std::uint64_t rows,
                                  const void* reference, const void* candidate);

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_ROWS_H_
