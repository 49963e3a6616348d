#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include "gtest_parity/judge/classify.h"
#include "gtest_parity/judge/judge.h"
#include "gtest_parity/judge/number_text.h"

namespace parity {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

struct Told {
  SpanClass span_class = SpanClass::kIdentical;
  double distance = 0;  // orders findings of one class
  int rank = -1;
  std::string run;
  std::string text;
};

struct Assessment {
  std::optional<SpanClass> worst;                 // nullopt: there is nothing to classify
  SpanClass worst_alone = SpanClass::kIdentical;  // without what the reference fails alike
  bool reference_fails_too = false;
  bool choice_beyond = false;    // fails, whatever the logits say
  bool choice_unscored = false;  // cannot pass
  std::vector<Told> told;        // worst first
};

void Note(Assessment& assessment, SpanClass span_class, bool reference_fails_too) {
  assessment.worst = std::max(assessment.worst.value_or(SpanClass::kIdentical), span_class);
  if (reference_fails_too) {
    assessment.reference_fails_too = true;
  } else {
    assessment.worst_alone = std::max(assessment.worst_alone, span_class);
  }
}

double DistanceOf(const ElementStats& stats) {
  const double nrmse = stats.Nrmse();
  const bool unbounded = stats.nan_only_candidate > 0 || std::isnan(nrmse);
  return unbounded ? kUnbounded : nrmse;
}

void AssessDeath(const std::string& span, const Death& death, Assessment& assessment) {
  Note(assessment, SpanClass::kBroken, false);
  const int rank = death.ranks.empty() ? -1 : death.ranks.front();
  const std::string text = Where(span, "", -1, "") + ": the candidate " + death.Text();
  assessment.told.push_back({SpanClass::kBroken, kUnbounded, rank, death.run, text});
}

void AssessOutside(const std::string& span, const OutsideWrite& outside, Assessment& assessment) {
  Note(assessment, SpanClass::kBroken, false);
  Finding finding;
  finding.where = Where(span, outside.run, outside.rank, outside.tensor);
  const std::string first = std::to_string(outside.first_offset);
  finding.what = outside.whole_pages
                     ? "broken; a constant was written to, within " +
                           Counted(outside.bytes, "byte") + " of pages, the first at byte " + first
                     : "broken; " + Counted(outside.bytes, "byte") +
                           " written outside what the reference writes, first at byte " + first;
  finding.allowed = "0 bytes";
  finding.source = "the reference's written set";
  finding.would_pass = "no tolerance would have passed it";
  assessment.told.push_back({SpanClass::kBroken, 0, outside.rank, outside.run, finding.Text()});
}

void AssessComparison(const std::string& span, const TensorComparison& comparison,
                      const Rules& rules, Assessment& assessment) {
  const Classification found = Classify(span, comparison, rules);
  const bool silent = found.finding.what.empty();
  if (silent && comparison.stats.compared == 0) return;  // nothing is not identical to anything
  const bool unscored = found.choices == ChoiceVerdict::kUnscored;
  assessment.choice_beyond |= found.choices == ChoiceVerdict::kBeyond;
  assessment.choice_unscored |= unscored;
  if (unscored) {
    assessment.worst = std::max(assessment.worst.value_or(SpanClass::kIdentical), found.span_class);
  } else {
    Note(assessment, found.span_class, found.reference_fails_too);
  }
  if (silent) return;
  const double distance = found.reference_fails_too ? -1 : DistanceOf(comparison.stats);
  assessment.told.push_back(
      {found.span_class, distance, comparison.rank, comparison.run, found.finding.Text()});
}

Assessment Assess(const SpanEvidence& evidence, const Rules& rules) {
  Assessment assessment;
  if (evidence.death) AssessDeath(evidence.span, *evidence.death, assessment);
  for (const OutsideWrite& outside : evidence.outside) {
    if (outside.bytes > 0) AssessOutside(evidence.span, outside, assessment);
  }
  for (const TensorComparison& comparison : evidence.comparisons) {
    AssessComparison(evidence.span, comparison, rules, assessment);
  }
  std::stable_sort(assessment.told.begin(), assessment.told.end(),
                   [](const Told& a, const Told& b) {
                     return std::tie(a.span_class, a.distance) > std::tie(b.span_class, b.distance);
                   });
  return assessment;
}

// How many different things were compared; a comparison of nothing, or a second one of the same
// thing, does not count.
std::uint64_t CountCompared(const SpanEvidence& evidence) {
  std::set<std::tuple<int, std::string, std::string>> keys;
  for (const TensorComparison& c : evidence.comparisons) {
    if (c.stats.compared > 0) keys.emplace(c.rank, c.run, c.tensor);
  }
  return keys.size();
}

std::string NotRestoredText(const SpanEvidence& evidence, const NotRestored& at) {
  return Where(evidence.span, at.run, at.rank, at.tensor) +
         ": the candidate cannot be put as the reference was: " + at.why;
}

// What is missing from the ledger; empty if nothing is.
std::string Shortfall(const SpanEvidence& evidence, std::uint64_t compared) {
  if (!evidence.not_restored.empty()) return NotRestoredText(evidence, evidence.not_restored[0]);
  for (const TensorComparison& c : evidence.comparisons) {
    if (c.stats.compared == 0) {
      return "no element was compared: " + Where(evidence.span, c.run, c.rank, c.tensor);
    }
  }
  if (compared == 0) return "nothing was compared";
  if (compared < evidence.expected) {
    return "only " + std::to_string(compared) + " of " + Counted(evidence.expected, "comparison") +
           " took place";
  }
  return "";
}

std::optional<bool> RepeatsExactly(const SpanEvidence& evidence) {
  bool all_measured = !evidence.comparisons.empty();
  for (const TensorComparison& c : evidence.comparisons) {
    if (c.spread.measured && !c.spread.exact) return false;
    all_measured = all_measured && c.spread.measured;
  }
  if (all_measured) return true;
  return std::nullopt;
}

// What `different` comes to when the program's logits decide.
void CarryEndToEnd(const std::optional<Verdict>& end_to_end, Verdict& verdict) {
  if (!end_to_end) {
    verdict.outcome = Outcome::kNotCompared;
    verdict.summary = "different, and its program was not judged end to end";
    return;
  }
  // A span that ran and differs is not excused by a program that could not run whole.
  const bool undecided =
      end_to_end->outcome == Outcome::kBlocked || end_to_end->outcome == Outcome::kSelf;
  verdict.outcome = undecided ? Outcome::kInconclusive : end_to_end->outcome;
  verdict.summary = "different, judged end to end: " + std::string(NameOf(end_to_end->outcome)) +
                    " " + end_to_end->summary;
  if (const std::string* kl = FindProperty(*end_to_end, "kl")) SetProperty(verdict, "kl", *kl);
  if (const std::string* rule = FindProperty(*end_to_end, "rule")) {
    SetProperty(verdict, "rule", *rule);
  }
}

std::string FirstFinding(const Verdict& verdict) {
  return verdict.findings.empty() ? "" : verdict.findings.front();
}

void Decide(const SpanEvidence& evidence, const Rules& rules, const Assessment& assessment,
            const std::optional<Verdict>& end_to_end, Verdict& verdict) {
  const SpanClass alone = assessment.worst_alone;
  const std::string shortfall = Shortfall(evidence, verdict.compared);
  const std::string count =
      std::to_string(verdict.compared) + " of " + Counted(verdict.expected, "comparison");
  if (alone == SpanClass::kBroken || assessment.choice_beyond ||
      (alone == SpanClass::kDifferent && rules.exact)) {
    verdict.outcome = Outcome::kFail;
    verdict.summary = FirstFinding(verdict);
  } else if (!shortfall.empty()) {
    verdict.outcome = Outcome::kNotCompared;
    verdict.summary = shortfall;
  } else if (alone == SpanClass::kDifferent) {
    CarryEndToEnd(end_to_end, verdict);
  } else if (alone == SpanClass::kWithinTolerance) {
    verdict.outcome = Outcome::kWaived;
    verdict.summary = FirstFinding(verdict);
  } else {
    verdict.outcome = Outcome::kPass;
    verdict.summary = std::string(NameOf(alone)) + ": " + count;
  }
  if (assessment.choice_unscored && Passes(verdict.outcome)) {
    verdict.outcome = Outcome::kInconclusive;
    verdict.summary = FirstFinding(verdict);
  }
  if (assessment.reference_fails_too && Passes(verdict.outcome)) {
    verdict.outcome = Outcome::kPassStar;
    verdict.summary = "the reference fails the same way: " + FirstFinding(verdict);
  }
}

std::string Joined(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : ", ") + text;
  return joined;
}

