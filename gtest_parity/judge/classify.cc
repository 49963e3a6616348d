#include "gtest_parity/judge/classify.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "gtest_parity/judge/decision_facts.h"
#include "gtest_parity/judge/domain_text.h"
#include "gtest_parity/judge/number_text.h"

namespace parity {
namespace {

// A NaN or an infinity that the other side does not have.
bool NonFiniteMismatch(const ElementStats& stats) {
  return stats.nan_only_reference + stats.nan_only_candidate + stats.infinity_only_reference +
             stats.infinity_only_candidate + stats.infinity_opposite >
         0;
}

bool IsNumber(DType dtype) { return dtype != DType::kBytes && dtype != DType::kBool; }

bool IsDate(const std::string& text) {
  if (text.size() != 10) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 4 || i == 7;
    if (dash ? text[i] != '-' : !std::isdigit(static_cast<unsigned char>(text[i]))) return false;
  }
  return true;
}

// The candidate differs from itself where the reference is not known to do so.
bool UnsteadyAlone(const TensorComparison& c) {
  return c.self_differs && !(c.spread.measured && !c.spread.exact);
}

// Damage that the candidate did alone.
std::string OwnDamage(const TensorComparison& c) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  if (c.stats.nan_only_candidate > 0) {
    add("NaN only in the candidate in " + Counted(c.stats.nan_only_candidate, "element"));
  }
  if (c.stats.infinity_only_candidate > 0) {
    add("infinity only in the candidate in " + Counted(c.stats.infinity_only_candidate, "element"));
  }
  if (c.stats.infinity_opposite > 0) {
    add("infinity of the other sign in " + Counted(c.stats.infinity_opposite, "element"));
  }
  if (c.missing_writes > 0) add(Counted(c.missing_writes, "element") + " not written");
  if (c.undefined_read) add("undefined read: the result depends on what the output held before");
  return text;
}

std::string LimitsText(const AppliedTolerance& tolerance) {
  std::string text;
  if (tolerance.nrmse) text = "nrmse " + NumberText(*tolerance.nrmse);
  if (tolerance.max_ulp) {
    text += (text.empty() ? "" : " and ") + std::string("max_ulp ") +
            std::to_string(*tolerance.max_ulp);
  }
  return text;
}

bool Names(const AppliedTolerance& tolerance, const TensorComparison& c) {
  return tolerance.tensor.empty() || tolerance.tensor == c.tensor;
}

const AppliedTolerance* FindWaiver(const TensorComparison& c, const Rules& rules) {
  for (const AppliedTolerance& tolerance : rules.tolerances) {
    if (InForce(tolerance, rules.today) && WithinLimits(c, tolerance)) return &tolerance;
  }
  return nullptr;
}

std::string SpreadSource(const TensorComparison& c, double factor) {
  const std::string rank = " on rank " + std::to_string(c.rank);
  if (!c.spread.measured) return "the reference's spread was not measured" + rank;
  const std::string pairs = " over " + Counted(c.spread.pairs, "pair");
  if (c.spread.exact) return "the reference repeats this bit for bit" + rank + pairs;
  if (!IsFloat(c.dtype)) {
    return "spread never excuses " + std::string(NameOf(c.dtype)) +
           ", though the reference differs" + " from itself" + rank;
  }
  return ShortText(factor) + " x the reference's distance from itself" + rank + pairs;
}

void TellAllowance(const TensorComparison& c, const Rules& rules, Finding& finding) {
  const bool numeric = c.spread.measured && !c.spread.exact && IsFloat(c.dtype);
  finding.allowed = !numeric ? "every bit"
                             : "nrmse " + ShortText(rules.spread_factor * c.spread.nrmse) +
                                   " and |d| " + ShortText(rules.spread_factor * c.spread.max_abs);
  finding.source = SpreadSource(c, rules.spread_factor);
  for (const AppliedTolerance& tolerance : rules.tolerances) {
    if (!Names(tolerance, c)) continue;
    finding.source += "; tolerance " + LimitsText(tolerance) + " \"" + tolerance.reason + "\" ";
    if (InForce(tolerance, rules.today)) {
      finding.source += "until " + tolerance.until;
    } else if (IsDate(tolerance.until) && IsDate(rules.today)) {
      finding.source += "expired on " + tolerance.until;
    } else {
      finding.source += "not in force: until '" + tolerance.until + "', today '" + rules.today +
                        "', expected YYYY-MM-DD";
    }
  }
}

