// The words of a verdict.
#ifndef GTEST_PARITY_JUDGE_OUTCOME_H_
#define GTEST_PARITY_JUDGE_OUTCOME_H_

#include <array>
#include <optional>
#include <string_view>

namespace parity {

enum class Outcome {
  kNotCompared,  // nothing was; never passes
  kPass,
  kPassStar,  // the reference fails the same check in the same way
  kWaived,    // inside a tolerance that the manifest declares, with reason and expiry
  kFail,
  kInconclusive,
  kBlocked,  // could not run here
  kError,    // the harness or the reference broke
  kSelf,     // both sides are the same thing
};

// How far a span is from the reference, from best to worst.
enum class SpanClass {
  kIdentical,        // every bit
  kValueIdentical,   // only the sign of zero or NaN payloads
  kWithinSpread,     // no further than the reference from itself
  kWithinTolerance,  // inside a declared tolerance
  kDifferent,
  kBroken,  // NaN/Inf only in the candidate, missing or outside writes, a death, ...
};

// In the order in which reports list them.
inline constexpr std::array kAllOutcomes = {
    Outcome::kPass, Outcome::kPassStar,    Outcome::kWaived,
    Outcome::kFail, Outcome::kError,       Outcome::kInconclusive,
    Outcome::kSelf, Outcome::kNotCompared, Outcome::kBlocked};
// From best to worst.
inline constexpr std::array kAllSpanClasses = {
    SpanClass::kIdentical,       SpanClass::kValueIdentical, SpanClass::kWithinSpread,
    SpanClass::kWithinTolerance, SpanClass::kDifferent,      SpanClass::kBroken};

std::string_view NameOf(Outcome outcome);       // "PASS", "PASS*", "FAIL", "NOT_COMPARED", ...
std::string_view NameOf(SpanClass span_class);  // "identical", "value_identical", ...
bool Passes(Outcome outcome);                   // PASS, PASS* and WAIVED

// The inverse of NameOf; nullopt for any other text.
std::optional<Outcome> ParseOutcome(std::string_view name);
std::optional<SpanClass> ParseSpanClass(std::string_view name);

}  // namespace parity

#endif  // GTEST_PARITY_JUDGE_OUTCOME_H_
