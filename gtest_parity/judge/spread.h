// Gathers how far the reference is from itself.
#ifndef GTEST_PARITY_JUDGE_SPREAD_H_
#define GTEST_PARITY_JUDGE_SPREAD_H_

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gtest_parity/judge/evidence.h"

namespace parity {

// What has a spread of its own. Runs are pooled; ranks and live shapes (hence batches) never are.
struct SpreadKey {
  int rank = 0;
  std::string program, span, tensor;
  std::vector<std::uint64_t> shape;  // live
  auto operator<=>(const SpreadKey&) const = default;
};

class SpreadPool {
 public:
  SpreadPool() = default;
  // What another process gathered.
  explicit SpreadPool(std::map<SpreadKey, Spread> spreads) : spreads_(std::move(spreads)) {}
  const std::map<SpreadKey, Spread>& all() const { return spreads_; }

  // Folds in the distance between two repeats of one span by the reference. A pair in which nothing
  // was compared says nothing and is not counted.
  void Add(const SpreadKey& key, const ElementStats& pair);

  // What was found under `key`; not measured if nothing was. Infinite where a pair's distance has
  // no finite value (it then excuses nothing).
  Spread Find(const SpreadKey& key) const;

 private:
  std::map<SpreadKey, Spread> spreads_;
};

}  // namespace parity

#endif  // GTEST_PARITY_JUDGE_SPREAD_H_
