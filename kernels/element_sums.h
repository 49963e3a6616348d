// The four sums over pairs of finite elements, as kernels/sums.h orders or rounds them.
#ifndef GTEST_PARITY_KERNELS_ELEMENT_SUMS_H_
#define GTEST_PARITY_KERNELS_ELEMENT_SUMS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "kernels/elements.h"
#include "kernels/stripe.h"
#include "kernels/sums.h"

namespace parity {

// Tiles in order, each begun and finished, a run at a time where the format has them.
template <typename Format>
class OrderedSums {
 public:
  using Bits = typename Format::Bits;
  using Sum = std::conditional_t<kHasRuns<Format>, float, double>;
  static constexpr std::uint32_t kRun = kHasRuns<Format> ? kRunElements : kTileElements;

  // Element `index` of the tile: the two values and their difference.
  void Add(std::uint32_t index, double difference, double a, double b) {
    Add(LaneOf(index, sizeof(Bits)), static_cast<Sum>(difference), static_cast<Sum>(a),
        static_cast<Sum>(b), &run_);
  }
  Lanes<Sum>& run() { return run_; }

  // What was added is the first `size` elements of a run that lies at `a` and `b`.
  void FinishRun(const unsigned char* a, const unsigned char* b, std::uint32_t size) {
    if constexpr (kHasRuns<Format>) {
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        if (RunHolds(run_.aa[lane], run_.bb[lane])) {
          AddRun(lane);
        } else {
          AddEach(lane, a, b, size);
        }
      }
      run_ = EmptyRun();
    }
  }

  void FinishTile() {
    Lanes<double>& lanes = TileLanes();
    dd_.Add(FoldLanes(lanes.dd));
    aa_.Add(FoldLanes(lanes.aa));
    bb_.Add(FoldLanes(lanes.bb));
    ab_.Add(FoldLanes(lanes.ab));
    lanes = {};
  }

  // A whole tile that both sides hold. False, with nothing added, where an element or the sum is
  // not finite, or a run does not hold.
  bool AddEqualTile(const unsigned char* tile, const unsigned char* same, std::uint32_t size) {
    alignas(16) double lanes[kLanes] = {};
    for (std::uint32_t i = 0; i < size; i += kRun) {
      const std::uint32_t here = std::min(kRun, size - i);
      Lanes<Sum> run = EmptyRun();
      AddRunSquares(tile + i * sizeof(Bits), same + i * sizeof(Bits), here, run.aa);
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        if constexpr (kHasRuns<Format>) {
          if (!RunHolds(run.aa[lane], run.aa[lane])) {
            const bool zeros = run.aa[lane] == kRunBegin &&  // so is what vanishes beside it
                               AnyBits(lane, tile + i * sizeof(Bits), here) == 0;
            if (!zeros) return false;
            continue;
          }
        }
        lanes[lane] += static_cast<double>(run.aa[lane]);
      }
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
  template <typename T>
  static void Add(std::uint32_t lane, T difference, T a, T b, Lanes<T>* lanes) {
    lanes->dd[lane] = AddProduct(lanes->dd[lane], difference, difference);
    lanes->aa[lane] = AddProduct(lanes->aa[lane], a, a);
    lanes->bb[lane] = AddProduct(lanes->bb[lane], b, b);
    // A run's follow from the other three.
    if constexpr (std::is_same_v<T, double>) {
      lanes->ab[lane] = AddProduct(lanes->ab[lane], a, b);
    }
  }

  static Lanes<Sum> EmptyRun() {
    Lanes<Sum> run;
    if constexpr (kHasRuns<Format>) {
      std::fill_n(run.aa, kLanes, kRunBegin);
      std::fill_n(run.bb, kLanes, kRunBegin);
    }
    return run;
  }

  static void AddRunSquares(const unsigned char* a, const unsigned char* b, std::uint32_t size,
                            Sum* run) {
    std::uint32_t i = 0;
    if constexpr (kHasStripes<Format>) {
      for (; i + Stripe<Format>::kElements <= size; i += Stripe<Format>::kElements) {
        Stripe<Format>::AddSquares(a + i * sizeof(Bits), b + i * sizeof(Bits),
                                   kTileElements * sizeof(Bits), run);
      }
    }
    for (; i < size; ++i) {
      const auto value = static_cast<Sum>(Format::Decode(LoadBits<Format>(a, i)));
      Sum& lane = run[LaneOf(i, sizeof(Bits))];
      lane = AddProduct(lane, value, value);
    }
  }

  Lanes<double>& TileLanes() {
    if constexpr (kHasRuns<Format>) {
      return lanes_;
    } else {
      return run_;
    }
  }

  void AddRun(std::uint32_t lane) {
    lanes_.dd[lane] += static_cast<double>(run_.dd[lane]);
    lanes_.aa[lane] += static_cast<double>(run_.aa[lane]);
    lanes_.bb[lane] += static_cast<double>(run_.bb[lane]);
    lanes_.ab[lane] += RunProducts(run_.dd[lane], run_.aa[lane], run_.bb[lane]);
  }

  // Of the lane's elements in a run whose partner is finite too, where each is.
  template <typename Visit>
  static void ForEachPair(std::uint32_t lane, const unsigned char* a, const unsigned char* b,
                          std::uint32_t size, Visit visit) {
    constexpr std::uint32_t kLoad = ElementsPerLoad(sizeof(Bits));
    for (std::uint32_t load = lane * kLoad; load < size; load += kLanes * kLoad) {
      for (std::uint32_t i = load; i < std::min(load + kLoad, size); ++i) {
        const Bits x = LoadBits<Format>(a, i), y = LoadBits<Format>(b, i);
        if (Format::IsFinite(x) && Format::IsFinite(y)) visit(x, y);
      }
    }
  }
  // Not 0 where an element is neither 0 nor left out.
  static Bits AnyBits(std::uint32_t lane, const unsigned char* tile, std::uint32_t size) {
    Bits any = 0;
    ForEachPair(lane, tile, tile, size, [&](Bits x, Bits) { any |= Format::Magnitude(x); });
    return any;
  }

  // Of zeros the sums stay as they are, to the bit.
  void AddEach(std::uint32_t lane, const unsigned char* a, const unsigned char* b,
               std::uint32_t size) {
    ForEachPair(lane, a, b, size, [&](Bits x, Bits y) {
      Add(lane, AbsoluteDifference<Format>(x, y), static_cast<double>(Format::Decode(x)),
          static_cast<double>(Format::Decode(y)), &lanes_);
    });
  }

  Lanes<Sum> run_ = EmptyRun();
  Lanes<double> lanes_;  // of runs that are done, where there are runs
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
