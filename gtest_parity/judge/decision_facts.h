// What the discrete choices of one pass over the workload come to.
#ifndef GTEST_PARITY_JUDGE_DECISION_FACTS_H_
#define GTEST_PARITY_JUDGE_DECISION_FACTS_H_

#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/judge/evidence.h"
#include "gtest_parity/judge/judge.h"
#include "gtest_parity/judge/reference_repeats.h"

namespace parity {

// How far apart the reference's own scores may have two choices that count as tied, and why.
struct MarginAllowance {
  double margin = 0;
  std::string source;
};

// `spread_factor` x the largest distance of the scores between the reference's repeats, 0 where it
// is not known or not finite; in `end_to_end` at least the declared margin.
MarginAllowance AllowedMargin(const Rules& rules, std::optional<double> distance);

// The sign of a margin tells whose choice the reference's scores prefer, its size how clearly.
bool IsTie(const DecisionFlip& flip, const MarginAllowance& allowance);

// One choice that differs and where it stands.
struct PlacedFlip {
  int rank = 0;
  std::string run, tensor, scores;
  DecisionFlip flip;
  MarginAllowance allowance;
  std::string unscored;
  // "b1/decode#3, rank 0, layer0.router_ids[#12]: 1 -> 3, margin 0.1 in layer0.router_scores,
  // allowed 0 (the reference's scores repeat bit for bit), smallest judge.margin that passes: 0.1"
  std::string Text() const;
};

struct DecisionFacts {
  std::vector<PlacedFlip> beyond;    // the reference's scores speak against them, widest first
  std::vector<PlacedFlip> unscored;  // nothing says how close they were
  std::vector<PlacedFlip> ties;
};

// A choice taken from logits is judged as their row is: where it is what either side's logits say,
// the row's KL decides, and a flip whose KL is above the limit is rule 3's affair and in no list.
DecisionFacts DecisionsOf(const FreeRunEvidence& evidence, const ReferenceRepeats& reference,
                          const Rules& rules);

}  // namespace parity

#endif  // GTEST_PARITY_JUDGE_DECISION_FACTS_H_