void TellProperties(const SpanEvidence& evidence, const Assessment& assessment, Verdict& verdict) {
  std::uint64_t worst_ulp = 0;
  double nrmse = 0, max_abs = 0;
  for (const TensorComparison& c : evidence.comparisons) {
    worst_ulp = std::max(worst_ulp, c.stats.max_ulp);
    nrmse = std::max(nrmse, std::isnan(c.stats.Nrmse()) ? kUnbounded : c.stats.Nrmse());
    max_abs = std::max(max_abs, c.stats.max_abs);
  }
  SetProperty(verdict, "outcome", std::string(NameOf(verdict.outcome)));
  if (verdict.span_class) SetProperty(verdict, "class", std::string(NameOf(*verdict.span_class)));
  if (verdict.exact) SetProperty(verdict, "repeats", *verdict.exact ? "exact" : "hybrid");
  if (!evidence.unavailable.empty()) {
    SetProperty(verdict, "unavailable", Joined(evidence.unavailable));
  }
  SetProperty(verdict, "worst_ulp", std::to_string(worst_ulp));
  SetProperty(verdict, "nrmse", NumberText(nrmse));
  SetProperty(verdict, "max_abs", NumberText(max_abs));
  if (!assessment.told.empty()) {
    const Told& worst = assessment.told.front();
    if (worst.rank >= 0) SetProperty(verdict, "rank", std::to_string(worst.rank));
    if (!worst.run.empty()) SetProperty(verdict, "run", worst.run);
  }
  SetProperty(verdict, "compared", std::to_string(verdict.compared));
  SetProperty(verdict, "expected", std::to_string(verdict.expected));
}

}  // namespace

Verdict JudgeSpan(const SpanEvidence& evidence, const Rules& rules,
                  const std::optional<Verdict>& end_to_end) {
  const Assessment assessment = Assess(evidence, rules);
  Verdict verdict;
  verdict.expected = evidence.expected;
  verdict.compared = CountCompared(evidence);
  verdict.span_class = assessment.worst;
  verdict.exact = RepeatsExactly(evidence);
  for (const Told& told : assessment.told) verdict.findings.push_back(told.text);
  for (const NotRestored& at : evidence.not_restored) {
    verdict.findings.push_back(NotRestoredText(evidence, at));
  }
  for (const std::string& note : evidence.notes) verdict.findings.push_back("note: " + note);
  Decide(evidence, rules, assessment, end_to_end, verdict);
  TellProperties(evidence, assessment, verdict);
  return verdict;
}

bool NeedsEndToEnd(const SpanEvidence& evidence, const Rules& rules) {
  return !rules.exact && Assess(evidence, rules).worst_alone == SpanClass::kDifferent;
}

}  // namespace parity
