#include "gtest_parity/judge/reference_repeats.h"

#include <algorithm>
#include <set>

#include "gtest_parity/judge/finding.h"
#include "gtest_parity/judge/number_text.h"

namespace parity {
namespace {

void Widen(Band& into, const Band& band) {
  into.kl = std::max(into.kl, band.kl);
  into.flips = std::max(into.flips, band.flips);
  into.rows = std::max(into.rows, band.rows);
}

void AddScoreDistances(const FreeRunEvidence& repeat,
                       std::map<std::pair<int, std::string>, double>& distances) {
  std::set<std::string> elsewhere;  // scenarios whose choices have parted
  for (const DecisionComparison& decision : repeat.decisions) {
    const std::string scenario = ScenarioOf(decision.values.run);
    if (elsewhere.contains(scenario)) continue;
    double& widest = distances[{decision.values.rank, decision.values.tensor}];
    widest = std::max(widest, decision.score_distance);
    if (!decision.flips.flips.empty()) elsewhere.insert(scenario);
  }
}

}  // namespace

ReferenceRepeats::ReferenceRepeats(const EndToEndEvidence& evidence, double kl_limit)
    : kl_limit_(kl_limit) {
  known_ = !evidence.reference.empty();
  for (const FreeRunEvidence& repeat : evidence.reference) {
    AddScoreDistances(repeat, score_distances_);
    repeats_.push_back(FactsOf(repeat, kl_limit));
    const FreeRunFacts& facts = repeats_.back();
    const bool complete =
        facts.rows + facts.finals + facts.decisions > 0 && facts.rows >= evidence.expected_rows &&
        facts.finals >= evidence.expected_finals && facts.decisions >= evidence.expected_decisions;
    known_ = known_ && complete;
  }
}

bool ReferenceRepeats::Bitwise() const {
  return known_ && std::all_of(repeats_.begin(), repeats_.end(),
                               [](const FreeRunFacts& facts) { return facts.Identical(); });
}

bool ReferenceRepeats::Steady(int rank) const {
  const Band band = OfRank(rank);
  return known_ && band.rows > 0 && band.kl <= kl_limit_ && band.flips == 0;
}

bool ReferenceRepeats::ScenarioIsExact(const BandKey& key) const {
  return known_ && std::all_of(repeats_.begin(), repeats_.end(), [&key](const FreeRunFacts& facts) {
           const auto band = facts.bands.find(key);
           return band != facts.bands.end() && band->second.identical;
         });
}

std::optional<double> ReferenceRepeats::ScoreDistance(int rank, const std::string& decision) const {
  const auto found = score_distances_.find({rank, decision});
  if (found == score_distances_.end()) return std::nullopt;
  return found->second;
}

Band ReferenceRepeats::OfRank(int rank) const {
  Band widest;
  for (const FreeRunFacts& facts : repeats_) Widen(widest, facts.OfRank(rank));
  return widest;
}

std::string ReferenceRepeats::Text() const {
  if (repeats_.empty()) return "was not repeated";
  Band widest;
  for (const FreeRunFacts& facts : repeats_) Widen(widest, facts.Whole());
  return "worst KL " + ShortText(widest.kl) + " nats, " + Counted(widest.flips, "flip") + " in " +
         Counted(widest.rows, "row") + ", over " + Counted(repeats_.size(), "repeat") +
         (known_ ? "" : " (incomplete)");
}

}  // namespace parity
