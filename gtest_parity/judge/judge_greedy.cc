#include "gtest_parity/judge/judge_greedy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include "gtest_parity/judge/finding.h"
#include "gtest_parity/judge/greedy_divergence.h"
#include "gtest_parity/judge/number_text.h"

namespace parity {
namespace {

bool Ends(const GreedyEvidence& evidence, std::int32_t id) {
  return std::find(evidence.end.begin(), evidence.end.end(), id) != evidence.end.end();
}

struct Told {
  Outcome outcome;
  std::string text;
  int rank;
  std::string run;
  std::size_t position;
};

// What the ids of one evidence come to.
struct Facts {
  std::vector<Told> divergences;  // in order of position, FAIL first
  std::uint64_t compared = 0, ties = 0;
  double kl = 0;  // worst of all rows, nats
  bool rows = false;
  bool Any(Outcome outcome) const {
    return std::any_of(divergences.begin(), divergences.end(),
                       [&](const Told& told) { return told.outcome == outcome; });
  }
};

std::vector<GreedyToken> ByPosition(std::vector<GreedyToken> tokens) {
  std::stable_sort(tokens.begin(), tokens.end(), [](const GreedyToken& a, const GreedyToken& b) {
    return std::tie(a.position, a.sequence, a.rank) < std::tie(b.position, b.sequence, b.rank);
  });
  return tokens;
}

Facts FactsOf(const GreedyEvidence& evidence, const GreedySpread& spread, const Rules& rules) {
  Facts facts;
  std::set<std::pair<int, std::size_t>> diverged;
  std::set<std::tuple<int, std::size_t, std::size_t>> places;
  for (const GreedyToken& token : ByPosition(evidence.candidate)) {
    places.emplace(token.rank, token.sequence, token.position);
    if (token.row) {
      facts.rows = true;
      const double kl = token.row->kl;
      facts.kl = std::max(facts.kl, std::isnan(kl) ? std::numeric_limits<double>::infinity() : kl);
    }
    const bool differs = token.candidate != ReferenceId(evidence, token);
    // An id that is the reference's, but not the argmax of the candidate's own logits, or of logits
    // with NaN among them, is luck.
    const bool luck = (DefiesItsLogits(token) && spread.follows) || HasOwnNan(token);
    if (!differs && !luck) continue;
    const bool first = diverged.emplace(token.rank, token.sequence).second;
    const GreedyDivergence found = JudgeDivergence(evidence, token, spread, rules, first);
    facts.ties += found.outcome == Outcome::kPass;
    facts.divergences.push_back({found.outcome, found.text, token.rank, token.run, token.position});
  }
  facts.compared = places.size();
  std::stable_partition(facts.divergences.begin(), facts.divergences.end(),
                        [](const Told& told) { return told.outcome == Outcome::kFail; });
  return facts;
}

// How many ids the candidate's own generation has before it ends; nothing: it does not end while
// its ids can be told.
std::string CandidateLength(const GreedyEvidence& evidence, std::size_t sequence) {
  const std::vector<std::int32_t>& ids = evidence.sequences[sequence].ids;
  for (const GreedyToken& token : ByPosition(evidence.candidate)) {
    if (token.sequence != sequence) continue;
    if (Ends(evidence, token.candidate)) return "after " + std::to_string(token.position);
    if (token.candidate != ids[token.position]) break;
  }
  return "not before it differs";
}

// Sequences that ended before they said anything.
struct TooShort {
  std::vector<std::string> texts;
  bool all_at_once = true;  // every sequence ended with its first id
};

TooShort ShortSequences(const GreedyEvidence& evidence) {
  TooShort found;
  for (std::size_t i = 0; i < evidence.sequences.size(); ++i) {
    const GreedySequence& sequence = evidence.sequences[i];
    const std::size_t length = sequence.ids.size() - (sequence.ended ? 1 : 0);
    if (length > 0) found.all_at_once = false;
    if (length >= evidence.least) continue;
    found.texts.push_back(
        evidence.scenario + ", sequence " + std::to_string(i) + ": the reference ended after " +
        Counted(length, "id") + ", the candidate " + CandidateLength(evidence, i) + ", of " +
        std::to_string(evidence.asked) + " asked for at least " + std::to_string(evidence.least) +
        " are needed: an early end is no evidence");
  }
  return found;
}

void Decide(const GreedyEvidence& evidence, const Facts& facts, const TooShort& too_short,
            Verdict& verdict) {
  if (evidence.death) {
    verdict.outcome = Outcome::kFail;
    verdict.summary = "the candidate " + evidence.death->Text();
  } else if (facts.Any(Outcome::kFail)) {
    verdict.outcome = Outcome::kFail;
    verdict.summary = facts.divergences.front().text;
  } else if (verdict.expected == 0 || (too_short.all_at_once && !too_short.texts.empty())) {
    verdict.outcome = Outcome::kNotCompared;
    verdict.summary = too_short.texts.empty() ? "no id was asked for" : too_short.texts.front();
  } else if (verdict.compared < verdict.expected) {
    verdict.outcome = Outcome::kNotCompared;
    verdict.summary = "only " + std::to_string(verdict.compared) + " of " +
                      Counted(verdict.expected, "id") + " were compared";
  } else if (!too_short.texts.empty()) {
    verdict.outcome = Outcome::kInconclusive;
    verdict.summary = too_short.texts.front();
  } else if (facts.Any(Outcome::kInconclusive)) {
    verdict.outcome = Outcome::kInconclusive;
    const auto at =
        std::find_if(facts.divergences.begin(), facts.divergences.end(),
                     [](const Told& told) { return told.outcome == Outcome::kInconclusive; });
    verdict.summary = at->text;
  } else {
    verdict.outcome = Outcome::kPass;
    verdict.summary = Counted(verdict.compared, "id") + " compared, " + Counted(facts.ties, "tie") +
                      (facts.rows ? ", worst KL " + ShortText(facts.kl) + " nats" : "");
  }
}

void TellProperties(const GreedyEvidence& evidence, const Facts& facts, Verdict& verdict) {
  SetProperty(verdict, "outcome", std::string(NameOf(verdict.outcome)));
  if (verdict.exact) SetProperty(verdict, "repeats", *verdict.exact ? "exact" : "hybrid");
  if (facts.rows) SetProperty(verdict, "kl", NumberText(facts.kl));
  SetProperty(verdict, "chosen_by", evidence.chosen_by);
  SetProperty(verdict, "divergences", std::to_string(facts.divergences.size()));
  SetProperty(verdict, "ties", std::to_string(facts.ties));
  if (!facts.divergences.empty()) {
    const Told& first = facts.divergences.front();
    SetProperty(verdict, "rank", std::to_string(first.rank));
    SetProperty(verdict, "run", first.run);
    SetProperty(verdict, "first_divergence", std::to_string(first.position));
  }
  SetProperty(verdict, "compared", std::to_string(verdict.compared));
  SetProperty(verdict, "expected", std::to_string(verdict.expected));
}

}  // namespace

Verdict JudgeGreedy(const GreedyEvidence& evidence, const Rules& rules) {
  const GreedySpread spread = SpreadOf(evidence);
  const Facts facts = FactsOf(evidence, spread, rules);
  const TooShort too_short = ShortSequences(evidence);
  Verdict verdict;
  verdict.expected = evidence.expected;
  verdict.compared = facts.compared;
  if (spread.known) verdict.exact = spread.bitwise;
  for (const Told& told : facts.divergences) verdict.findings.push_back(told.text);
  verdict.findings.insert(verdict.findings.end(), too_short.texts.begin(), too_short.texts.end());
  Decide(evidence, facts, too_short, verdict);
  TellProperties(evidence, facts, verdict);
  return verdict;
}

}  // namespace parity
