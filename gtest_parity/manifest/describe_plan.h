// A plan in words, for `parity spans` and `parity check`.
#ifndef GTEST_PARITY_MANIFEST_DESCRIBE_PLAN_H_
#define GTEST_PARITY_MANIFEST_DESCRIBE_PLAN_H_

#include <string>

#include "gtest_parity/manifest/plan.h"

namespace parity {

// Every span with its ops and its frontier, then every program, with what is not compared and why.
std::string DescribePlan(const Plan& plan);

// One line: that the manifest is in order, and what it comes to.
std::string SummarizePlan(const Plan& plan);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_DESCRIBE_PLAN_H_
