// What one decision of a program is judged by, and whether it can be forced.
#ifndef GTEST_PARITY_MANIFEST_DECISION_PLAN_H_
#define GTEST_PARITY_MANIFEST_DECISION_PLAN_H_

#include <vector>

#include "gtest_parity/manifest/closure.h"
#include "gtest_parity/manifest/plan.h"

namespace parity {

// A decision that steers what comes later can be forced where each side makes it in one op, reads
// it in a later one (or in another program), and writes nothing else there that is read later: that
// might follow from the candidate's own choice. Its scores may be written there. A tap-only
// candidate cannot be stopped there. Both sides write the decision.
DecisionPlan PlanDecision(const FlowPair& program, const TensorPair& decision);

// In the order in which the candidate's ops make them.
void SortDecisions(const FlowPair& program, std::vector<DecisionPlan>* decisions);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_DECISION_PLAN_H_
