#include "gtest_parity/side/copy_rate.h"

namespace parity {

std::vector<double> CopyRates(Side& side, std::uint32_t ranks) {
  std::vector<Script> scripts(ranks);
  for (Script& script : scripts) script.CopyRate();
  std::vector<double> rates;
  for (const Results& rank : side.Run(scripts)) {
    const Result& result = rank[0];
    rates.push_back(result.seconds > 0 ? 2 * static_cast<double>(result.count) / result.seconds
                                       : 0);
  }
  return rates;
}

}  // namespace parity
