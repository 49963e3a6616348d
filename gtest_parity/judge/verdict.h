// What a judgement came to, ready to be told.
#ifndef GTEST_PARITY_JUDGE_VERDICT_H_
#define GTEST_PARITY_JUDGE_VERDICT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest_parity/judge/death.h"
#include "gtest_parity/judge/outcome.h"

namespace parity {

struct Verdict {
  Outcome outcome = Outcome::kNotCompared;
  std::optional<SpanClass> span_class;
  std::optional<bool> exact;   // the span repeats bit for bit on the reference
  std::uint64_t expected = 0;  // comparisons that had to be
  std::uint64_t compared = 0;  // comparisons that were
  // One line each, worst first: span, run, rank, coordinates: what, both values, allowed, where the
  // allowance comes from, the smallest tolerance that would have passed.
  std::vector<std::string> findings;
  std::string summary;  // one line
  // For JUnit: worst_ulp, nrmse, kl, rank, run, ...
  std::vector<std::pair<std::string, std::string>> properties;
};

// Sets a property, replacing one of the same key.
void SetProperty(Verdict& verdict, std::string_view key, std::string value);
// "rank" and "run" of a death, as far as they are known.
void SetPlace(Verdict& verdict, const Death& death);
// The value under `key`, or null.
const std::string* FindProperty(const Verdict& verdict, std::string_view key);

}  // namespace parity

#endif  // GTEST_PARITY_JUDGE_VERDICT_H_
