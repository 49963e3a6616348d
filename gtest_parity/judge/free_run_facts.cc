#include "gtest_parity/judge/free_run_facts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include "gtest_parity/judge/finding.h"
#include "gtest_parity/judge/number_text.h"

namespace parity {
namespace {

using Key = std::tuple<int, std::string, std::string>;

double KlOf(const RowStats& row) {
  return std::isnan(row.kl) ? std::numeric_limits<double>::infinity() : row.kl;
}

void Join(Band& into, const Band& band) {
  into.kl = std::max(into.kl, band.kl);
  into.flips += band.flips;
  into.rows += band.rows;
  into.identical = into.identical && band.identical;
}

void AddRow(const RowsComparison& comparison, std::uint64_t index, double kl_limit,
            FreeRunFacts& facts) {
  PlacedRow placed{comparison.rank, comparison.run, comparison.tensor, index,
                   comparison.rows[index]};
  placed.stats.kl = KlOf(placed.stats);
  const RowStats& row = placed.stats;
  Join(facts.bands[{comparison.rank, ScenarioOf(comparison.run)}],
       Band{row.kl, row.Flip() ? 1u : 0u, 1, row.identical});
  facts.rows_identical = facts.rows_identical && row.identical;
  if (row.Flip()) (row.kl <= kl_limit ? facts.ties : facts.wide_flips).push_back(placed);
  if (!facts.worst_row || row.kl > facts.worst_row->stats.kl) facts.worst_row = placed;
}

// Counts what is not comparable.
bool Lost(const std::string& after, std::uint64_t count, FreeRunFacts& facts) {
  if (after.empty()) return false;
  if (facts.lost == 0) facts.lost_after = after;
  facts.lost += count;
  return true;
}

void AddRows(const FreeRunEvidence& evidence, double kl_limit, FreeRunFacts& facts) {
  std::set<Key> seen;
  for (const RowsComparison& comparison : evidence.rows) {
    if (Lost(comparison.after, comparison.rows.size(), facts)) continue;
    const bool first = seen.emplace(comparison.rank, comparison.run, comparison.tensor).second;
    if (first) facts.rows += comparison.rows.size();
    for (std::uint64_t i = 0; i < comparison.rows.size(); ++i) {
      AddRow(comparison, i, kl_limit, facts);
    }
  }
}

void AddFinals(const FreeRunEvidence& evidence, FreeRunFacts& facts) {
  std::set<Key> seen;
  for (const FinalComparison& final : evidence.finals) {
    if (Lost(final.after, 1, facts)) continue;
    facts.finals_identical = facts.finals_identical && final.stats.Identical();
    if (final.stats.compared == 0) continue;
    if (seen.emplace(final.rank, final.run, final.tensor).second) ++facts.finals;
  }
}

void AddDecisions(const FreeRunEvidence& evidence, FreeRunFacts& facts) {
  std::set<Key> seen;
  for (const DecisionComparison& decision : evidence.decisions) {
    const FinalComparison& values = decision.values;
    if (Lost(values.after, 1, facts)) continue;
    facts.decisions_identical = facts.decisions_identical && values.stats.Identical();
    if (values.stats.compared == 0) continue;
    if (seen.emplace(values.rank, values.run, values.tensor).second) ++facts.decisions;
  }
}

}  // namespace

std::string ScenarioOf(const std::string& run) { return run.substr(0, run.find('/')); }

std::string PlacedRow::Text() const {
  return Where("", run, rank, tensor + " row " + std::to_string(row)) + ": argmax " +
         std::to_string(stats.argmax_reference) + " -> " + std::to_string(stats.argmax_candidate) +
         ", margin " + ShortText(stats.margin) + ", KL " + ShortText(stats.kl) +
         " nats, the reference's choice is number " + std::to_string(stats.rank) +
         " in the candidate";
}

Band FreeRunFacts::OfRank(int rank) const {
  Band all;
  for (const auto& [key, band] : bands) {
    if (key.first == rank) Join(all, band);
  }
  return all;
}

Band FreeRunFacts::Whole() const {
  Band all;
  for (const auto& [key, band] : bands) Join(all, band);
  return all;
}

FreeRunFacts FactsOf(const FreeRunEvidence& evidence, double kl_limit) {
  FreeRunFacts facts;
  AddRows(evidence, kl_limit, facts);
  AddFinals(evidence, facts);
  AddDecisions(evidence, facts);
  const auto by_kl = [](const PlacedRow& a, const PlacedRow& b) { return a.stats.kl > b.stats.kl; };
  std::stable_sort(facts.wide_flips.begin(), facts.wide_flips.end(), by_kl);
  std::stable_sort(facts.ties.begin(), facts.ties.end(), by_kl);
  return facts;
}

}  // namespace parity
