#include "gtest_parity/judge/greedy_divergence.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gtest_parity/judge/finding.h"
#include "gtest_parity/judge/number_text.h"

namespace parity {
namespace {

constexpr std::size_t kShownPrefix = 6;  // ids before the place, enough to find it in a text

double KlOf(const RowStats& row) {
  return std::isnan(row.kl) ? std::numeric_limits<double>::infinity() : row.kl;
}

bool Ends(const GreedyEvidence& evidence, std::int32_t id) {
  return std::find(evidence.end.begin(), evidence.end.end(), id) != evidence.end.end();
}

std::string IdText(const GreedyEvidence& evidence, std::int32_t id) {
  return std::to_string(id) + (Ends(evidence, id) ? " (ends the sequence)" : "");
}

std::string PrefixText(const GreedySequence& sequence, std::size_t position) {
  std::vector<std::int32_t> before = sequence.prompt;
  before.insert(before.end(), sequence.ids.begin(),
                sequence.ids.begin() + static_cast<std::ptrdiff_t>(position));
  std::string text = std::to_string(before.size()) + " ids";
  const std::size_t from = before.size() - std::min(before.size(), kShownPrefix);
  for (std::size_t i = from; i < before.size(); ++i) {
    text += (i == from ? (from == 0 ? ": " : ": ... ") : " ") + std::to_string(before[i]);
  }
  return text;
}

std::string RowText(const RowStats& row) {
  return "the reference's margin " + ShortText(row.margin) + ", KL " + ShortText(KlOf(row)) +
         " nats, the reference's choice is number " + std::to_string(row.rank) +
         " in the candidate" + (row.identical ? ", the logits are equal bit for bit" : "");
}

// The rule that speaks, its words and what it allows.
struct Ruled {
  Outcome outcome;
  std::string what, allowed, source, would_pass;
};

std::string ChoiceText(const GreedyToken& token) {
  const RowStats& row = *token.row;
  std::string text = "not what its own logits say: the highest is " +
                     std::to_string(row.argmax_candidate) + ", lowest index first";
  if (row.identical && row.margin == 0) text += "; a tie of equal logits is broken otherwise";
  return text;
}

Ruled Rule(const GreedyToken& token, const GreedySpread& spread, const Rules& rules) {
  const std::string no_tolerance = "no tolerance would have passed it";
  if (DefiesItsLogits(token) && spread.follows) {
    return {Outcome::kFail, ChoiceText(token), "the argmax of its logits",
            "the reference's ids always are", no_tolerance};
  }
  if (HasOwnNan(token)) {
    return {Outcome::kFail, "NaN in its logits", "none", "the reference has none", no_tolerance};
  }
  if (rules.exact && spread.known && spread.bitwise) {
    return {Outcome::kFail, "ids differ", "the same ids",
            "the reference repeats ids and logits bit for bit", no_tolerance};
  }
  if (rules.exact && !spread.known) {
    return {Outcome::kInconclusive, "ids differ", "the same ids",
            "whether the reference repeats itself is not known", ""};
  }
  if (!token.row) {
    return {Outcome::kInconclusive,
            "ids differ, and there are no logits to tell a tie from an error", "the same ids",
            "no logits in common", ""};
  }
  const double kl = KlOf(*token.row);
  const std::string would_pass = "smallest limit that passes: kl " + NumberText(kl);
  const std::string limit = "KL " + NumberText(rules.kl_limit) + " nats";
  if (!rules.exact && kl <= rules.kl_limit) {
    return {Outcome::kPass, "a tie", limit, "judge.kl", ""};
  }
  const bool steady = spread.known && spread.same_ids && spread.KlOf(token.rank) <= rules.kl_limit;
  if (kl > rules.kl_limit && steady) {
    return {Outcome::kFail, "ids differ", limit, "judge.kl, and the reference repeats itself",
            would_pass};
  }
  const double band = rules.spread_factor * rules.spread_factor * spread.KlOf(token.rank);
  const std::string own = "KL " + ShortText(band) + " nats";
  if (spread.known && kl <= band) {
    return {Outcome::kPass, "a tie", own, "the reference's own spread", ""};
  }
  return {Outcome::kInconclusive, "ids differ, but the reference does not repeat itself either",
          own, "the reference's own spread", would_pass};
}

}  // namespace

double GreedySpread::KlOf(int rank) const {
  const auto found = kl.find(rank);
  return found == kl.end() ? 0 : found->second;
}

GreedySpread SpreadOf(const GreedyEvidence& evidence) {
  GreedySpread spread;
  spread.known = !evidence.repeats.empty();
  for (const std::vector<GreedyToken>& repeat : evidence.repeats) {
    spread.known &= repeat.size() == evidence.expected;
    for (const GreedyToken& token : repeat) {
      const bool same = token.candidate == ReferenceId(evidence, token);
      spread.same_ids &= same;
      spread.bitwise &= same && (!token.row || token.row->identical);
      spread.follows &= token.row && !DefiesItsLogits(token);
      if (!token.row) continue;
      double& kl = spread.kl[token.rank];
      kl = std::max(kl, parity::KlOf(*token.row));
    }
  }
  spread.follows &= spread.known;
  return spread;
}

std::int32_t ReferenceId(const GreedyEvidence& evidence, const GreedyToken& token) {
  return evidence.sequences.at(token.sequence).ids.at(token.position);
}

bool DefiesItsLogits(const GreedyToken& token) {
  return token.row && (token.candidate < 0 ||
                       static_cast<std::uint32_t>(token.candidate) != token.row->argmax_candidate);
}

bool HasOwnNan(const GreedyToken& token) {
  return token.row && token.row->nan_candidate > token.row->nan_reference;
}

GreedyDivergence JudgeDivergence(const GreedyEvidence& evidence, const GreedyToken& token,
                                 const GreedySpread& spread, const Rules& rules, bool first) {
  const GreedySequence& sequence = evidence.sequences[token.sequence];
  const Ruled ruled = Rule(token, spread, rules);
  Finding finding;
  finding.where = Where(
      "", token.run, token.rank,
      "sequence " + std::to_string(token.sequence) + ", id " + std::to_string(token.position));
  finding.what = ruled.what + (first ? "" : " (after a divergence, on the reference's prefix)");
  finding.got = "reference " + IdText(evidence, ReferenceId(evidence, token)) + ", candidate " +
                IdText(evidence, token.candidate) + " after " +
                PrefixText(sequence, token.position);
  if (token.row) finding.got += ": " + RowText(*token.row);
  finding.allowed = ruled.allowed;
  finding.source = ruled.source;
  finding.would_pass = ruled.would_pass;
  return {ruled.outcome, finding.Text()};
}

}  // namespace parity
