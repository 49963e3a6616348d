#include <algorithm>

#include "gtest_parity/judge/end_to_end_rules.h"
#include "gtest_parity/judge/finding.h"
#include "gtest_parity/judge/judged_run.h"
#include "gtest_parity/judge/number_text.h"

namespace parity {
namespace {

void TellFindings(const EndToEndCase& c, Verdict& verdict) {
  const std::string& program = c.evidence.program;
  auto& findings = verdict.findings;
  if (c.evidence.death) findings.push_back(program + ": the candidate " + c.evidence.death->Text());
  findings.insert(findings.end(), c.damage.alone.begin(), c.damage.alone.end());
  findings.insert(findings.end(), c.damage.shared.begin(), c.damage.shared.end());
  for (const auto* flips : {&c.decisions.beyond, &c.decisions.unscored}) {
    for (const PlacedFlip& flip : *flips) findings.push_back(program + ", " + flip.Text());
  }
  for (const PlacedRow& flip : c.candidate.wide_flips) {
    findings.push_back(program + ", " + flip.Text() + ", allowed " + NumberText(c.rules.kl_limit) +
                       " nats (judge.kl), smallest limit that passes: kl " +
                       NumberText(flip.stats.kl));
  }
  const bool told = !c.candidate.wide_flips.empty();
  if (!told && c.candidate.worst_row && !(c.candidate.worst_row->stats.kl <= c.rules.kl_limit)) {
    findings.push_back(program + ", " + c.candidate.worst_row->Text() + ", allowed " +
                       NumberText(c.rules.kl_limit) +
                       " nats (judge.kl), smallest limit that passes: kl " +
                       NumberText(c.candidate.worst_row->stats.kl));
  }
  for (const PlacedRow& tie : c.candidate.ties) {
    findings.push_back("tie: " + program + ", " + tie.Text());
  }
  for (const PlacedFlip& tie : c.decisions.ties) {
    findings.push_back("tie: " + program + ", " + tie.Text());
  }
  if (c.candidate.lost > 0) {
    findings.push_back(Counted(c.candidate.lost, "comparison") +
                       " not judged, as they come after " + c.candidate.lost_after);
  }
  for (const FinalComparison& final : c.judged.finals) {
    if (final.stats.Identical() || !final.after.empty()) continue;
    findings.push_back(
        PlaceOf(program, final) + ": differs in " + std::to_string(final.stats.different) + " of " +
        Counted(final.stats.compared, "element") + ", max |d| " + ShortText(final.stats.max_abs) +
        ", nrmse " + ShortText(final.stats.Nrmse()) + ", " + std::to_string(final.stats.max_ulp) +
        " ulp");
  }
  for (const std::string& note : c.evidence.notes) findings.push_back("note: " + note);
}

void TellPlace(const EndToEndCase& c, Verdict& verdict) {
  if (c.evidence.death) {
    const Death& death = *c.evidence.death;
    if (!death.ranks.empty()) SetProperty(verdict, "rank", std::to_string(death.ranks.front()));
    if (!death.run.empty()) SetProperty(verdict, "run", death.run);
  } else if (!c.decisions.beyond.empty() || !c.decisions.unscored.empty()) {
    const PlacedFlip& flip =
        c.decisions.beyond.empty() ? c.decisions.unscored.front() : c.decisions.beyond.front();
    SetProperty(verdict, "rank", std::to_string(flip.rank));
    SetProperty(verdict, "run", flip.run);
  } else if (c.candidate.worst_row && !c.candidate.rows_identical) {
    const PlacedRow* worst = &*c.candidate.worst_row;
    if (!c.candidate.wide_flips.empty()) worst = &c.candidate.wide_flips.front();
    SetProperty(verdict, "rank", std::to_string(worst->rank));
    SetProperty(verdict, "run", worst->run);
  } else {
    for (const FinalComparison& final : c.judged.finals) {
      if (!final.after.empty() || (final.stats.Identical() && final.domain.count == 0)) continue;
      SetProperty(verdict, "rank", std::to_string(final.rank));
      SetProperty(verdict, "run", final.run);
      break;
    }
  }
}

void TellProperties(const EndToEndCase& c, const Ruling& ruling, Verdict& verdict) {
  std::uint64_t worst_ulp = 0;
  double nrmse = 0, max_abs = 0;
  for (const FinalComparison& final : c.judged.finals) {
    if (!final.after.empty()) continue;
    worst_ulp = std::max(worst_ulp, final.stats.max_ulp);
    nrmse = std::max(nrmse, final.stats.Nrmse());
    max_abs = std::max(max_abs, final.stats.max_abs);
  }
  const Band all = c.candidate.Whole();
  SetProperty(verdict, "outcome", std::string(NameOf(verdict.outcome)));
  SetProperty(verdict, "rule", ruling.rule);
  if (verdict.exact) SetProperty(verdict, "repeats", *verdict.exact ? "exact" : "hybrid");
  if (all.rows > 0) {
    SetProperty(verdict, "kl", NumberText(all.kl));
    SetProperty(verdict, "flips", std::to_string(all.flips));
    SetProperty(verdict, "rows", std::to_string(all.rows));
  }
  if (c.evidence.expected_decisions > 0) {
    SetProperty(verdict, "decision_ties", std::to_string(c.decisions.ties.size()));
    SetProperty(verdict, "forced", c.evidence.forced ? "yes" : "no");
  }
  SetProperty(verdict, "worst_ulp", std::to_string(worst_ulp));
  SetProperty(verdict, "nrmse", NumberText(nrmse));
  SetProperty(verdict, "max_abs", NumberText(max_abs));
  TellPlace(c, verdict);
  SetProperty(verdict, "compared", std::to_string(verdict.compared));
  SetProperty(verdict, "expected", std::to_string(verdict.expected));
}

}  // namespace

Verdict JudgeEndToEnd(const EndToEndEvidence& evidence, const Rules& rules) {
  const FreeRunEvidence judged = JudgedRun(evidence);
  const ReferenceRepeats reference(evidence, rules.kl_limit);
  const EndToEndCase c{evidence,
                       judged,
                       rules,
                       FactsOf(judged, rules.kl_limit),
                       reference,
                       DamageOf(evidence),
                       DecisionsOf(judged, reference, rules)};
  const Ruling ruling = FirstMatch(c);
  Verdict verdict;
  verdict.outcome = ruling.outcome;
  verdict.summary = ruling.summary;
  verdict.expected =
      evidence.expected_rows + evidence.expected_finals + evidence.expected_decisions;
  verdict.compared = c.candidate.rows + c.candidate.finals + c.candidate.decisions;
  if (c.reference.Known()) verdict.exact = c.reference.Bitwise();
  if (verdict.outcome == Outcome::kPass && !c.damage.shared.empty()) {
    verdict.outcome = Outcome::kPassStar;
    verdict.summary += "; the reference fails the same way: " + c.damage.shared.front();
  }
  TellFindings(c, verdict);
  TellProperties(c, ruling, verdict);
  return verdict;
}

}  // namespace parity
