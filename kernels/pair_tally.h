// What pairs of elements come to, but for where they are and what they sum to.
#ifndef GTEST_PARITY_KERNELS_PAIR_TALLY_H_
#define GTEST_PARITY_KERNELS_PAIR_TALLY_H_

#include <algorithm>
#include <cstdint>

#include "kernels/elements.h"
#include "kernels/pairs.h"

namespace parity {

// How bad a pair that differs is: the worst index is the lowest of those with the largest.
struct Severity {
  bool one_sided_nan = false;
  std::uint64_t ulp = 0;
  friend auto operator<=>(const Severity&, const Severity&) = default;
};

// The two maxima of a pair of numbers.
template <typename Format>
void TallyDifference(typename Format::Bits x, typename Format::Bits y, ElementStats* stats) {
  const double difference = AbsoluteDifference<Format>(x, y);
  stats->max_abs = std::max(stats->max_abs, Narrow<Format>(difference));
  stats->max_rel = std::max(stats->max_rel, RelativeDifference<Format>(x, difference));
}

// Counts `times` pairs with these bits, which differ, and returns how bad one is.
template <typename Format>
Severity TallyDifferent(typename Format::Bits x, typename Format::Bits y, std::uint64_t times,
                        ElementStats* stats) {
  stats->different += times;
  const PairKind kind = KindOf<Format>(x, y);
  switch (kind) {
    case PairKind::kNanPayload:
      stats->nan_payload += times;
      return {};
    case PairKind::kNanOnlyReference:
      stats->nan_only_reference += times;
      return {true, 0};
    case PairKind::kNanOnlyCandidate:
      stats->nan_only_candidate += times;
      return {true, 0};
    case PairKind::kSignedZero:
      stats->signed_zero += times;
      break;
    case PairKind::kInfinityOnlyReference:
      stats->infinity_only_reference += times;
      break;
    case PairKind::kInfinityOnlyCandidate:
      stats->infinity_only_candidate += times;
      break;
    case PairKind::kInfinityOpposite:
      stats->infinity_opposite += times;
      break;
    case PairKind::kEqual:
    case PairKind::kNumeric:
      break;
  }
  const std::uint64_t ulp = UlpDistance<Format>(x, y);
  stats->ulp_histogram[static_cast<std::size_t>(BitWidth(ulp))] += times;
  stats->max_ulp = std::max(stats->max_ulp, ulp);
  if (kind == PairKind::kNumeric) TallyDifference<Format>(x, y, stats);
  return {false, ulp};
}

// Of elements that both sides hold.
template <typename Format>
void TallyEqual(typename Format::Bits bits, std::uint64_t times, ElementStats* stats) {
  if (!Format::IsNan(bits)) stats->ulp_histogram[0] += times;
}

// Where the first and the worst difference are. Indices come in ascending order.
class WorstPlace {
 public:
  void Add(const Severity& severity, std::uint64_t index) {
    if (first_ == ElementStats::kNoIndex) {
      first_ = index;
    } else if (!(worst_ < severity)) {
      return;
    }
    worst_ = severity;
    worst_index_ = index;
  }
  bool None() const { return first_ == ElementStats::kNoIndex; }

  void Write(ElementStats* stats) const {
    stats->first_index = first_;
    stats->worst_index = worst_index_;
  }

 private:
  std::uint64_t first_ = ElementStats::kNoIndex, worst_index_ = ElementStats::kNoIndex;
  Severity worst_;
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_PAIR_TALLY_H_
