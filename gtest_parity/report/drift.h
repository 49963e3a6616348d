// What the two groups of a tracked golden say together.
#ifndef GTEST_PARITY_REPORT_DRIFT_H_
#define GTEST_PARITY_REPORT_DRIFT_H_

#include <string>
#include <vector>

#include "gtest_parity/report/group.h"

namespace parity {

// Labels of the groups that `parity_add_suite(... GOLDEN)` registers, and the ends of their names:
// the candidate against the tracked recording, and against one of the reference of today.
inline constexpr char kDrift[] = "drift";
inline constexpr char kHostParity[] = "host_parity";

// For each group that carries one of the labels: a line where the other is not registered; where
// one of both failed, who has changed. Neither makes a failed group pass.
std::vector<std::string> ExplainDrift(const std::vector<GroupResult>& groups);

}  // namespace parity

#endif  // GTEST_PARITY_REPORT_DRIFT_H_
