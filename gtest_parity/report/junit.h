// JUnit XML, the dialect that Jenkins, GitLab and GitHub readers share.
#ifndef GTEST_PARITY_REPORT_JUNIT_H_
#define GTEST_PARITY_REPORT_JUNIT_H_

#include <string>
#include <vector>

#include "gtest_parity/report/group.h"

namespace parity {

// One <testsuite> per group and GoogleTest suite, in order of appearance. FAIL, INCONCLUSIVE, SELF
// and NOT_COMPARED are <failure type=...>, ERROR is <error>, BLOCKED <skipped message=reason>;
// PASS, PASS* and WAIVED pass. AllProperties() of a case are its <properties>; times are in
// seconds.
std::string JUnitXml(const std::vector<GroupResult>& groups);

// Replaces `path` as a whole. Throws ReportError.
void WriteJUnit(const std::string& path, const std::vector<GroupResult>& groups);

}  // namespace parity

#endif  // GTEST_PARITY_REPORT_JUNIT_H_