std::string DistanceText(const TensorComparison& c) {
  std::string text;
  if (c.worst_values) {
    text = "reference " + c.worst_values->first + ", candidate " + c.worst_values->second;
  }
  if (c.choices) return text;  // ids have no distance
  if (!text.empty()) text += ": ";
  return text + "max |d| " + ShortText(c.stats.max_abs) + ", nrmse " + ShortText(c.stats.Nrmse()) +
         ", " + std::to_string(c.stats.max_ulp) + " ulp";
}

std::string SmallestTolerance(const TensorComparison& c, bool broken) {
  if (broken || NonFiniteMismatch(c.stats) || UnsteadyAlone(c)) {
    return "no tolerance would have passed it";
  }
  if (!IsNumber(c.dtype)) return "no tolerance applies to " + std::string(NameOf(c.dtype));
  const double nrmse = c.stats.Nrmse();
  const std::string ulp = "max_ulp " + std::to_string(c.stats.max_ulp);
  if (!std::isfinite(nrmse)) return "smallest tolerance that passes: " + ulp;
  return "smallest tolerance that passes: nrmse " + NumberText(nrmse) + " or " + ulp;
}

std::string Place(const TensorComparison& c) {
  std::uint64_t index = c.stats.worst_index;
  if (index == ElementStats::kNoIndex) index = c.stats.first_index;
  if (c.stats.Identical() && c.domain.count > 0) index = c.domain.first_index;
  return c.tensor + (index == ElementStats::kNoIndex ? "" : Coordinates(c.shape, index));
}

std::string DifferenceText(const TensorComparison& c) {
  if (c.stats.Identical()) return "";
  std::string text = "differs in " + std::to_string(c.stats.different) + " of " +
                     Counted(c.stats.compared, "element");
  if (c.stats.nan_only_reference > 0) {
    text += "; NaN only in the reference in " + Counted(c.stats.nan_only_reference, "element");
  }
  if (c.stats.infinity_only_reference > 0) {
    text += "; infinity only in the reference in " +
            Counted(c.stats.infinity_only_reference, "element");
  }
  if (c.stats.first_index != c.stats.worst_index && c.stats.first_index != ElementStats::kNoIndex) {
    text += "; first at " + Coordinates(c.shape, c.stats.first_index);
  }
  return text;
}

MarginAllowance AllowanceOf(const TensorComparison& c, const Rules& rules) {
  const Spread& scores = c.choices->spread;
  if (!scores.measured) return AllowedMargin(rules, std::nullopt);
  return AllowedMargin(rules, scores.exact ? 0 : scores.max_abs);
}

// The flip that the reference's scores speak against most; null where there is none.
const DecisionFlip* WidestFlip(const TensorComparison& c) {
  const std::vector<DecisionFlip>& flips = c.choices->stats.flips;
  const auto widest = std::max_element(flips.begin(), flips.end(),
                                       [](const DecisionFlip& a, const DecisionFlip& b) {
                                         return std::abs(a.margin) < std::abs(b.margin);
                                       });
  return widest == flips.end() ? nullptr : &*widest;
}

ChoiceVerdict JudgeChoices(const TensorComparison& c, const Rules& rules) {
  if (!c.choices || c.choices->stats.flips.empty() || UnsteadyAlone(c)) return ChoiceVerdict::kNone;
  if (rules.exact && c.spread.measured && c.spread.exact) return ChoiceVerdict::kNone;
  if (FindWaiver(c, rules)) return ChoiceVerdict::kNone;
  if (!c.choices->unscored.empty()) return ChoiceVerdict::kUnscored;
  return IsTie(*WidestFlip(c), AllowanceOf(c, rules)) ? ChoiceVerdict::kTied
                                                      : ChoiceVerdict::kBeyond;
}

std::string ChoicesText(const TensorComparison& c, const Rules& rules) {
  if (!c.choices || c.choices->stats.flips.empty()) return "";
  const DecisionFlip& flip = *WidestFlip(c);
  std::string text = Counted(c.choices->stats.flips.size(), "other choice") + ", widest at " +
                     Coordinates(c.shape, flip.index) + ": " + std::to_string(flip.reference) +
                     " -> " + std::to_string(flip.candidate);
  if (!c.choices->unscored.empty()) return text + ", without scores: " + c.choices->unscored;
  text += ", margin " + ShortText(flip.margin) + " in " + c.choices->scores;
  return (JudgeChoices(c, rules) == ChoiceVerdict::kTied ? "tie: " : "") + text;
}

