// The table for a person: one line per group, and a total.
#ifndef GTEST_PARITY_REPORT_MATRIX_H_
#define GTEST_PARITY_REPORT_MATRIX_H_

#include <string>
#include <vector>

#include "gtest_parity/report/group.h"

namespace parity {

// Suite, manifest, ranks, cases, a count for each outcome that occurs (and PASS), spans that passed
// of those the reference repeats bit for bit and of those it does not, the worst KL in nats, and
// the classes. Whole numbers only, never a percentage. `colour` adds ANSI colours to counts.
std::string MatrixText(const std::vector<GroupResult>& groups, bool colour = false);

}  // namespace parity

#endif  // GTEST_PARITY_REPORT_MATRIX_H_
