#include "gtest_parity/side/copy_rate.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <memory>

namespace parity {

double CopySeconds() {
  using Clock = std::chrono::steady_clock;
  constexpr int kCopies = 3;  // the first also maps the pages
  const auto from = std::make_unique<std::uint8_t[]>(kCopiedBytes);
  const std::unique_ptr<std::uint8_t[]> to(new std::uint8_t[kCopiedBytes]);
  double best = std::numeric_limits<double>::infinity();
  for (int copy = 0; copy < kCopies; ++copy) {
    from[static_cast<std::size_t>(copy)] = 1;  // no copy is like the one before it
    const Clock::time_point begin = Clock::now();
    std::memcpy(to.get(), from.get(), kCopiedBytes);
    best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count());
    // What is read of it afterwards keeps the copy from being left out.
    volatile std::uint8_t seen = to[static_cast<std::size_t>(copy)];
    static_cast<void>(seen);
  }
  return best;
}

std::vector<double> CopyRates(Side& side, std::uint32_t ranks) {
  std::vector<Script> scripts(ranks);
  for (Script& script : scripts) script.CopyRate();
  std::vector<double> rates;
  for (const Results& rank : side.Run(scripts)) {
    const Result& result = rank[0];
    rates.push_back(result.seconds > 0 ? 2 * static_cast<double>(kCopiedBytes) / result.seconds
                                       : 0);
  }
  return rates;
}

}  // namespace parity
