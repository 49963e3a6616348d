// Which of two passes over the workload speaks for what.
#ifndef GTEST_PARITY_JUDGE_JUDGED_RUN_H_
#define GTEST_PARITY_JUDGE_JUDGED_RUN_H_

#include "gtest_parity/judge/evidence.h"

namespace parity {

// As served, up to and with the first decision of a scenario that is not the reference's: until
// then the side's inputs were. Behind it, what ran with the reference's decisions. In the latter's
// order.
FreeRunEvidence JudgedRun(const EndToEndEvidence& evidence);

}  // namespace parity

#endif  // GTEST_PARITY_JUDGE_JUDGED_RUN_H_
