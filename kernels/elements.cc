#include "kernels/elements.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/dispatch.h"
#include "kernels/pairs.h"
#include "kernels/sums.h"

namespace parity {
namespace {

// The four sums as kernels/sums.h orders them, a tile at a time.
template <typename Format>
class OrderedSums {
 public:
  // Element `index` of the tile: the two values and their difference.
  void Add(std::uint32_t index, double difference, double a, double b) {
    const std::uint32_t lane = LaneOf(index, sizeof(typename Format::Bits));
    dd_lanes_[lane] = AddProduct(dd_lanes_[lane], difference, difference);
    aa_lanes_[lane] = AddProduct(aa_lanes_[lane], a, a);
    bb_lanes_[lane] = AddProduct(bb_lanes_[lane], b, b);
    ab_lanes_[lane] = AddProduct(ab_lanes_[lane], a, b);
  }
  void FinishTile() {
    dd_.Add(FoldLanes(dd_lanes_));
    aa_.Add(FoldLanes(aa_lanes_));
    bb_.Add(FoldLanes(bb_lanes_));
    ab_.Add(FoldLanes(ab_lanes_));
    for (double* lanes : {dd_lanes_, aa_lanes_, bb_lanes_, ab_lanes_}) {
      std::fill(lanes, lanes + kLanes, 0.0);
    }
  }
  void Write(ElementStats* stats) const {
    stats->sum_dd = dd_.Total();
    stats->sum_aa = aa_.Total();
    stats->sum_bb = bb_.Total();
    stats->sum_ab = ab_.Total();
  }

 private:
  double dd_lanes_[kLanes] = {}, aa_lanes_[kLanes] = {}, bb_lanes_[kLanes] = {},
         ab_lanes_[kLanes] = {};
  TreeFold dd_, aa_, bb_, ab_;
};

template <typename Format>
class ExactSums {
 public:
  void Add(std::uint32_t, double difference, double a, double b) {
    const std::int64_t d = InUnits<Format>(difference);
    const std::int64_t x = InUnits<Format>(a), y = InUnits<Format>(b);
    dd_.Add(d, d);
    aa_.Add(x, x);
    bb_.Add(y, y);
    ab_.Add(x, y);
  }
  void FinishTile() {}
  void Write(ElementStats* stats) const {
    stats->sum_dd = dd_.Total();
    stats->sum_aa = aa_.Total();
    stats->sum_bb = bb_.Total();
    stats->sum_ab = ab_.Total();
  }

 private:
  ExactSum<Format> dd_, aa_, bb_, ab_;
};

// Compares one array, a tile at a time.
template <typename Format>
class ElementComparer {
 public:
  using Bits = typename Format::Bits;

  ElementComparer(const void* reference, const void* candidate)
      : a_(static_cast<const unsigned char*>(reference)),
        b_(static_cast<const unsigned char*>(candidate)) {}

  ElementStats Compare(std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t begin = 0; begin < count; begin += kTileElements) {
      AddTile(first, begin, std::min<std::uint64_t>(kTileElements, count - begin));
    }
    stats_.compared = count;
    sums_.Write(&stats_);
    return stats_;
  }

 private:
  void AddTile(std::uint64_t first, std::uint64_t begin, std::uint64_t size) {
    for (std::uint32_t i = 0; i < size; ++i) {
      const Bits x = LoadBits<Format>(a_, first + begin + i);
      const Bits y = LoadBits<Format>(b_, first + begin + i);
      if (x != y) {
        AddDifferent(x, y, begin + i);
      } else if (!Format::IsNan(x)) {
        ++stats_.ulp_histogram[0];
      }
      if (Format::IsFinite(x) && Format::IsFinite(y)) {
        sums_.Add(i, AbsoluteDifference<Format>(x, y), static_cast<double>(Format::Decode(x)),
                  static_cast<double>(Format::Decode(y)));
      }
    }
    sums_.FinishTile();
  }

  void AddDifferent(Bits x, Bits y, std::uint64_t index) {
    ++stats_.different;
    stats_.first_index = std::min(stats_.first_index, index);
    switch (KindOf<Format>(x, y)) {
      case PairKind::kEqual:
        break;
      case PairKind::kNanPayload:
        ++stats_.nan_payload;
        AddWorst(0, index);
        break;
      case PairKind::kNanOnlyReference:
        ++stats_.nan_only_reference;
        AddOneSidedNan(index);
        break;
      case PairKind::kNanOnlyCandidate:
        ++stats_.nan_only_candidate;
        AddOneSidedNan(index);
        break;
      case PairKind::kSignedZero:
        ++stats_.signed_zero;
        AddDistance(x, y, index);
        break;
      case PairKind::kInfinityOnlyReference:
        ++stats_.infinity_only_reference;
        AddDistance(x, y, index);
        break;
      case PairKind::kInfinityOnlyCandidate:
        ++stats_.infinity_only_candidate;
        AddDistance(x, y, index);
        break;
      case PairKind::kInfinityOpposite:
        ++stats_.infinity_opposite;
        AddDistance(x, y, index);
        break;
      case PairKind::kNumeric:
        AddDistance(x, y, index);
        AddDifference(x, y);
        break;
    }
  }

  void AddDifference(Bits x, Bits y) {
    const double difference = AbsoluteDifference<Format>(x, y);
    stats_.max_abs = std::max(stats_.max_abs, Narrow<Format>(difference));
    stats_.max_rel = std::max(stats_.max_rel, RelativeDifference<Format>(x, difference));
  }

  void AddDistance(Bits x, Bits y, std::uint64_t index) {
    const std::uint64_t ulp = UlpDistance<Format>(x, y);
    ++stats_.ulp_histogram[BitWidth(ulp)];
    AddWorst(ulp, index);
  }

  // Indices come in ascending order, so only a larger distance displaces the worst one.
  void AddWorst(std::uint64_t ulp, std::uint64_t index) {
    const bool first = stats_.worst_index == ElementStats::kNoIndex;
    if (!one_sided_nan_ && (first || ulp > stats_.max_ulp)) stats_.worst_index = index;
    stats_.max_ulp = std::max(stats_.max_ulp, ulp);
  }

  void AddOneSidedNan(std::uint64_t index) {
    if (!one_sided_nan_) stats_.worst_index = index;
    one_sided_nan_ = true;
  }

  const unsigned char* a_;
  const unsigned char* b_;
  ElementStats stats_;
  bool one_sided_nan_ = false;
  std::conditional_t<kHasExactSums<Format>, ExactSums<Format>, OrderedSums<Format>> sums_;
};

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
  if (dtype == DType::kBytes) {
    return CompareBytes(static_cast<const unsigned char*>(reference) + first,
                        static_cast<const unsigned char*>(candidate) + first, count);
  }
  return VisitNumericFormat(dtype, "CompareElements", [&]<typename Format>(Format) {
    return ElementComparer<Format>(reference, candidate).Compare(first, count);
  });
}

}  // namespace parity
