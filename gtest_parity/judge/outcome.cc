#include "gtest_parity/judge/outcome.h"

namespace parity {

std::string_view NameOf(Outcome outcome) {
  switch (outcome) {
    case Outcome::kNotCompared:
      return "NOT_COMPARED";
    case Outcome::kPass:
      return "PASS";
    case Outcome::kPassStar:
      return "PASS*";
    case Outcome::kWaived:
      return "WAIVED";
    case Outcome::kFail:
      return "FAIL";
    case Outcome::kInconclusive:
      return "INCONCLUSIVE";
    case Outcome::kBlocked:
      return "BLOCKED";
    case Outcome::kError:
      return "ERROR";
    case Outcome::kSelf:
      return "SELF";
  }
  return "";
}

std::string_view NameOf(SpanClass span_class) {
  switch (span_class) {
    case SpanClass::kIdentical:
      return "identical";
    case SpanClass::kValueIdentical:
      return "value_identical";
    case SpanClass::kWithinSpread:
      return "within_spread";
    case SpanClass::kWithinTolerance:
      return "within_tolerance";
    case SpanClass::kDifferent:
      return "different";
    case SpanClass::kBroken:
      return "broken";
  }
  return "";
}

bool Passes(Outcome outcome) {
  return outcome == Outcome::kPass || outcome == Outcome::kPassStar || outcome == Outcome::kWaived;
}

std::optional<Outcome> ParseOutcome(std::string_view name) {
  for (const Outcome outcome : kAllOutcomes) {
    if (NameOf(outcome) == name) return outcome;
  }
  return std::nullopt;
}

std::optional<SpanClass> ParseSpanClass(std::string_view name) {
  for (const SpanClass span_class : kAllSpanClasses) {
    if (NameOf(span_class) == name) return span_class;
  }
  return std::nullopt;
}

}  // namespace parity
