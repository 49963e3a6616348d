// PASS*: the reference fails the same check in the same way.
#ifndef GTEST_PARITY_JUDGE_STAR_H_
#define GTEST_PARITY_JUDGE_STAR_H_

#include <cstdint>
#include <string>

#include "gtest_parity/judge/evidence.h"

namespace parity {

enum class Check {
  kElements,    // candidate against reference
  kRows,        // candidate against reference
  kDomain,      // one side's values against what is declared
  kReplicated,  // one side's ranks against each other
};

// What identifies a failure. Two that agree in all of it are one failure of two engines.
struct FailureSignature {
  Check check = Check::kElements;
  std::string kind;  // "below", "above", "nan"; the groups that ranks fall into
  std::string program;
  std::string span_or_row;  // where the check belongs to one
  std::string tensor;
  std::string run;
  int rank = 0;
  std::uint64_t first_index = 0;
  bool operator==(const FailureSignature&) const = default;
};

// Whether one side alone can fail this check; a comparison of two sides cannot be failed by one.
bool FailsAlone(Check check);

// Equal signatures of a check that one side can fail alone.
bool FailTheSameWay(const FailureSignature& candidate, const FailureSignature& reference);

// The signature of values outside their domain in `tensor` of one run on one rank. The kind is
// "nan", "below" or "above", after the first value.
FailureSignature DomainSignature(const std::string& program, const std::string& tensor,
                                 const std::string& run, int rank,
                                 const DomainViolation& violation);

// The reference violates the domain in the same way, and in no fewer elements.
bool ReferenceViolatesToo(const FailureSignature& candidate_signature,
                          const DomainViolation& candidate,
                          const FailureSignature& reference_signature,
                          const DomainViolation& reference);

}  // namespace parity

#endif  // GTEST_PARITY_JUDGE_STAR_H_
