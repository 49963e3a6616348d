// The nine rules by which a program is judged end to end: docs/design.md, section 8.
#ifndef GTEST_PARITY_JUDGE_END_TO_END_RULES_H_
#define GTEST_PARITY_JUDGE_END_TO_END_RULES_H_

#include <string>

#include "gtest_parity/judge/decision_facts.h"
#include "gtest_parity/judge/free_run_damage.h"
#include "gtest_parity/judge/free_run_facts.h"
#include "gtest_parity/judge/judge.h"
#include "gtest_parity/judge/reference_repeats.h"

namespace parity {

// Evidence and what follows from it.
struct EndToEndCase {
  const EndToEndEvidence& evidence;
  const FreeRunEvidence& judged;  // of both passes what is comparable: judged_run.h
  const Rules& rules;
  FreeRunFacts candidate;
  ReferenceRepeats reference;
  FreeRunDamage damage;
  DecisionFacts decisions;
};

struct Ruling {
  Outcome outcome = Outcome::kNotCompared;
  std::string rule;  // "1" to "9", "death", "decision" or "ledger"
  std::string summary;
};

// The first rule that applies. What fails comes before the ledger and what passes after it: a
// difference that was seen stays one, and a pass needs everything that was expected.
Ruling FirstMatch(const EndToEndCase& c);

}  // namespace parity

#endif  // GTEST_PARITY_JUDGE_END_TO_END_RULES_H_
