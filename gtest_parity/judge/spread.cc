#include "gtest_parity/judge/spread.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace parity {
namespace {

double NotNan(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

}  // namespace

void SpreadPool::Add(const SpreadKey& key, const ElementStats& pair) {
  if (pair.compared == 0) return;
  Spread& spread = spreads_[key];
  if (!spread.measured) spread.exact = true;
  spread.measured = true;
  spread.exact = spread.exact && pair.Identical();
  spread.nrmse = std::max(spread.nrmse, NotNan(pair.Nrmse()));
  spread.max_abs = std::max(spread.max_abs, NotNan(pair.max_abs));
  ++spread.pairs;
}

Spread SpreadPool::Find(const SpreadKey& key) const {
  const auto found = spreads_.find(key);
  return found == spreads_.end() ? Spread{} : found->second;
}

}  // namespace parity