// What a margin would have had to be, in the place of what a distance would have had to.
void TellMargin(const TensorComparison& c, const Rules& rules, Finding& finding) {
  const MarginAllowance allowance = AllowanceOf(c, rules);
  const double widest = std::abs(WidestFlip(c)->margin);
  finding.allowed = "margin " + ShortText(allowance.margin);
  finding.source = allowance.source;
  if (IsTie(*WidestFlip(c), allowance)) return;
  finding.would_pass = std::isfinite(widest)
                           ? "smallest judge.margin that passes: " + NumberText(widest)
                           : "no margin would have passed it";
}

SpanClass DistanceClass(const TensorComparison& c, const Rules& rules) {
  if (UnsteadyAlone(c)) return SpanClass::kDifferent;
  if (c.stats.Identical()) return SpanClass::kIdentical;
  if (IsFloat(c.dtype) && c.stats.ValueIdentical()) return SpanClass::kValueIdentical;
  if (WithinSpread(c, rules.spread_factor)) return SpanClass::kWithinSpread;
  if (JudgeChoices(c, rules) == ChoiceVerdict::kTied) return SpanClass::kWithinSpread;
  if (FindWaiver(c, rules)) return SpanClass::kWithinTolerance;
  return SpanClass::kDifferent;
}

std::string WhatText(const TensorComparison& c, SpanClass span_class, const std::string& damage,
                     const Rules& rules) {
  std::string text(NameOf(span_class));
  const auto add = [&text](const std::string& part) { text += part.empty() ? "" : "; " + part; };
  add(damage);
  if (c.domain.count > 0) add(DomainText(c.domain, Coordinates(c.shape, c.domain.first_index)));
  if (UnsteadyAlone(c)) {
    add(std::string("the candidate differs from itself, the reference ") +
        (c.spread.measured ? "does not" : "was not repeated"));
  }
  add(DifferenceText(c));
  add(ChoicesText(c, rules));
  if (span_class == SpanClass::kWithinTolerance) add("waived: " + FindWaiver(c, rules)->reason);
  return text;
}

}  // namespace

bool WithinSpread(const TensorComparison& c, double spread_factor) {
  if (!c.spread.measured || c.spread.exact || !IsFloat(c.dtype)) return false;
  if (NonFiniteMismatch(c.stats)) return false;
  const double nrmse = spread_factor * c.spread.nrmse;
  const double max_abs = spread_factor * c.spread.max_abs;
  if (!std::isfinite(nrmse) || !std::isfinite(max_abs)) return false;
  return c.stats.Nrmse() <= nrmse && c.stats.max_abs <= max_abs;
}

bool WithinLimits(const TensorComparison& c, const AppliedTolerance& tolerance) {
  if (!Names(tolerance, c) || !IsNumber(c.dtype) || NonFiniteMismatch(c.stats)) return false;
  if (!tolerance.nrmse && !tolerance.max_ulp) return false;
  const bool nrmse_holds = !tolerance.nrmse || c.stats.Nrmse() <= *tolerance.nrmse;
  const bool ulp_holds = !tolerance.max_ulp || c.stats.max_ulp <= *tolerance.max_ulp;
  return nrmse_holds && ulp_holds;
}

bool InForce(const AppliedTolerance& tolerance, const std::string& today) {
  return IsDate(today) && IsDate(tolerance.until) && today <= tolerance.until;
}

Classification Classify(const std::string& span, const TensorComparison& c, const Rules& rules) {
  Classification result;
  const std::string damage = OwnDamage(c);
  const bool outside_domain = c.domain.count > 0;
  const bool broken = !damage.empty() || outside_domain;
  result.span_class = broken ? SpanClass::kBroken : DistanceClass(c, rules);
  result.reference_fails_too = outside_domain && damage.empty() && c.stats.compared > 0 &&
                               c.stats.Identical() && !UnsteadyAlone(c);
  if (result.span_class == SpanClass::kIdentical) return result;

  Finding& finding = result.finding;
  finding.where = Where(span, c.run, c.rank, Place(c));
  finding.what = WhatText(c, result.span_class, damage, rules);
  if (!c.stats.Identical()) finding.got = DistanceText(c);
  TellAllowance(c, rules, finding);
  if (result.span_class == SpanClass::kDifferent || broken) {
    finding.would_pass = SmallestTolerance(c, broken);
  }
  if (broken) return result;
  result.choices = JudgeChoices(c, rules);
  const bool by_margin =
      result.choices == ChoiceVerdict::kTied || result.choices == ChoiceVerdict::kBeyond;
  if (by_margin) TellMargin(c, rules, finding);
  return result;
}

}  // namespace parity
