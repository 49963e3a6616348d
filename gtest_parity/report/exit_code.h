// What a run of cases ends with.
#ifndef GTEST_PARITY_REPORT_EXIT_CODE_H_
#define GTEST_PARITY_REPORT_EXIT_CODE_H_

#include <set>
#include <string>
#include <vector>

#include "gtest_parity/report/blocked.h"
#include "gtest_parity/report/case_result.h"

namespace parity {

inline constexpr int kExitPassed = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;      // bad arguments, an empty filter or shard
inline constexpr int kExitUndecided = 3;  // INCONCLUSIVE, SELF, nothing compared, BLOCKED unallowed
inline constexpr int kExitError = 4;      // also: ended without a verdict, a report was not written
inline constexpr int kExitBlocked = 77;   // CTest's SKIP_RETURN_CODE

struct ExitRules {
  std::string group;               // for `allowed`
  AllowedBlocked allowed;          // PARITY_ALLOW_BLOCKED
  std::set<std::string> required;  // PARITY_REQUIRE
};

// The code for the selected cases, first match wins:
//   no case                                                   2
//   a FAIL, or a BLOCKED that is required                     1
//   an ERROR                                                  4
//   an INCONCLUSIVE, SELF or NOT_COMPARED                     3
//   nothing compared (only cases such as Preflight passed)    77 if some are BLOCKED, else 3
//   a BLOCKED that is not allowed, beside what was compared   3
//   otherwise                                                 0
int ExitCodeOf(const std::vector<CaseResult>& selected, const ExitRules& rules);

}  // namespace parity

#endif  // GTEST_PARITY_REPORT_EXIT_CODE_H_
