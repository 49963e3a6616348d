#include "kernels/elements.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/dispatch.h"
#include "kernels/pairs.h"
#include "kernels/sums.h"

namespace parity {
namespace {

struct Lanes {
  double dd[kLanes] = {}, aa[kLanes] = {}, bb[kLanes] = {}, ab[kLanes] = {};
};

// Compares one array, a tile at a time.
template <typename Format>
class ElementComparer {
 public:
  using Bits = typename Format::Bits;

  ElementComparer(const void* reference, const void* candidate)
      : a_(static_cast<const unsigned char*>(reference)),
        b_(static_cast<const unsigned char*>(candidate)) {}

  ElementStats Compare(std::uint64_t count) {
    for (std::uint64_t begin = 0; begin < count; begin += kTileElements) {
      const auto size =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(kTileElements, count - begin));
      const unsigned char* a = a_ + begin * sizeof(Bits);
      const unsigned char* b = b_ + begin * sizeof(Bits);
      if (std::memcmp(a, b, size * sizeof(Bits)) != 0 || !AddEqualTile(a, size)) {
        AddTile(a, b, begin, size);
      }
    }
    stats_.compared = count;
    stats_.sum_dd = dd_.Total();
    stats_.sum_aa = aa_.Total();
    stats_.sum_bb = bb_.Total();
    stats_.sum_ab = ab_.Total();
    return stats_;
  }

 private:
  // Both sides hold `tile`. False, with nothing added, where an element or a square is not finite.
  bool AddEqualTile(const unsigned char* tile, std::uint32_t size) {
    constexpr std::uint32_t kPerLoad = ElementsPerLoad(sizeof(Bits));
    double lanes[kLanes] = {};
    for (std::uint32_t i = 0; i < size; i += kPerLoad) {
      const std::uint32_t end = std::min(i + kPerLoad, size);
      double sum = lanes[LaneOf(i, sizeof(Bits))];
      for (std::uint32_t k = i; k < end; ++k) {
        const auto value = static_cast<double>(Format::Decode(LoadElement<Bits>(tile, k)));
        sum = AddProduct(sum, value, value);
      }
      lanes[LaneOf(i, sizeof(Bits))] = sum;
    }
    const double squares = FoldLanes(lanes);
    if (!std::isfinite(squares)) return false;
    stats_.ulp_histogram[0] += size;
    dd_.Add(0);
    aa_.Add(squares);
    bb_.Add(squares);
    ab_.Add(squares);
    return true;
  }

  void AddTile(const unsigned char* a, const unsigned char* b, std::uint64_t begin,
               std::uint32_t size) {
    Lanes lanes;
    for (std::uint32_t i = 0; i < size; ++i) {
      const Bits x = LoadElement<Bits>(a, i), y = LoadElement<Bits>(b, i);
      if (x != y) {
        AddDifferent(x, y, begin + i);
      } else if (!Format::IsNan(x)) {
        ++stats_.ulp_histogram[0];
      }
      if (Format::IsFinite(x) && Format::IsFinite(y)) {
        AddProducts(x, y, LaneOf(i, sizeof(Bits)), &lanes);
      }
    }
    dd_.Add(FoldLanes(lanes.dd));
    aa_.Add(FoldLanes(lanes.aa));
    bb_.Add(FoldLanes(lanes.bb));
    ab_.Add(FoldLanes(lanes.ab));
  }

  static void AddProducts(Bits x, Bits y, std::uint32_t lane, Lanes* lanes) {
    const double difference = AbsoluteDifference<Format>(x, y);
    const auto a = static_cast<double>(Format::Decode(x));
    const auto b = static_cast<double>(Format::Decode(y));
    lanes->dd[lane] = AddProduct(lanes->dd[lane], difference, difference);
    lanes->aa[lane] = AddProduct(lanes->aa[lane], a, a);
    lanes->bb[lane] = AddProduct(lanes->bb[lane], b, b);
    lanes->ab[lane] = AddProduct(lanes->ab[lane], a, b);
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
  TileFold<Format> dd_, aa_, bb_, ab_;
};

ElementStats CompareBytes(const void* reference, const void* candidate, std::uint64_t count) {
  ElementStats stats;
  stats.compared = count;
  const auto* a = static_cast<const unsigned char*>(reference);
  const auto* b = static_cast<const unsigned char*>(candidate);
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
                             std::uint64_t count) {
  if (dtype == DType::kBytes) return CompareBytes(reference, candidate, count);
  return VisitNumericFormat(dtype, "CompareElements", [&]<typename Format>(Format) {
    return ElementComparer<Format>(reference, candidate).Compare(count);
  });
}

}  // namespace parity
