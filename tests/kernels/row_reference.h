// CompareRows once more: sorted rows, and softmax in long double.
#ifndef GTEST_PARITY_TESTS_KERNELS_ROW_REFERENCE_H_
#define GTEST_PARITY_TESTS_KERNELS_ROW_REFERENCE_H_

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "kernels/rows.h"

namespace parity {

using Logits = std::vector<long double>;

inline std::vector<std::uint32_t> SortedColumns(const Logits& row) {
  std::vector<std::uint32_t> columns(row.size());
  std::iota(columns.begin(), columns.end(), 0);
  std::stable_sort(columns.begin(), columns.end(), [&](std::uint32_t p, std::uint32_t q) {
    if (std::isnan(row[p]) || std::isnan(row[q])) return !std::isnan(row[p]);
    return row[p] > row[q];
  });
  return columns;
}

// Log-probabilities; -inf for a column without. NaN counts as masked.
inline Logits LogSoftmax(const Logits& row) {
  const long double infinity = HUGE_VALL;
  Logits result(row.size(), -infinity);
  long double peak = -infinity, sum = 0;
  for (const long double x : row) peak = std::isnan(x) ? peak : std::max(peak, x);
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (std::isnan(row[i]) || row[i] == -infinity) continue;
    result[i] = row[i] == peak ? 0 : row[i] - peak;
    sum += std::exp(result[i]);
  }
  for (long double& x : result) x -= sum == 0 ? 0 : std::log(sum);
  return result;
}

inline long double ReferenceKl(const Logits& p_row, const Logits& q_row) {
  const Logits p = LogSoftmax(p_row), q = LogSoftmax(q_row);
  long double sum = 0;
  bool p_empty = true, q_empty = true;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (std::isnan(p_row[i]) != std::isnan(q_row[i])) return HUGE_VALL;
    p_empty &= p[i] == -HUGE_VALL;
    q_empty &= q[i] == -HUGE_VALL;
    if (std::exp(static_cast<double>(p[i])) == 0) continue;
    sum += q[i] == -HUGE_VALL ? HUGE_VALL : std::exp(p[i]) * (p[i] - q[i]);
  }
  return p_empty == q_empty ? std::max(sum, 0.0L) : HUGE_VALL;
}

inline RowStats ReferenceRow(const Logits& a, const Logits& b) {
  const std::vector<std::uint32_t> order_a = SortedColumns(a), order_b = SortedColumns(b);
  RowStats stats;
  stats.argmax_reference = order_a[0];
  stats.argmax_candidate = order_b[0];
  const auto place = std::find(order_b.begin(), order_b.end(), order_a[0]);
  stats.rank = static_cast<std::uint32_t>(place - order_b.begin()) + 1;
  const std::size_t k = std::min<std::size_t>(20, a.size());
  for (std::size_t i = 0; i < k; ++i) {
    const auto end = order_b.begin() + static_cast<std::ptrdiff_t>(k);
    stats.top_overlap += std::find(order_b.begin(), end, order_a[i]) != end ? 1 : 0;
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    stats.mask_mismatch += (a[i] == -HUGE_VALL) != (b[i] == -HUGE_VALL) ? 1 : 0;
    stats.nan_reference += std::isnan(a[i]) ? 1 : 0;
    stats.nan_candidate += std::isnan(b[i]) ? 1 : 0;
  }
  stats.kl = static_cast<double>(ReferenceKl(a, b));
  stats.kl_reverse = static_cast<double>(ReferenceKl(b, a));
  return stats;
}

}  // namespace parity

#endif  // GTEST_PARITY_TESTS_KERNELS_ROW_REFERENCE_H_
