// JUnit XML that every schema which Jenkins has published accepts.
#ifndef GTEST_PARITY_REPORT_JUNIT_H_
#define GTEST_PARITY_REPORT_JUNIT_H_

#include <string>
#include <vector>

#include "gtest_parity/report/group.h"

namespace parity {

// One <testsuite> per group and GoogleTest suite, in order of appearance, named "<group>.<suite>",
// as is each case's class: dashboards know a case by class and name, and one manifest may run in
// several groups. FAIL, INCONCLUSIVE, SELF and NOT_COMPARED are <failure type=...>, ERROR is
// <error>, BLOCKED <skipped message=reason>; PASS, PASS* and WAIVED pass. The schemas know
// properties of suites only: AllProperties() of a case are lines "[[PROPERTY|name=value]]" at the
// head of its <system-out>. What is wrong with a group as a whole is a case "IsComplete" of class
// "<group>". Times are in seconds.
std::string JUnitXml(const std::vector<GroupResult>& results);

// Replaces `path` as a whole. Throws ReportError.
void WriteJUnit(const std::string& path, const std::vector<GroupResult>& groups);

}  // namespace parity

#endif  // GTEST_PARITY_REPORT_JUNIT_H_
