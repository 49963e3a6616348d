#include "gtest_parity/judge/end_to_end_rules.h"

#include <optional>

#include "gtest_parity/judge/finding.h"
#include "gtest_parity/judge/number_text.h"

namespace parity {
namespace {

std::string CandidateText(const FreeRunFacts& facts) {
  const Band all = facts.Whole();
  std::string text = "worst KL " + ShortText(all.kl) + " nats, " + Counted(all.flips, "flip") +
                     " in " + Counted(all.rows, "row");
  if (facts.worst_row) text += ", worst at " + facts.worst_row->Text();
  return text;
}

std::string Bands(const EndToEndCase& c) {
  return "candidate: " + CandidateText(c.candidate) +
         "; reference against itself: " + c.reference.Text() + "; limit " +
         NumberText(c.rules.kl_limit) + " nats";
}

std::string FirstDifference(const EndToEndCase& c) {
  for (const auto* flips : {&c.decisions.beyond, &c.decisions.unscored, &c.decisions.ties}) {
    if (!flips->empty()) return c.evidence.program + ", " + flips->front().Text();
  }
  for (const FinalComparison& final : c.judged.finals) {
    if (!final.stats.Identical() && final.after.empty()) {
      return PlaceOf(c.evidence.program, final) + " differs in " +
             std::to_string(final.stats.different) + " of " +
             Counted(final.stats.compared, "element") + ", first at #" +
             std::to_string(final.stats.first_index);
    }
  }
  return "";
}

std::string WhatDiffers(const EndToEndCase& c) {
  if (!c.candidate.rows_identical) return CandidateText(c.candidate);
  return FirstDifference(c);
}

bool Undriven(const EndToEndCase& c) { return c.evidence.changed && c.evidence.runs_driven == 0; }

bool Complete(const EndToEndCase& c) {
  return c.candidate.rows + c.candidate.finals + c.candidate.decisions > 0 &&
         c.candidate.rows >= c.evidence.expected_rows &&
         c.candidate.finals >= c.evidence.expected_finals &&
         c.candidate.decisions >= c.evidence.expected_decisions;
}

// `spread_factor` multiplies distances between logits, and KL is quadratic in those to first order
// (half of d' F d, F the Fisher information of the softmax).
double KlFactor(const Rules& rules) { return rules.spread_factor * rules.spread_factor; }

// Rows that no reference repeat speaks for are outside. In `end_to_end`, where the reference
// repeats a scenario bit for bit, the KL limit takes the place of the band.
bool ScenarioWithinBand(const EndToEndCase& c, const BandKey& key, const Band& band) {
  if (c.reference.ScenarioIsExact(key)) {
    return band.identical || (!c.rules.exact && band.kl <= c.rules.kl_limit);
  }
  return band.kl <= KlFactor(c.rules) * c.reference.OfRank(key.first).kl;
}

bool WithinReferenceBand(const EndToEndCase& c) {
  if (!c.reference.Known() || c.candidate.rows == 0) return false;
  for (const auto& [key, band] : c.candidate.bands) {
    if (!ScenarioWithinBand(c, key, band)) return false;
    const double flips = static_cast<double>(c.candidate.OfRank(key.first).flips);
    const double allowed = static_cast<double>(c.reference.OfRank(key.first).flips);
    if (flips > c.rules.spread_factor * allowed) return false;
  }
  return true;
}

std::optional<Ruling> RuleDeath(const EndToEndCase& c) {
  if (!c.evidence.death) return std::nullopt;
  return Ruling{Outcome::kFail, "death", "the candidate " + c.evidence.death->Text()};
}

std::optional<Ruling> Rule1(const EndToEndCase& c) {
  if (c.damage.alone.empty()) return std::nullopt;
  return Ruling{Outcome::kFail, "1", c.damage.alone.front()};
}

std::optional<Ruling> RuleDecisionFails(const EndToEndCase& c) {
  if (c.decisions.beyond.empty()) return std::nullopt;
  return Ruling{Outcome::kFail, "decision",
                Counted(c.decisions.beyond.size(), "choice") +
                    " beyond the reference's own margin: " + c.decisions.beyond.front().Text()};
}

std::optional<Ruling> Rule2Fails(const EndToEndCase& c) {
  if (!c.rules.exact || !c.reference.Bitwise() || c.candidate.Identical()) return std::nullopt;
  return Ruling{
      Outcome::kFail, "2",
      "the reference's workload repeats bit for bit, the candidate's differs: " + WhatDiffers(c)};
}

std::optional<Ruling> Rule3(const EndToEndCase& c) {
  if (c.candidate.wide_flips.empty()) return std::nullopt;
  for (const PlacedRow& flip : c.candidate.wide_flips) {
    if (!c.reference.Steady(flip.rank)) continue;
    return Ruling{Outcome::kFail, "3",
                  "argmax flip with KL above " + NumberText(c.rules.kl_limit) + " nats: " +
                      flip.Text() + "; the reference repeats itself: " + c.reference.Text()};
  }
  // `exact` asks for the reference's own band, which rule 7 knows, flips included.
  if (c.rules.exact) return std::nullopt;
  return Ruling{
      Outcome::kInconclusive, "3",
      "argmax flip above the limit, but the reference does not repeat itself: " + Bands(c)};
}

std::optional<Ruling> Rule4(const EndToEndCase& c) {
  const EndToEndEvidence& e = c.evidence;
  const bool spans_identical = e.every_span_compared_in_every_run && e.every_span_identical;
  if (!spans_identical || !c.reference.Bitwise() || c.candidate.Identical()) return std::nullopt;
  return Ruling{
      Outcome::kFail, "4",
      "unexplained end to end: every span is identical in every run, yet " + WhatDiffers(c)};
}

std::optional<Ruling> Rule5(const EndToEndCase& c) {
  if (!Undriven(c)) return std::nullopt;
  return Ruling{
      Outcome::kInconclusive, "5",
      "program " + c.evidence.program + " is changed and the workload never drove it; " + Bands(c)};
}

std::optional<Ruling> RuleDecisionOpen(const EndToEndCase& c) {
  if (!c.decisions.unscored.empty()) {
    return Ruling{Outcome::kInconclusive, "decision",
                  Counted(c.decisions.unscored.size(), "other choice") + ": " +
                      c.decisions.unscored.front().Text()};
  }
  if (c.candidate.lost == 0) return std::nullopt;
  return Ruling{Outcome::kInconclusive, "decision",
                Counted(c.candidate.lost, "comparison") + " not judged, as they come after " +
                    c.candidate.lost_after};
}

std::optional<Ruling> RuleLedger(const EndToEndCase& c) {
  if (Complete(c)) return std::nullopt;
  const FreeRunFacts& facts = c.candidate;
  if (facts.rows + facts.finals + facts.decisions == 0) {
    return Ruling{Outcome::kNotCompared, "ledger", "nothing was compared end to end"};
  }
  const std::string decisions = c.evidence.expected_decisions == 0
                                    ? ""
                                    : " and " + std::to_string(facts.decisions) + " of " +
                                          Counted(c.evidence.expected_decisions, "decision");
  return Ruling{Outcome::kNotCompared, "ledger",
                "only " + std::to_string(facts.rows) + " of " +
                    Counted(c.evidence.expected_rows, "row") + " and " +
                    std::to_string(facts.finals) + " of " +
                    Counted(c.evidence.expected_finals, "output or final state") + decisions +
                    " were compared"};
}

std::optional<Ruling> Rule2(const EndToEndCase& c) {
  if (!c.rules.exact) return std::nullopt;
  if (!c.reference.Known()) {
    return Ruling{
        Outcome::kInconclusive, "2",
        (c.evidence.reference.empty() ? std::string("the reference was not repeated")
                                      : std::string("the reference was not repeated in full")) +
            ", so that `exact` cannot be asked of the candidate; " + Bands(c)};
  }
  if (!c.reference.Bitwise()) return std::nullopt;
  return Ruling{Outcome::kPass, "2",
                "identical end to end: " + Counted(c.candidate.rows, "row") + ", " +
                    Counted(c.candidate.finals, "output or final state")};
}

std::optional<Ruling> Rule6(const EndToEndCase& c) {
  if (c.rules.exact || c.candidate.rows == 0) return std::nullopt;
  const Band all = c.candidate.Whole();
  if (all.identical) {
    return Ruling{Outcome::kPass, "6",
                  Counted(all.rows, "row") + " of logits identical, bit for bit"};
  }
  if (!(all.kl <= c.rules.kl_limit)) return std::nullopt;
  return Ruling{Outcome::kPass, "6",
                "every KL within " + NumberText(c.rules.kl_limit) + " nats: worst " +
                    ShortText(all.kl) + " in " + Counted(all.rows, "row") + ", " +
                    Counted(all.flips, "tie")};
}

std::optional<Ruling> Rule7(const EndToEndCase& c) {
  if (!WithinReferenceBand(c)) return std::nullopt;
  return Ruling{Outcome::kPass, "7",
                "no further than the reference from itself (" + ShortText(c.rules.spread_factor) +
                    " x its own distance allowed, " + ShortText(KlFactor(c.rules)) +
                    " x in KL): " + Bands(c)};
}

std::optional<Ruling> Rule8(const EndToEndCase& c) {
  if (c.candidate.rows > 0) return std::nullopt;
  if (c.evidence.every_span_identical && c.candidate.finals_identical) {
    return Ruling{Outcome::kPass, "8",
                  "no logits; every span and " +
                      Counted(c.candidate.finals, "output or final state") + " identical"};
  }
  const std::string difference = FirstDifference(c);
  return Ruling{Outcome::kInconclusive, "8",
                "no logits to compare, and " +
                    (difference.empty() ? "not every span is identical" : difference) + "; " +
                    Bands(c)};
}

Ruling Rule9(const EndToEndCase& c) { return {Outcome::kInconclusive, "9", Bands(c)}; }

}  // namespace

Ruling FirstMatch(const EndToEndCase& c) {
  constexpr std::optional<Ruling> (*kOrder[])(const EndToEndCase&) = {RuleDeath,
                                                                      Rule1,
                                                                      RuleDecisionFails,
                                                                      Rule2Fails,
                                                                      Rule3,
                                                                      Rule4,
                                                                      Rule5,
                                                                      RuleDecisionOpen,
                                                                      RuleLedger,
                                                                      Rule2,
                                                                      Rule6,
                                                                      Rule7,
                                                                      Rule8};
  for (const auto rule : kOrder) {
    if (std::optional<Ruling> ruling = rule(c)) return *ruling;
  }
  return Rule9(c);
}

}  // namespace parity
