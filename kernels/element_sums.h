// The four sums over pairs of finite elements, as kernels/sums.h orders or rounds them.
#ifndef GTEST_PARITY_KERNELS_ELEMENT_SUMS_H_
#define GTEST_PARITY_KERNELS_ELEMENT_SUMS_H_

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "kernels/elements.h"
#include "kernels/stripe.h"
#include "kernels/sums.h"

namespace parity {

// Tiles in order, each begun and finished.
template <typename Format>
class OrderedSums {
 public:
  using Bits = typename Format::Bits;

  // Element `index` of the tile: the two values and their difference.
  void Add(std::uint32_t index, double difference, double a, double b) {
    const std::uint32_t lane = LaneOf(index, sizeof(Bits));
    lanes_.dd[lane] = AddProduct(lanes_.dd[lane], difference, difference);
    lanes_.aa[lane] = AddProduct(lanes_.aa[lane], a, a);
    lanes_.bb[lane] = AddProduct(lanes_.bb[lane], b, b);
    lanes_.ab[lane] = AddProduct(lanes_.ab[lane], a, b);
  }
  Lanes& lanes() { return lanes_; }

  void FinishTile() {
    dd_.Add(FoldLanes(lanes_.dd));
    aa_.Add(FoldLanes(lanes_.aa));
    bb_.Add(FoldLanes(lanes_.bb));
    ab_.Add(FoldLanes(lanes_.ab));
    lanes_ = {};
  }

  // A whole tile that both sides hold. False, with nothing added, where an element or the sum is
  // not finite.
  bool AddEqualTile(const unsigned char* tile, const unsigned char* same, std::uint32_t size) {
    alignas(16) double lanes[kLanes] = {};
    std::uint32_t i = 0;
    if constexpr (kHasStripes<Format>) {
      for (; i + Stripe<Format>::kElements <= size; i += Stripe<Format>::kElements) {
        Stripe<Format>::AddSquares(tile + i * sizeof(Bits), same + i * sizeof(Bits),
                                   kTileElements * sizeof(Bits), lanes);
      }
    }
    for (; i < size; ++i) {
      const auto value = static_cast<double>(Format::Decode(LoadBits<Format>(tile, i)));
      double& lane = lanes[LaneOf(i, sizeof(Bits))];
      lane = AddProduct(lane, value, value);
    }
    const double squares = FoldLanes(lanes);
    if (!std::isfinite(squares)) return false;
    dd_.Add(0);
    aa_.Add(squares);
    bb_.Add(squares);
    ab_.Add(squares);
    return true;
  }

  void Write(ElementStats* stats) const {
    stats->sum_dd = dd_.Total();
    stats->sum_aa = aa_.Total();
    stats->sum_bb = bb_.Total();
    stats->sum_ab = ab_.Total();
  }

 private:
  Lanes lanes_;
  TreeFold dd_, aa_, bb_, ab_;
};

template <typename Format>
class ExactSums {
 public:
  // `times` pairs of these two values.
  void Add(double difference, double a, double b, std::uint64_t times = 1) {
    const std::int64_t d = InUnits<Format>(difference);
    const std::int64_t x = InUnits<Format>(a), y = InUnits<Format>(b);
    dd_.Add(d, d, times);
    aa_.Add(x, x, times);
    bb_.Add(y, y, times);
    ab_.Add(x, y, times);
  }

  void Write(ElementStats* stats) const {
    stats->sum_dd = dd_.Total();
    stats->sum_aa = aa_.Total();
    stats->sum_bb = bb_.Total();
    stats->sum_ab = ab_.Total();
  }

 private:
  ExactSum<Format> dd_, aa_, bb_, ab_;
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_ELEMENT_SUMS_H_
