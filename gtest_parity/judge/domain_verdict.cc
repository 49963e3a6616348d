#include <algorithm>

#include "gtest_parity/judge/domain_text.h"
#include "gtest_parity/judge/finding.h"
#include "gtest_parity/judge/judge.h"
#include "gtest_parity/judge/star.h"

namespace parity {
namespace {

struct Violations {
  std::vector<std::string> alone, shared, reference_only;
  const DomainEvidence::Check* first = nullptr;  // the first of those alone, else of those shared
};

std::string Tell(const DomainEvidence& evidence, const DomainEvidence::Check& check) {
  const auto at = [](const DomainViolation& v) { return Coordinates({}, v.first_index); };
  return Where(evidence.program, check.run, check.rank, evidence.tensor) + ": candidate " +
         DomainText(check.candidate, at(check.candidate)) + ", reference " +
         DomainText(check.reference, at(check.reference)) +
         ", allowed none (the declared domain), no tolerance would have passed it";
}

bool SharedByReference(const DomainEvidence& evidence, const DomainEvidence::Check& check) {
  if (check.reference.count == 0) return false;
  const auto sign = [&](const DomainViolation& violation) {
    return DomainSignature(evidence.program, evidence.tensor, check.run, check.rank, violation);
  };
  return ReferenceViolatesToo(sign(check.candidate), check.candidate, sign(check.reference),
                              check.reference);
}

Violations Collect(const DomainEvidence& evidence) {
  Violations found;
  for (const DomainEvidence::Check& check : evidence.checks) {
    if (check.candidate.count == 0) {
      if (check.reference.count > 0) found.reference_only.push_back(Tell(evidence, check));
      continue;
    }
    const bool shared = SharedByReference(evidence, check);
    if (found.first == nullptr || (!shared && found.alone.empty())) found.first = &check;
    (shared ? found.shared : found.alone).push_back(Tell(evidence, check));
  }
  return found;
}

void Decide(const DomainEvidence& evidence, const Violations& found, Verdict& verdict) {
  const std::string count =
      std::to_string(verdict.compared) + " of " + std::to_string(verdict.expected) + " checked";
  if (evidence.death) {
    verdict.outcome = Outcome::kFail;
    verdict.span_class = SpanClass::kBroken;
    verdict.summary = "the candidate " + evidence.death->Text();
  } else if (!found.alone.empty()) {
    verdict.outcome = Outcome::kFail;
    verdict.span_class = SpanClass::kBroken;
    verdict.summary = found.alone.front();
  } else if (verdict.compared == 0 || verdict.compared < verdict.expected) {
    verdict.outcome = Outcome::kNotCompared;
    verdict.summary = verdict.compared == 0 ? "nothing was checked" : "only " + count;
  } else if (!found.shared.empty()) {
    verdict.outcome = Outcome::kPassStar;
    verdict.span_class = SpanClass::kBroken;
    verdict.summary = "the reference fails the same way: " + found.shared.front();
  } else {
    verdict.outcome = Outcome::kPass;
    verdict.summary = "inside its domain: " + count;
  }
}

}  // namespace

Verdict JudgeDomain(const DomainEvidence& evidence) {
  Verdict verdict;
  verdict.expected = evidence.expected;
  verdict.compared = static_cast<std::uint64_t>(
      std::count_if(evidence.checks.begin(), evidence.checks.end(),
                    [](const DomainEvidence::Check& check) { return check.elements > 0; }));
  const Violations found = Collect(evidence);
  for (const auto* list : {&found.alone, &found.shared, &found.reference_only}) {
    verdict.findings.insert(verdict.findings.end(), list->begin(), list->end());
  }
  Decide(evidence, found, verdict);
  if (evidence.death) verdict.findings.insert(verdict.findings.begin(), verdict.summary);
  SetProperty(verdict, "outcome", std::string(NameOf(verdict.outcome)));
  if (verdict.span_class) SetProperty(verdict, "class", std::string(NameOf(*verdict.span_class)));
  if (evidence.death) {
    SetPlace(verdict, *evidence.death);
  } else if (found.first != nullptr) {
    SetProperty(verdict, "rank", std::to_string(found.first->rank));
    SetProperty(verdict, "run", found.first->run);
  }
  SetProperty(verdict, "compared", std::to_string(verdict.compared));
  SetProperty(verdict, "expected", std::to_string(verdict.expected));
  return verdict;
}

}  // namespace parity
