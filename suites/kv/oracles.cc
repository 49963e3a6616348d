#include "suites/kv/oracles.h"

#include "suites/kv/examine.h"

namespace parity::kv {

void OracleOutcome::Expect(bool holds, const std::string& words) {
  ++checked;
  if (!holds) findings.push_back(words);
}

Verdict JudgeOracle(std::string_view oracle, const OracleOutcomes& reference,
                    const OracleOutcomes& candidate) {
  Verdict verdict;
  verdict.expected = 1;
  const auto theirs = reference.find(oracle), ours = candidate.find(oracle);
  if (theirs == reference.end() || ours == candidate.end()) return verdict;
  const OracleOutcome &expected = theirs->second, &got = ours->second;
  verdict.compared = verdict.expected = expected.checked + got.checked;
  for (const auto& [key, outcome] : {std::pair{"reference", &expected}, {"candidate", &got}}) {
    if (outcome->left_behind.empty()) continue;
    SetProperty(verdict, std::string("left_behind_by_") + key, outcome->left_behind);
  }
  const auto tell = [&](Outcome outcome, const std::string& words) {
    verdict.outcome = outcome;
    verdict.summary = words;
    verdict.findings.push_back(words);
  };
  if (!expected.blocked.empty()) {
    tell(Outcome::kBlocked, "the reference: " + expected.blocked);
    verdict.compared = 0;
    SetProperty(verdict, "needs", std::string(oracle));
  } else if (!expected.findings.empty()) {
    tell(Outcome::kError, "the reference: " + expected.findings.front());
  } else if (!got.blocked.empty()) {
    tell(Outcome::kFail, "the candidate: " + got.blocked);
  } else if (!got.findings.empty()) {
    for (const std::string& words : got.findings) tell(Outcome::kFail, "the candidate: " + words);
    verdict.summary = verdict.findings.front();
  } else if (got.facts != expected.facts) {
    tell(Outcome::kFail, Got("the candidate", got.facts, expected.facts) + " as the reference");
  } else if (verdict.compared != 0) {
    verdict.outcome = Outcome::kPass;
    verdict.summary = got.facts;
  }
  return verdict;
}

}  // namespace parity::kv
