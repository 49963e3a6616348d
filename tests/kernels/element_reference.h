// CompareElements once more, one element at a time in long double.
#ifndef GTEST_PARITY_TESTS_KERNELS_ELEMENT_REFERENCE_H_
#define GTEST_PARITY_TESTS_KERNELS_ELEMENT_REFERENCE_H_

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include "kernels/elements.h"
#include "tests/kernels/reference.h"

namespace parity {

// Of an array of products, one per element, as kernels/sums.h orders them.
class OrderedSum {
 public:
  explicit OrderedSum(DType dtype) : dtype_(dtype) {}

  void Add(double x, double y) {
    addends_.push_back(x * y);
    narrow_.push_back(static_cast<float>(x) * static_cast<float>(y));
  }

  // What a lane's run comes to, if it is not to be added one by one.
  using Narrow = std::function<std::optional<double>(std::size_t run, std::size_t lane)>;

  double Total(const Narrow& narrow) const {
    if (addends_.empty()) return 0;
    if (BitsOf(dtype_) <= 8 && dtype_ != DType::kE8M0) {
      __extension__ __float128 exact = 0;  // 113 bits hold what the tests add up
      for (const double addend : addends_) exact += addend;
      return static_cast<double>(exact);
    }
    std::size_t span = 4096;
    while (span < addends_.size()) span *= 2;
    return Node(0, span, narrow);
  }

  // Of one lane in one run of 1024 elements, in f32.
  float NarrowSum(std::size_t run, std::size_t lane, float begin) const {
    float sum = begin;
    ForEach(run * 1024, 1024, lane, [&](std::size_t i) { sum += narrow_[i]; });
    return sum;
  }

 private:
  template <typename Visit>
  void ForEach(std::size_t begin, std::size_t count, std::size_t lane, Visit visit) const {
    for (std::size_t i = begin; i < std::min(begin + count, addends_.size()); ++i) {
      if (BytesOf(dtype_, i % 4096) / 16 % 32 == lane) visit(i);
    }
  }

  double Node(std::size_t begin, std::size_t span, const Narrow& narrow) const {
    if (span == 4096) return Tile(begin, narrow);
    const double left = Node(begin, span / 2, narrow);
    const std::size_t middle = begin + span / 2;
    return middle < addends_.size() ? left + Node(middle, span / 2, narrow) : left;
  }

  double Tile(std::size_t begin, const Narrow& narrow) const {
    std::vector<double> lanes(32);
    for (std::size_t lane = 0; lane < 32; ++lane) {
      for (std::size_t run = begin / 1024; run < begin / 1024 + 4; ++run) {
        if (const std::optional<double> sum = narrow(run, lane)) {
          lanes[lane] += *sum;
        } else {
          ForEach(run * 1024, 1024, lane, [&](std::size_t i) { lanes[lane] += addends_[i]; });
        }
      }
    }
    while (lanes.size() > 1) {
      const std::size_t half = lanes.size() / 2;
      for (std::size_t i = 0; i < half; ++i) lanes[i] += lanes[half + i];
      lanes.resize(half);
    }
    return lanes[0];
  }

  DType dtype_;
  std::vector<double> addends_;
  std::vector<float> narrow_;
};

class ElementReference {
 public:
  explicit ElementReference(DType dtype)
      : dtype_(dtype), dd_(dtype), aa_(dtype), bb_(dtype), ab_(dtype) {}

  ElementStats Compare(const unsigned char* a, const unsigned char* b, std::uint64_t count,
                       std::uint64_t first = 0) {
    for (std::uint64_t i = 0; i < count; ++i) {
      AddElement(i, BitsAt(dtype_, a, first + i), BitsAt(dtype_, b, first + i));
    }
    stats_.compared = count;
    stats_.sum_dd = dd_.Total(OfRuns([](float dd, float, float) { return double{dd}; }));
    stats_.sum_aa = aa_.Total(OfRuns([](float, float aa, float) { return double{aa}; }));
    stats_.sum_bb = bb_.Total(OfRuns([](float, float, float bb) { return double{bb}; }));
    stats_.sum_ab = ab_.Total(OfRuns(
        [](float dd, float aa, float bb) { return (double{aa} + double{bb} - double{dd}) / 2; }));
    return stats_;
  }

 private:
  // What a run comes to, by its three sums in f32, if it holds.
  OrderedSum::Narrow OfRuns(double (*of)(float dd, float aa, float bb)) const {
    return [this, of](std::size_t run, std::size_t lane) -> std::optional<double> {
      if (dtype_ != DType::kF16 && dtype_ != DType::kBF16) return std::nullopt;
      const float begin = std::ldexp(1.0f, -108);
      const float dd = dd_.NarrowSum(run, lane, 0), aa = aa_.NarrowSum(run, lane, begin),
                  bb = bb_.NarrowSum(run, lane, begin);
      const float least = std::ldexp(1.0f, -80), most = std::ldexp(1.0f, 120);
      const bool in_range = std::min(aa, bb) >= least && std::max(aa, bb) <= most;
      if (!in_range || aa > 256 * bb || bb > 256 * aa) return std::nullopt;
      return of(dd, aa, bb);
    };
  }

