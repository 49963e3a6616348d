#include "gtest_parity/judge/judged_run.h"

#include <map>
#include <string>
#include <tuple>

namespace parity {
namespace {

using Key = std::tuple<int, std::string, std::string>;

const RowsComparison* PlaceOf(const RowsComparison& of) { return &of; }
const FinalComparison* PlaceOf(const FinalComparison& of) { return &of; }
const FinalComparison* PlaceOf(const DecisionComparison& of) { return &of.values; }

template <typename Comparison>
std::vector<Comparison> Chosen(const std::vector<Comparison>& served,
                               const std::vector<Comparison>& forced) {
  const auto key = [](const Comparison& of) {
    const auto* at = PlaceOf(of);
    return Key{at->rank, at->run, at->tensor};
  };
  std::map<Key, const Comparison*> comparable;
  for (const Comparison& of : served) {
    if (PlaceOf(of)->after.empty()) comparable.emplace(key(of), &of);
  }
  std::vector<Comparison> chosen;
  for (const Comparison& of : forced) {
    const auto found = comparable.find(key(of));
    chosen.push_back(found == comparable.end() ? of : *found->second);
  }
  return chosen;
}

}  // namespace

FreeRunEvidence JudgedRun(const EndToEndEvidence& evidence) {
  if (!evidence.forced) return evidence.candidate;
  return {Chosen(evidence.candidate.rows, evidence.forced->rows),
          Chosen(evidence.candidate.finals, evidence.forced->finals),
          Chosen(evidence.candidate.decisions, evidence.forced->decisions)};
}

}  // namespace parity
