#include "gtest_parity/judge/free_run_damage.h"

#include <algorithm>

#include "gtest_parity/judge/domain_text.h"
#include "gtest_parity/judge/finding.h"
#include "gtest_parity/judge/star.h"

namespace parity {
namespace {

// Outputs, final states and decisions.
std::vector<const FinalComparison*> ValuesOf(const FreeRunEvidence& evidence) {
  std::vector<const FinalComparison*> values;
  for (const FinalComparison& final : evidence.finals) values.push_back(&final);
  for (const DecisionComparison& decision : evidence.decisions) values.push_back(&decision.values);
  return values;
}

bool ReferenceSharesDomain(const EndToEndEvidence& evidence, const FinalComparison& final) {
  const auto sign = [&](const FinalComparison& of) {
    return DomainSignature(evidence.program, of.tensor, of.run, of.rank, of.domain);
  };
  const auto shares = [&](const FreeRunEvidence& repeat) {
    const std::vector<const FinalComparison*> values = ValuesOf(repeat);
    return std::any_of(values.begin(), values.end(), [&](const FinalComparison* of) {
      return of->domain.count > 0 &&
             ReferenceViolatesToo(sign(final), final.domain, sign(*of), of->domain);
    });
  };
  return !evidence.reference.empty() &&
         std::all_of(evidence.reference.begin(), evidence.reference.end(), shares);
}

void CollectFinal(const EndToEndEvidence& evidence, const FinalComparison& final,
                  FreeRunDamage& damage) {
  const std::string place = PlaceOf(evidence.program, final);
  const std::uint64_t infinities =
      final.stats.infinity_only_candidate + final.stats.infinity_opposite;
  if (final.stats.nan_only_candidate + infinities > 0) {
    damage.alone.push_back(place + ": NaN only in the candidate in " +
                           Counted(final.stats.nan_only_candidate, "element") +
                           ", infinity only in the candidate, or of the other sign, in " +
                           std::to_string(infinities) + ", allowed none");
  }
  if (final.domain.count == 0) return;
  const std::string at = Coordinates({}, final.domain.first_index);
  auto& list = ReferenceSharesDomain(evidence, final) ? damage.shared : damage.alone;
  list.push_back(place + ": " + DomainText(final.domain, at) + ", allowed none");
}

void CollectRows(const EndToEndEvidence& evidence, const RowsComparison& rows,
                 FreeRunDamage& damage) {
  std::uint64_t nan_rows = 0;
  for (const RowStats& row : rows.rows) nan_rows += row.nan_candidate > 0 && row.nan_reference == 0;
  if (rows.nonfinite_candidate_only == 0 && nan_rows == 0) return;
  damage.alone.push_back(Where(evidence.program, rows.run, rows.rank, rows.tensor) +
                         ": NaN or infinity only in the candidate in " +
                         Counted(rows.nonfinite_candidate_only, "element") + ", NaN in " +
                         Counted(nan_rows, "row") + ", allowed none");
}

void Collect(const EndToEndEvidence& evidence, const FreeRunEvidence& run, FreeRunDamage& damage) {
  for (const FinalComparison* final : ValuesOf(run)) CollectFinal(evidence, *final, damage);
  for (const RowsComparison& rows : run.rows) CollectRows(evidence, rows, damage);
}

void AddNew(const std::vector<std::string>& lines, std::vector<std::string>& into) {
  for (const std::string& line : lines) {
    if (std::find(into.begin(), into.end(), line) == into.end()) into.push_back(line);
  }
}

}  // namespace

std::string PlaceOf(const std::string& program, const FinalComparison& final) {
  return Where(program, final.run, final.rank, (final.state ? "state " : "") + final.tensor);
}

FreeRunDamage DamageOf(const EndToEndEvidence& evidence) {
  FreeRunDamage damage;
  Collect(evidence, evidence.candidate, damage);
  if (!evidence.forced) return damage;
  FreeRunDamage forced;
  Collect(evidence, *evidence.forced, forced);
  AddNew(forced.alone, damage.alone);
  AddNew(forced.shared, damage.shared);
  return damage;
}

}  // namespace parity
