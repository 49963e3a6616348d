// Comparing two arrays of a format of up to 8 bits, whose sums do not depend on order: pairs are
// counted, and what each kind of pair says is worked out once.
#ifndef GTEST_PARITY_KERNELS_PAIR_COUNTS_H_
#define GTEST_PARITY_KERNELS_PAIR_COUNTS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/element_sums.h"
#include "kernels/elements.h"
#include "kernels/pair_tally.h"

namespace parity {

template <typename Format>
class PairCounts {
 public:
  using Bits = typename Format::Bits;

  // Elements [first, first + count) of both.
  PairCounts(const unsigned char* reference, const unsigned char* candidate, std::uint64_t first,
             std::uint64_t count)
      : a_(reference), b_(candidate), first_(first), count_(count) {}

  ElementStats Compare() {
    // A table costs as much as comparing this many pairs one by one.
    constexpr std::uint64_t kMany = std::uint64_t{1} << (2 * Format::kBits);
    WorstPlace place;
    count_ < kMany ? AddEach(&place) : AddCounted(&place);
    stats_.compared = count_;
    place.Write(&stats_);
    sums_.Write(&stats_);
    return stats_;
  }

 private:
  static constexpr std::size_t kValues = std::size_t{1} << Format::kBits;

  static std::size_t IndexOf(Bits x, Bits y) { return std::size_t{x} << Format::kBits | y; }
  Bits Reference(std::uint64_t i) const { return LoadBits<Format>(a_, first_ + i); }
  Bits Candidate(std::uint64_t i) const { return LoadBits<Format>(b_, first_ + i); }

  Severity AddPairs(Bits x, Bits y, std::uint64_t times) {
    if (Format::IsFinite(x) && Format::IsFinite(y)) {
      sums_.Add(AbsoluteDifference<Format>(x, y), static_cast<double>(Format::Decode(x)),
                static_cast<double>(Format::Decode(y)), times);
    }
    if (x != y) return TallyDifferent<Format>(x, y, times, &stats_);
    TallyEqual<Format>(x, times, &stats_);
    return {};
  }

  void AddEach(WorstPlace* place) {
    for (std::uint64_t i = 0; i < count_; ++i) {
      const Bits x = Reference(i), y = Candidate(i);
      const Severity severity = AddPairs(x, y, 1);
      if (x != y) place->Add(severity, i);
    }
  }

  void AddCounted(WorstPlace* place) {
    // Even and odd elements apart, so that one increment need not wait for the one before.
    std::vector<std::uint64_t> even(kValues * kValues), odd(kValues * kValues);
    std::uint64_t i = 0;
    for (; i + 2 <= count_; i += 2) {
      ++even[IndexOf(Reference(i), Candidate(i))];
      ++odd[IndexOf(Reference(i + 1), Candidate(i + 1))];
    }
    if (i < count_) ++even[IndexOf(Reference(i), Candidate(i))];
    std::vector<Severity> severities(kValues * kValues);
    Severity worst;
    for (std::size_t pair = 0; pair < even.size(); ++pair) {
      const std::uint64_t times = even[pair] + odd[pair];
      if (times == 0) continue;
      severities[pair] = AddPairs(static_cast<Bits>(pair >> Format::kBits),
                                  static_cast<Bits>(pair % kValues), times);
      worst = std::max(worst, severities[pair]);
    }
    if (stats_.different != 0) FindPlaces(severities, worst, place);
  }

  // The first pair that differs and the first of the worst.
  void FindPlaces(const std::vector<Severity>& severities, const Severity& worst,
                  WorstPlace* place) const {
    for (std::uint64_t i = 0; i < count_; ++i) {
      const Bits x = Reference(i), y = Candidate(i);
      if (x == y) continue;
      const Severity& severity = severities[IndexOf(x, y)];
      place->Add(severity, i);
      if (severity == worst) return;
    }
  }

  const unsigned char* a_;
  const unsigned char* b_;
  const std::uint64_t first_, count_;
  ElementStats stats_;
  ExactSums<Format> sums_;
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_PAIR_COUNTS_H_
