// parity.verdict: every registered group folded into one verdict.
#ifndef GTEST_PARITY_REPORT_FOLD_H_
#define GTEST_PARITY_REPORT_FOLD_H_

#include <string>
#include <vector>

#include "gtest_parity/report/blocked.h"
#include "gtest_parity/report/group.h"
#include "gtest_parity/report/tally.h"

namespace parity {

struct FoldRules {
  AllowedBlocked allowed;
  // ISO 8601, UTC: a group that began before it left an older run's result. Empty: not asked.
  std::string not_before;
};

struct Folded {
  std::vector<GroupResult> groups;
  Tally total;
  std::vector<std::string> problems;  // why it did not pass; each names its group
  std::vector<std::string> allowed;   // what is BLOCKED with an allowed reason
  bool Passed() const { return problems.empty(); }
  // The matrix, what is allowed, the problems, and last the verdict.
  std::string Text(bool colour = false) const;
};

// Passes only if something was compared and passed, every registered group left a complete result
// of its own, no engine ran in the judge's process, every case passed or is BLOCKED with a reason
// that is allowed, every group's exit code agrees with its cases, and the sums add up.
Folded Fold(std::vector<GroupResult> groups, const FoldRules& rules);

// Where the parts do not add up to the whole: cases, each outcome, each class. Empty if they do.
std::vector<std::string> CheckSums(const std::vector<Tally>& parts, const Tally& whole);

// Those that carry `label`; all of them if it is empty.
std::vector<ExpectedGroup> WithLabel(const std::vector<ExpectedGroup>& groups,
                                     const std::string& label);

}  // namespace parity

#endif  // GTEST_PARITY_REPORT_FOLD_H_
