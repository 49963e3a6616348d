// How far one compared tensor is from the reference, and why.
#ifndef GTEST_PARITY_JUDGE_CLASSIFY_H_
#define GTEST_PARITY_JUDGE_CLASSIFY_H_

#include <string>

#include "gtest_parity/judge/evidence.h"
#include "gtest_parity/judge/finding.h"
#include "gtest_parity/judge/judge.h"

namespace parity {

// Whether a decision that differs is excused, or more, by what it was taken from.
enum class ChoiceVerdict {
  kNone,      // no decision, or the same, or every bit is demanded of it
  kTied,      // every flip within the reference's own margin: within_spread
  kBeyond,    // fails, whatever the logits say
  kUnscored,  // inconclusive unless something else fails
};

struct Classification {
  SpanClass span_class = SpanClass::kIdentical;
  // Broken by nothing but values outside their domain that are the reference's, bit for bit: the
  // reference fails the same check in the same way.
  bool reference_fails_too = false;
  ChoiceVerdict choices = ChoiceVerdict::kNone;
  Finding finding;  // `what` is empty where there is nothing to tell
};

// `span` only names the place. The spread in `comparison` is that of its own rank, span, tensor and
// shape, so nothing else's noise can excuse it.
Classification Classify(const std::string& span, const TensorComparison& comparison,
                        const Rules& rules);

// Inside spread_factor x the reference's spread. Only floating numbers of a hybrid span; a NaN or
// an infinity on one side is never inside, nor is anything where the spread is not finite.
bool WithinSpread(const TensorComparison& comparison, double spread_factor);

// Whether a tolerance names this tensor and both limits that it gives hold. Numbers only: opaque
// bytes, booleans and a NaN or an infinity on one side are outside every tolerance.
bool WithinLimits(const TensorComparison& comparison, const AppliedTolerance& tolerance);

// today <= until; a missing or malformed date is not in force.
bool InForce(const AppliedTolerance& tolerance, const std::string& today);

}  // namespace parity

#endif  // GTEST_PARITY_JUDGE_CLASSIFY_H_
