// What of a program is judged after it ran whole.
#ifndef GTEST_PARITY_MANIFEST_PROGRAM_PLAN_H_
#define GTEST_PARITY_MANIFEST_PROGRAM_PLAN_H_

#include "gtest_parity/manifest/closure.h"
#include "gtest_parity/manifest/plan.h"

namespace parity {

// Fills the lists of names: what both sides declare alike, in the same role, and both write.
// Whatever else is an output, logits, a decision or a written state of one side is listed as not
// compared, as is a written buffer that one side alone declares replicated. A flow is null for a
// side that lacks the program.
void FillProgramPlan(const FlowPair& program, ProgramPlan* plan);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_PROGRAM_PLAN_H_
