// Cases that a manifest declares not to be asked of its sides, and why.
#ifndef GTEST_PARITY_SUITES_KV_LEFT_OUT_H_
#define GTEST_PARITY_SUITES_KV_LEFT_OUT_H_

#include <string>
#include <vector>

#include "gtest_parity/manifest/manifest.h"
#include "gtest_parity/session/case.h"

namespace parity::kv {

class LeftOut {
 public:
  // Throws InvalidInput for a pattern that no case of `all` has: it says nothing.
  LeftOut(const Manifest& manifest, const std::vector<Case>& all);

  // Those that are asked. Preflight always is.
  const std::vector<Case>& asked() const { return asked_; }
  // "not asked: 10 cases of Policy/*: REASON", of each pattern. A case counts for the first.
  std::vector<std::string> Lines() const;

 private:
  struct Counted {
    std::string cases, reason;
    std::size_t count = 0;
  };
  std::vector<Counted> patterns_;
  std::vector<Case> asked_;
};

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_LEFT_OUT_H_
