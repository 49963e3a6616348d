// From two generations to an outcome. A pure function.
#ifndef GTEST_PARITY_JUDGE_JUDGE_GREEDY_H_
#define GTEST_PARITY_JUDGE_JUDGE_GREEDY_H_

#include "gtest_parity/judge/greedy_evidence.h"
#include "gtest_parity/judge/judge.h"
#include "gtest_parity/judge/verdict.h"

namespace parity {

// Every id of every sequence on every rank, each after the reference's prefix. An id that differs
// is a divergence, and so is one of the first two, whatever the id; the first that applies:
//   not what the candidate's own logits say, where the reference's always are    FAIL
//   the candidate's row holds NaN that the reference's does not                 FAIL
//   `exact`, and the reference repeats ids and rows bit for bit                 FAIL
//   no row of logits to compare, or `exact` and no repeat of the reference      INCONCLUSIVE
//   `end_to_end`, and KL within the limit                                       a tie
//   KL above it, and the reference repeats itself (KL within it, the same ids)  FAIL
//   KL within spread_factor^2 x the reference's own                             a tie
//   otherwise                                                                   INCONCLUSIVE
// Ties are listed. Fewer than `least` ids of a sequence are INCONCLUSIVE, none at all NOT_COMPARED:
// an early end is no evidence.
Verdict JudgeGreedy(const GreedyEvidence& evidence, const Rules& rules);

}  // namespace parity

#endif  // GTEST_PARITY_JUDGE_JUDGE_GREEDY_H_
