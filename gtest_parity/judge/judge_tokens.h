// From answers about text and ids to an outcome. A pure function.
#ifndef GTEST_PARITY_JUDGE_JUDGE_TOKENS_H_
#define GTEST_PARITY_JUDGE_JUDGE_TOKENS_H_

#include "gtest_parity/judge/token_evidence.h"
#include "gtest_parity/judge/verdict.h"

namespace parity {

// The worst over all checks, each the first that applies:
//   the reference does not offer the function                            BLOCKED
//   only the candidate does not offer it                                 FAIL
//   the answers differ (of two refusals: their status)                   FAIL
//   they agree, and both differ from what they are held to               PASS*
//   they agree, and only the candidate differs from what it is held to   FAIL
// Nothing compared, or fewer checks than expected, is NOT_COMPARED.
Verdict JudgeTokens(const TokenEvidence& evidence);

}  // namespace parity

#endif  // GTEST_PARITY_JUDGE_JUDGE_TOKENS_H_
