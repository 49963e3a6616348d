#include "gtest_parity/judge/decision_facts.h"

#include <algorithm>
#include <cmath>

#include "gtest_parity/judge/finding.h"
#include "gtest_parity/judge/number_text.h"

namespace parity {
namespace {

// The row of logits that a choice was taken from, one choice to a row; null where it was not.
const RowStats* RowOf(const FreeRunEvidence& evidence, const DecisionComparison& decision,
                      std::uint64_t index) {
  for (const RowsComparison& rows : evidence.rows) {
    if (rows.tensor != decision.scores || rows.rank != decision.values.rank ||
        rows.run != decision.values.run) {
      continue;
    }
    return rows.rows.size() == decision.flips.compared ? &rows.rows[index] : nullptr;
  }
  return nullptr;
}

// Whether a flip is what both sides' logits say.
bool IsArgmaxFlip(const RowStats* row, const DecisionFlip& flip) {
  return row != nullptr && flip.reference == std::int64_t{row->argmax_reference} &&
         flip.candidate == std::int64_t{row->argmax_candidate};
}

void Sort(const FreeRunEvidence& evidence, const DecisionComparison& decision,
          const MarginAllowance& allowance, const Rules& rules, DecisionFacts& facts) {
  for (const DecisionFlip& flip : decision.flips.flips) {
    const PlacedFlip placed{decision.values.rank,
                            decision.values.run,
                            decision.values.tensor,
                            decision.scores,
                            flip,
                            allowance,
                            decision.unscored};
    const RowStats* row = RowOf(evidence, decision, flip.index);
    if (IsArgmaxFlip(row, flip)) {
      if (row->kl <= rules.kl_limit) facts.ties.push_back(placed);
    } else if (!decision.unscored.empty()) {
      facts.unscored.push_back(placed);
    } else {
      (IsTie(flip, allowance) ? facts.ties : facts.beyond).push_back(placed);
    }
  }
}

}  // namespace

MarginAllowance AllowedMargin(const Rules& rules, std::optional<double> distance) {
  MarginAllowance allowance{0, "the reference's scores repeat bit for bit"};
  if (!distance) {
    allowance.source = "the reference's scores were not repeated";
  } else if (!std::isfinite(*distance)) {
    allowance.source = "the reference's scores are no numbers in one of its repeats";
  } else if (*distance > 0) {
    allowance = {rules.spread_factor * *distance,
                 ShortText(rules.spread_factor) + " x the scores' distance between its repeats"};
  }
  if (!rules.exact && rules.margin > allowance.margin) allowance = {rules.margin, "judge.margin"};
  return allowance;
}

bool IsTie(const DecisionFlip& flip, const MarginAllowance& allowance) {
  return std::abs(flip.margin) <= allowance.margin;
}

std::string PlacedFlip::Text() const {
  std::string text = Where("", run, rank, tensor + Coordinates({}, flip.index)) + ": " +
                     std::to_string(flip.reference) + " -> " + std::to_string(flip.candidate);
  if (!unscored.empty()) return text + ", without scores: " + unscored;
  text += ", margin " + ShortText(flip.margin) + " in " + scores + ", allowed " +
          ShortText(allowance.margin) + " (" + allowance.source + ")";
  if (IsTie(flip, allowance)) return text;
  if (!std::isfinite(flip.margin)) return text + ", no margin would have passed it";
  return text + ", smallest judge.margin that passes: " + NumberText(std::abs(flip.margin));
}

DecisionFacts DecisionsOf(const FreeRunEvidence& evidence, const ReferenceRepeats& reference,
                          const Rules& rules) {
  DecisionFacts facts;
  for (const DecisionComparison& decision : evidence.decisions) {
    if (!decision.values.after.empty()) continue;
    const std::optional<double> distance =
        reference.ScoreDistance(decision.values.rank, decision.values.tensor);
    Sort(evidence, decision, AllowedMargin(rules, distance), rules, facts);
  }
  std::stable_sort(facts.beyond.begin(), facts.beyond.end(),
                   [](const PlacedFlip& a, const PlacedFlip& b) {
                     return std::abs(a.flip.margin) > std::abs(b.flip.margin);
                   });
  return facts;
}

}  // namespace parity
