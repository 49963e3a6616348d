#include "gtest_parity/report/tally.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace parity {
namespace {

std::optional<double> KlOf(const CaseResult& result) {
  const std::string* text = FindProperty(result.verdict, "kl");
  if (text == nullptr) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

}  // namespace

std::uint64_t Tally::Of(Outcome outcome) const {
  const auto found = outcomes.find(outcome);
  return found == outcomes.end() ? 0 : found->second;
}

void Tally::Add(const CaseResult& result) {
  ++cases;
  ++outcomes[result.outcome];
  compared += result.verdict.compared;
  limited += FindProperty(result.verdict, "unavailable") != nullptr ? 1 : 0;
  // Other cases have a class too, but they are no spans.
  if (result.verdict.span_class && result.suite.ends_with("SpanParity")) {
    ++classes[*result.verdict.span_class];
    Passed& kind = !result.verdict.exact ? unknown : *result.verdict.exact ? exact : hybrid;
    ++kind.all;
    kind.passed += Passes(result.outcome) ? 1 : 0;
  }
  if (const auto kl = KlOf(result)) worst_kl = std::max(worst_kl.value_or(0), *kl);
}

Tally Count(const std::vector<CaseResult>& results) {
  Tally tally;
  for (const CaseResult& result : results) tally.Add(result);
  return tally;
}

std::string OutcomesText(const Tally& tally) {
  std::string text;
  for (const Outcome outcome : kAllOutcomes) {
    if (tally.Of(outcome) == 0) continue;
    if (!text.empty()) text += ", ";
    text += std::to_string(tally.Of(outcome));
    text += ' ';
    text += NameOf(outcome);
  }
  return text.empty() ? "no case" : text;
}

bool Worse(Outcome a, Outcome b) {
  constexpr std::array kWorstFirst = {
      Outcome::kFail,   Outcome::kError,       Outcome::kInconclusive,
      Outcome::kSelf,   Outcome::kNotCompared, Outcome::kBlocked,
      Outcome::kWaived, Outcome::kPassStar,    Outcome::kPass};
  return std::find(kWorstFirst.begin(), kWorstFirst.end(), a) <
         std::find(kWorstFirst.begin(), kWorstFirst.end(), b);
}

}  // namespace parity
