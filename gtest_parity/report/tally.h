// Counts of cases.
#ifndef GTEST_PARITY_REPORT_TALLY_H_
#define GTEST_PARITY_REPORT_TALLY_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/report/case_result.h"

namespace parity {

struct Tally {
  struct Passed {
    std::uint64_t passed = 0, all = 0;
  };
  std::uint64_t cases = 0;
  std::map<Outcome, std::uint64_t> outcomes;
  std::map<SpanClass, std::uint64_t> classes;
  // Cases with a class, by whether the reference repeats their span bit for bit.
  Passed exact, hybrid, unknown;
  std::optional<double> worst_kl;  // nats
  std::uint64_t compared = 0;      // comparisons, over all cases
  std::uint64_t limited = 0;       // cases where something could not be checked

  std::uint64_t Of(Outcome outcome) const;
  void Add(const CaseResult& result);
};

Tally Count(const std::vector<CaseResult>& results);

// "72 PASS, 2 FAIL", in the order of kAllOutcomes; "no case" if there is none.
std::string OutcomesText(const Tally& tally);

// Whether `a` tells more against a case than `b`: FAIL, ERROR, INCONCLUSIVE, SELF, NOT_COMPARED,
// BLOCKED, WAIVED, PASS*, PASS.
bool Worse(Outcome a, Outcome b);

}  // namespace parity

#endif  // GTEST_PARITY_REPORT_TALLY_H_