  void AddElement(std::uint64_t index, std::uint64_t x, std::uint64_t y) {
    const long double a = ValueOf(dtype_, x), b = ValueOf(dtype_, y);
    const bool nan = std::isnan(a) || std::isnan(b);
    const std::uint64_t ulp = nan ? 0 : Distance(x, y);
    if (x != y) AddDifferent(index, a, b, ulp);
    if (dtype_ == DType::kBytes) return;
    if (!nan) ++stats_.ulp_histogram[BinOf(ulp)];
    const bool finite = std::isfinite(a) && std::isfinite(b);
    const double difference = finite ? Difference(a, b) : 0;
    const double first = finite ? static_cast<double>(a) : 0;
    const double second = finite ? static_cast<double>(b) : 0;
    if (x != y && finite && a != b) AddMaxima(a, difference);
    dd_.Add(difference, difference);
    aa_.Add(first, first);
    bb_.Add(second, second);
    ab_.Add(first, second);
  }

  void AddDifferent(std::uint64_t index, long double a, long double b, std::uint64_t ulp) {
    ++stats_.different;
    if (stats_.different == 1) stats_.first_index = index;
    if (dtype_ == DType::kBytes) {
      stats_.worst_index = stats_.first_index;
      return;
    }
    const bool one_sided = std::isnan(a) != std::isnan(b);
    const long double severity = one_sided ? 0x1p65L : static_cast<long double>(ulp);
    if (severity > worst_) {
      worst_ = severity;
      stats_.worst_index = index;
    }
    stats_.max_ulp = std::max(stats_.max_ulp, ulp);
    if (std::isnan(a) && std::isnan(b)) ++stats_.nan_payload;
    if (std::isnan(a) && !std::isnan(b)) ++stats_.nan_only_reference;
    if (!std::isnan(a) && std::isnan(b)) ++stats_.nan_only_candidate;
    if (a == b) ++stats_.signed_zero;
    if (std::isnan(a) || std::isnan(b)) return;
    if (std::isinf(a) && !std::isinf(b)) ++stats_.infinity_only_reference;
    if (!std::isinf(a) && std::isinf(b)) ++stats_.infinity_only_candidate;
    if (std::isinf(a) && std::isinf(b)) ++stats_.infinity_opposite;
  }

  bool Narrow() const { return BitsOf(dtype_) <= 32; }

  double Difference(long double a, long double b) const {
    if (IsFloat(dtype_) && Narrow())
      return std::fabs(static_cast<float>(a) - static_cast<float>(b));
    if (IsFloat(dtype_)) return std::fabs(static_cast<double>(a) - static_cast<double>(b));
    return static_cast<double>(std::fabs(a - b));
  }

  void AddMaxima(long double a, double difference) {
    const double narrow = Narrow() ? static_cast<float>(difference) : difference;
    const double magnitude =
        Narrow() ? std::fabs(static_cast<float>(a)) : std::fabs(static_cast<double>(a));
    const double quotient = narrow / std::max(magnitude, std::ldexp(1.0, -20));
    float relative = static_cast<float>(quotient);
    if (relative < quotient) relative = std::nextafter(relative, HUGE_VALF);
    stats_.max_abs = std::max(stats_.max_abs, narrow);
    stats_.max_rel = std::max(stats_.max_rel, relative);
  }

  std::uint64_t Distance(std::uint64_t x, std::uint64_t y) const {
    if (!IsFloat(dtype_)) {
      return static_cast<std::uint64_t>(std::fabs(ValueOf(dtype_, x) - ValueOf(dtype_, y)));
    }
    const std::uint64_t sign = SignBitOf(dtype_);
    const std::uint64_t steps_x = x & (sign - 1), steps_y = y & (sign - 1);
    if ((x & sign) != (y & sign)) return steps_x + steps_y;
    return steps_x > steps_y ? steps_x - steps_y : steps_y - steps_x;
  }

  static std::size_t BinOf(std::uint64_t ulp) {
    std::size_t bin = 0;
    for (; ulp != 0; ulp >>= 1) ++bin;
    return bin;
  }

  DType dtype_;
  ElementStats stats_;
  long double worst_ = -1;
  OrderedSum dd_, aa_, bb_, ab_;
};

}  // namespace parity

#endif  // GTEST_PARITY_TESTS_KERNELS_ELEMENT_REFERENCE_H_
