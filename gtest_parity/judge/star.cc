#include "gtest_parity/judge/star.h"

#include <cmath>

namespace parity {
namespace {

std::string KindOf(const DomainViolation& violation) {
  if (std::isnan(violation.first_value)) return "nan";
  return violation.first_value < violation.min ? "below" : "above";
}

}  // namespace

bool FailsAlone(Check check) { return check == Check::kDomain || check == Check::kReplicated; }

bool FailTheSameWay(const FailureSignature& candidate, const FailureSignature& reference) {
  return FailsAlone(candidate.check) && candidate == reference;
}

FailureSignature DomainSignature(const std::string& program, const std::string& tensor,
                                 const std::string& run, int rank,
                                 const DomainViolation& violation) {
  FailureSignature signature;
  signature.check = Check::kDomain;
  signature.kind = KindOf(violation);
  signature.program = program;
  signature.tensor = tensor;
  signature.run = run;
  signature.rank = rank;
  signature.first_index = violation.first_index;
  return signature;
}

bool ReferenceViolatesToo(const FailureSignature& candidate_signature,
                          const DomainViolation& candidate,
                          const FailureSignature& reference_signature,
                          const DomainViolation& reference) {
  return reference.count >= candidate.count &&
         FailTheSameWay(candidate_signature, reference_signature);
}

}  // namespace parity
