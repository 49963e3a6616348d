#include "suites/kv/continuation.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "kernels/rows.h"

namespace parity::kv {
namespace {

std::uint64_t ColumnsOf(const Generated& generated) {
  const std::uint64_t rows = generated.ids.size(), values = generated.logits.size();
  if (values == 0) return 0;
  if (rows == 0 || values % rows != 0) {
    throw std::invalid_argument(std::to_string(values) + " logits for " + std::to_string(rows) +
                                " ids: no whole rows");
  }
  return values / rows;
}

}  // namespace

bool SayTheSame(const Answer& cold, const Answer& warm) {
  const bool ids = cold.Tells("ids") && warm.Tells("ids");
  return cold.text == warm.text && cold.calls == warm.calls && (!ids || cold.ids == warm.ids);
}

Continuation CompareContinuations(const Generated& cold, const Generated& warm) {
  Continuation result;
  const auto apart =
      std::mismatch(cold.ids.begin(), cold.ids.end(), warm.ids.begin(), warm.ids.end());
  const auto same = static_cast<std::uint64_t>(apart.first - cold.ids.begin());
  result.ids = std::min(cold.ids.size(), warm.ids.size());
  if (same != std::max(cold.ids.size(), warm.ids.size())) result.first_apart = same;
  // An answer that ends at once has no rows.
  if (result.ids == 0) return result;
  const std::uint64_t columns = ColumnsOf(cold);
  if (columns != ColumnsOf(warm)) {
    throw std::invalid_argument("rows of " + std::to_string(columns) + " logits and of " +
                                std::to_string(ColumnsOf(warm)));
  }
  if (columns == 0) return result;
  result.rows = std::min(same + 1, result.ids);
  result.elements =
      CompareElements(DType::kF32, cold.logits.data(), warm.logits.data(), result.rows * columns);
  const auto rows = CompareRows(DType::kF32, static_cast<std::uint32_t>(columns), result.rows,
                                cold.logits.data(), warm.logits.data());
  for (std::uint64_t i = 0; i < rows.size(); ++i) {
    if (!(rows[i].kl > result.worst_kl)) continue;
    result.worst_kl = rows[i].kl;
    result.worst_row = i;
  }
  return result;
}

}  // namespace parity::kv
