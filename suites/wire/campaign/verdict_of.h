// From findings to a verdict.
#ifndef GTEST_PARITY_SUITES_WIRE_CAMPAIGN_VERDICT_OF_H_
#define GTEST_PARITY_SUITES_WIRE_CAMPAIGN_VERDICT_OF_H_

#include <cstddef>
#include <string>
#include <vector>

#include "gtest_parity/judge/verdict.h"
#include "suites/wire/judge/judge_wire.h"

namespace parity::wire {

// `notes`: what had nothing to be looked at. `looked`: at how many things of the
// candidate; 0 is NOT_COMPARED, whatever was found of the reference. FAIL where anything counts
// against the candidate, PASS* where both sides break core alike, else PASS with what is only
// reported among the findings. `what`: "rules", "exchanges".
Verdict VerdictOf(const std::vector<ClassedFinding>& findings, std::size_t looked,
                  const std::string& what, const std::vector<std::string>& notes = {});

// Findings that each side can have alone, classed as those of core rules are.
std::vector<ClassedFinding> ClassAlone(const std::vector<Finding>& reference,
                                       const std::vector<Finding>& candidate);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_CAMPAIGN_VERDICT_OF_H_
