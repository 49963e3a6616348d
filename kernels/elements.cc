#include "kernels/elements.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/dispatch.h"
#include "kernels/element_comparer.h"
#include "kernels/pair_counts.h"

namespace parity {
namespace {

ElementStats CompareBytes(const unsigned char* a, const unsigned char* b, std::uint64_t count) {
  ElementStats stats;
  stats.compared = count;
  for (std::uint64_t begin = 0; begin < count; begin += kTileElements) {
    const std::uint64_t end = std::min(begin + kTileElements, count);
    if (std::memcmp(a + begin, b + begin, end - begin) == 0) continue;
    for (std::uint64_t i = begin; i < end; ++i) {
      if (a[i] == b[i]) continue;
      ++stats.different;
      stats.first_index = std::min(stats.first_index, i);
    }
  }
  stats.worst_index = stats.first_index;
  return stats;
}

// What decides which of two worst indices stays; the larger, and of equals the lower index.
bool OneSidedNan(const ElementStats& stats) {
  return stats.nan_only_reference + stats.nan_only_candidate != 0;
}

std::uint64_t WorstUlp(const ElementStats& stats) { return OneSidedNan(stats) ? 0 : stats.max_ulp; }

}  // namespace

double ElementStats::Nrmse() const {
  if (sum_dd == 0) return 0;
  if (sum_aa == 0 || !std::isfinite(sum_dd) || !std::isfinite(sum_aa)) return HUGE_VAL;
  return std::sqrt(sum_dd / sum_aa);
}

double ElementStats::Cosine() const {
  if (sum_aa == 0 || sum_bb == 0) return sum_aa == sum_bb ? 1 : 0;
  if (!std::isfinite(sum_aa) || !std::isfinite(sum_bb) || !std::isfinite(sum_ab)) return NAN;
  if (sum_aa == sum_ab && sum_bb == sum_ab) return 1;  // roots may round away from it
  return std::clamp(sum_ab / std::sqrt(sum_aa) / std::sqrt(sum_bb), -1.0, 1.0);
}

void ElementStats::Merge(const ElementStats& other, std::uint64_t offset) {
  if (other.different != 0) {
    const std::uint64_t worst = other.worst_index + offset;
    const bool nan = OneSidedNan(*this), other_nan = OneSidedNan(other);
    const std::uint64_t ulp = WorstUlp(*this), other_ulp = WorstUlp(other);
    if (different == 0 || other_nan > nan || (other_nan == nan && other_ulp > ulp)) {
      worst_index = worst;
    } else if (other_nan == nan && other_ulp == ulp) {
      worst_index = std::min(worst_index, worst);
    }
    first_index = std::min(first_index, other.first_index + offset);
  }
  compared += other.compared;
  different += other.different;
  signed_zero += other.signed_zero;
  nan_payload += other.nan_payload;
  nan_only_reference += other.nan_only_reference;
  nan_only_candidate += other.nan_only_candidate;
  infinity_only_reference += other.infinity_only_reference;
  infinity_only_candidate += other.infinity_only_candidate;
  infinity_opposite += other.infinity_opposite;
  max_abs = std::max(max_abs, other.max_abs);
  max_rel = std::max(max_rel, other.max_rel);
  max_ulp = std::max(max_ulp, other.max_ulp);
  for (std::size_t i = 0; i < ulp_histogram.size(); ++i) {
    ulp_histogram[i] += other.ulp_histogram[i];
  }
  sum_dd += other.sum_dd;
  sum_aa += other.sum_aa;
  sum_bb += other.sum_bb;
  sum_ab += other.sum_ab;
}

ElementStats CompareElements(DType dtype, const void* reference, const void* candidate,
                             std::uint64_t count, std::uint64_t first) {
  const auto* a = static_cast<const unsigned char*>(reference);
  const auto* b = static_cast<const unsigned char*>(candidate);
  if (dtype == DType::kBytes) return CompareBytes(a + first, b + first, count);
  return VisitNumericFormat(dtype, "CompareElements", [&]<typename Format>(Format) {
    if constexpr (kHasExactSums<Format>) {
      return PairCounts<Format>(a, b, first, count).Compare();
    } else {
      const std::uint64_t offset = first * sizeof(typename Format::Bits);
      return ElementComparer<Format>(a + offset, b + offset).Compare(count);
    }
  });
}

}  // namespace parity
