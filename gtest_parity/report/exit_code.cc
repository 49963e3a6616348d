#include "gtest_parity/report/exit_code.h"

#include <algorithm>

namespace parity {
namespace {

// The code that this case alone forces, or 0.
int ForcedBy(Outcome outcome) {
  switch (outcome) {
    case Outcome::kFail:
      return kExitFailed;
    case Outcome::kError:
      return kExitError;
    case Outcome::kInconclusive:
    case Outcome::kSelf:
    case Outcome::kNotCompared:
      return kExitUndecided;
    case Outcome::kPass:
    case Outcome::kPassStar:
    case Outcome::kWaived:
    case Outcome::kBlocked:
      return kExitPassed;
  }
  return kExitError;
}

}  // namespace

int ExitCodeOf(const std::vector<CaseResult>& selected, const ExitRules& rules) {
  if (selected.empty()) return kExitUsage;
  std::set<int> forced;
  bool compared = false, blocked = false, unallowed = false;
  for (const CaseResult& result : selected) {
    const Outcome outcome = RequiredOutcome(result, rules.required);
    forced.insert(ForcedBy(outcome));
    compared = compared || (Passes(outcome) && result.verdict.compared > 0);
    if (outcome != Outcome::kBlocked) continue;
    blocked = true;
    unallowed = unallowed || !rules.allowed.ReasonFor(rules.group, result);
  }
  for (const int code : {kExitFailed, kExitError, kExitUndecided}) {
    if (forced.count(code) > 0) return code;
  }
  if (!compared) return blocked ? kExitBlocked : kExitUndecided;
  return unallowed ? kExitUndecided : kExitPassed;
}

}  // namespace parity
