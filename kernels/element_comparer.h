// Comparing two arrays of one format, a tile at a time.
#ifndef GTEST_PARITY_KERNELS_ELEMENT_COMPARER_H_
#define GTEST_PARITY_KERNELS_ELEMENT_COMPARER_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "kernels/element_sums.h"
#include "kernels/elements.h"
#include "kernels/pair_tally.h"
#include "kernels/stripe.h"

namespace parity {

// Of formats with ordered sums.
template <typename Format>
class ElementComparer {
 public:
  using Bits = typename Format::Bits;

  ElementComparer(const unsigned char* reference, const unsigned char* candidate)
      : a_(reference), b_(candidate) {}

  ElementStats Compare(std::uint64_t count) {
    for (std::uint64_t begin = 0; begin < count; begin += kTileElements) {
      const auto size =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(kTileElements, count - begin));
      const unsigned char* a = a_ + begin * sizeof(Bits);
      const unsigned char* b = b_ + begin * sizeof(Bits);
      const bool equal = std::memcmp(a, b, size * sizeof(Bits)) == 0;
      if (equal && sums_.AddEqualTile(a, b, size)) {
        stats_.ulp_histogram[0] += size;
      } else {
        AddTile(begin, size);
      }
    }
    stats_.compared = count;
    place_.Write(&stats_);
    sums_.Write(&stats_);
    return stats_;
  }

 private:
  void AddTile(std::uint64_t begin, std::uint32_t size) {
    constexpr std::uint32_t kRun = OrderedSums<Format>::kRun;
    for (std::uint32_t lo = 0; lo < size; lo += kRun) {
      const std::uint32_t hi = std::min(lo + kRun, size);
      std::uint32_t i = lo;
      if constexpr (kHasStripes<Format>) {
        constexpr std::uint32_t kElements = Stripe<Format>::kElements;
        for (; i + kElements <= hi; i += kElements) {
          if (!AddStripe(begin + i)) AddPairs(begin, i, i + kElements);
        }
      }
      AddPairs(begin, i, hi);
      sums_.FinishRun(a_ + (begin + lo) * sizeof(Bits), b_ + (begin + lo) * sizeof(Bits), hi - lo);
    }
    sums_.FinishTile();
  }

  // Elements [lo, hi) of the tile at `begin`.
  void AddPairs(std::uint64_t begin, std::uint32_t lo, std::uint32_t hi) {
    for (std::uint32_t i = lo; i < hi; ++i) {
      const Bits x = LoadBits<Format>(a_, begin + i), y = LoadBits<Format>(b_, begin + i);
      if (x != y) {
        place_.Add(TallyDifferent<Format>(x, y, 1, &stats_), begin + i);
      } else {
        TallyEqual<Format>(x, 1, &stats_);
      }
      if (Format::IsFinite(x) && Format::IsFinite(y)) {
        sums_.Add(i, AbsoluteDifference<Format>(x, y), static_cast<double>(Format::Decode(x)),
                  static_cast<double>(Format::Decode(y)));
      }
    }
  }

  // False, with nothing added, where an element is not finite.
  bool AddStripe(std::uint64_t index) {
    const unsigned char* a = a_ + index * sizeof(Bits);
    const unsigned char* b = b_ + index * sizeof(Bits);
    const auto distances = Stripe<Format>::Measure(a, b, stats_.max_ulp);
    if (!distances.finite) return false;
    const bool above = Stripe<Format>::AddProducts(a, b, static_cast<float>(stats_.max_abs),
                                                   stats_.max_rel, &sums_.run());
    AddHistogram(distances);
    if (distances.different == 0) return true;
    stats_.different += distances.different;
    if (above || distances.above || place_.None()) AddRecords(index);
    return true;
  }

  void AddHistogram(const typename Stripe<Format>::Distances& distances) {
    constexpr std::uint32_t kElements = Stripe<Format>::kElements;
    constexpr int kFewBins = 8;
    std::uint32_t bins[8 * sizeof(Bits) + 1] = {};
    const int width = BitWidth(distances.any_bits);
    if (width <= kFewBins) {
      std::uint32_t from = kElements;
      for (int bin = 0; bin < width; ++bin) {
        const std::uint32_t above = Stripe<Format>::CountFrom(distances, bin);
        bins[bin] = from - above;
        from = above;
      }
      bins[width] = from;
    } else {
      CountEach(distances, bins);
    }
    for (int bin = 0; bin <= width; ++bin) stats_.ulp_histogram[bin] += bins[bin];
    stats_.signed_zero += bins[0] - (kElements - distances.different);
  }

  static void CountEach(const typename Stripe<Format>::Distances& distances, std::uint32_t* bins) {
    // Apart, so that one increment need not wait for the one before.
    std::uint32_t apart[4][8 * sizeof(Bits) + 1] = {};
    for (std::uint32_t i = 0; i < Stripe<Format>::kElements; i += 4) {
      for (std::uint32_t k = 0; k < 4; ++k) ++apart[k][BitWidth(distances.ulp[i + k])];
    }
    for (const auto& part : apart) {
      for (std::size_t bin = 0; bin < std::size(part); ++bin) bins[bin] += part[bin];
    }
  }

  // The stripe at `index` may hold a new maximum.
  void AddRecords(std::uint64_t index) {
    for (std::uint32_t i = 0; i < Stripe<Format>::kElements; ++i, ++index) {
      const Bits x = LoadBits<Format>(a_, index), y = LoadBits<Format>(b_, index);
      if (x == y) continue;
      const std::uint64_t ulp = UlpDistance<Format>(x, y);
      place_.Add({false, ulp}, index);
      stats_.max_ulp = std::max(stats_.max_ulp, ulp);
      if (ulp != 0) TallyDifference<Format>(x, y, &stats_);
    }
  }

  const unsigned char* a_;
  const unsigned char* b_;
  ElementStats stats_;
  WorstPlace place_;
  OrderedSums<Format> sums_;
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_ELEMENT_COMPARER_H_
