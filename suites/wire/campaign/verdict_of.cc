#include "suites/wire/campaign/verdict_of.h"

#include <algorithm>
#include <array>
#include <set>

namespace parity::wire {
namespace {

constexpr std::array kWorstFirst = {
    FindingClass::kCandidateBreaksCore, FindingClass::kCandidateLeavesProfile,
    FindingClass::kBothBreakCore, FindingClass::kReferenceBreaksCore, FindingClass::kReported};

std::string Key(FindingClass kind) {
  std::string key(NameOf(kind));
  std::replace(key.begin(), key.end(), ' ', '_');
  return key;
}

// The rules of each class, so that a report can be searched for them.
void TellRules(const std::vector<ClassedFinding>& findings, Verdict& verdict) {
  for (const FindingClass kind : kWorstFirst) {
    std::set<std::string> rules;
    for (const ClassedFinding& found : findings) {
      if (found.kind == kind) rules.insert(found.finding.rule);
    }
    std::string text;
    for (const std::string& rule : rules) text += (text.empty() ? "" : " ") + rule;
    if (!text.empty()) SetProperty(verdict, Key(kind), text);
  }
}

}  // namespace

Verdict VerdictOf(const std::vector<ClassedFinding>& findings, std::size_t looked,
                  const std::string& what, const std::vector<std::string>& notes) {
  Verdict verdict;
  verdict.expected = verdict.compared = looked;
  std::size_t failing = 0, both = 0;
  for (const FindingClass kind : kWorstFirst) {
    for (const ClassedFinding& found : findings) {
      if (found.kind != kind) continue;
      verdict.findings.push_back(std::string(NameOf(kind)) + ": " + TextOf(found.finding));
      failing += FailsCandidate(kind) ? 1 : 0;
      both += kind == FindingClass::kBothBreakCore ? 1 : 0;
    }
  }
  for (const std::string& note : notes) verdict.findings.push_back("note: " + note);
  TellRules(findings, verdict);
  SetProperty(verdict, "looked", std::to_string(looked));
  const std::string told = std::to_string(looked) + " " + what;
  if (failing != 0) {
    verdict.outcome = Outcome::kFail;
    verdict.summary = std::to_string(failing) + " findings against the candidate in " + told;
  } else if (looked == 0) {
    verdict.outcome = Outcome::kNotCompared;
    verdict.expected = 1;
    verdict.summary = "nothing was compared";
    verdict.findings.push_back(verdict.summary);
  } else if (both != 0) {
    verdict.outcome = Outcome::kPassStar;
    verdict.summary = "both sides break the same in " + told;
  } else {
    verdict.outcome = Outcome::kPass;
    verdict.summary = told + " alike";
  }
  return verdict;
}

std::vector<ClassedFinding> ClassAlone(const std::vector<Finding>& reference,
                                       const std::vector<Finding>& candidate) {
  const auto has = [](const std::vector<Finding>& findings, const Finding& finding) {
    return std::any_of(findings.begin(), findings.end(), [&](const Finding& other) {
      return other.rule == finding.rule && other.exchange == finding.exchange;
    });
  };
  std::vector<ClassedFinding> classed;
  for (const Finding& finding : candidate) {
    classed.push_back({finding, has(reference, finding) ? FindingClass::kBothBreakCore
                                                        : FindingClass::kCandidateBreaksCore});
  }
  for (const Finding& finding : reference) {
    if (!has(candidate, finding)) {
      classed.push_back({finding, FindingClass::kReferenceBreaksCore});
    }
  }
  return classed;
}

}  // namespace parity::wire
