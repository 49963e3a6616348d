// One id that differs: what it is, and in words.
#ifndef GTEST_PARITY_JUDGE_GREEDY_DIVERGENCE_H_
#define GTEST_PARITY_JUDGE_GREEDY_DIVERGENCE_H_

#include <map>
#include <string>

#include "gtest_parity/judge/greedy_evidence.h"
#include "gtest_parity/judge/judge.h"
#include "gtest_parity/judge/outcome.h"

namespace parity {

// How far the reference's generation is from itself, when it is given its own ids again.
struct GreedySpread {
  bool known = false;        // it was repeated in full
  bool bitwise = true;       // the same ids and rows, bit for bit
  bool same_ids = true;      // on every rank
  bool follows = true;       // every id is the argmax of its own row; false: there are no rows
  std::map<int, double> kl;  // by rank: the largest, nats
  double KlOf(int rank) const;
};

GreedySpread SpreadOf(const GreedyEvidence& evidence);

struct GreedyDivergence {
  Outcome outcome = Outcome::kInconclusive;  // kPass: a tie
  std::string text;                          // one line
};

// The reference's id at the token's place.
std::int32_t ReferenceId(const GreedyEvidence& evidence, const GreedyToken& token);

// Whether the side chose another id than its own row of logits holds highest, lowest index first.
bool DefiesItsLogits(const GreedyToken& token);

// Whether the side's row holds NaN that the reference's does not.
bool HasOwnNan(const GreedyToken& token);

// `first`: nothing of that sequence and rank differed before.
GreedyDivergence JudgeDivergence(const GreedyEvidence& evidence, const GreedyToken& token,
                                 const GreedySpread& spread, const Rules& rules, bool first);

}  // namespace parity

#endif  // GTEST_PARITY_JUDGE_GREEDY_DIVERGENCE_H_
