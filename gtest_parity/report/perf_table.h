// Times of both sides, for a person. No word of judgement: they are part of no verdict.
#ifndef GTEST_PARITY_REPORT_PERF_TABLE_H_
#define GTEST_PARITY_REPORT_PERF_TABLE_H_

#include <string>
#include <vector>

#include "gtest_parity/report/group.h"

namespace parity {

// A table for each group, a line for each case that has times: the sum over its runs of each run's
// median, on the slowest rank; how far repeats lie apart; the candidate's as a multiple of the
// reference's; the bytes that had to be touched per second, beside what a copy reaches there.
std::string PerfText(const std::vector<GroupResult>& groups);

}  // namespace parity

#endif  // GTEST_PARITY_REPORT_PERF_TABLE_H_
