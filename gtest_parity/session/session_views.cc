// What a session makes of views: proven once, before anything is believed that they show.
#include <utility>

#include "gtest_parity/replay/prove_views.h"
#include "gtest_parity/session/session.h"

namespace parity {
namespace {

Verdict ViewTrouble(Outcome outcome, const std::string& side, std::vector<std::string> wrong) {
  Verdict verdict;
  verdict.outcome = outcome;
  verdict.summary = "the " + side + "'s views are not to be believed: " + wrong.front();
  verdict.findings = std::move(wrong);
  if (outcome == Outcome::kFail) verdict.span_class = SpanClass::kBroken;
  return verdict;
}

}  // namespace

void Session::ProveReferenceViews(Side& reference) {
  if (ViewsOf(plan_.reference).empty()) return;
  ViewProofs proofs = ProveViews(plan_, plan_.reference, workload_, true, reference);
  view_proofs_[0] = proofs.proofs;
  if (proofs.wrong.empty()) return;
  reference_trouble_ = ViewTrouble(Outcome::kError, "reference", std::move(proofs.wrong));
}

// A run that kills the candidate is for the cases to find: then on what it holds without a run.
void Session::ProveCandidateViews() {
  if (ViewsOf(plan_.candidate).empty()) return;
  ViewProofs proofs;
  try {
    proofs = ProveViews(plan_, plan_.candidate, workload_, true, candidate_.Get());
  } catch (const SideFailure&) {
    candidate_.Stop();
    try {
      proofs = ProveViews(plan_, plan_.candidate, workload_, false, candidate_.Get());
    } catch (const SideFailure& failure) {
      proofs.wrong = {failure.death().Text()};
    }
  }
  view_proofs_[1] = proofs.proofs;
  if (proofs.wrong.empty()) return;
  candidate_trouble_ = ViewTrouble(Outcome::kFail, "candidate", std::move(proofs.wrong));
}

Verdict Session::ViewsVerdict(bool candidate) const {
  const Description& side = candidate ? plan_.candidate : plan_.reference;
  Verdict verdict;
  verdict.outcome = Outcome::kPass;
  verdict.summary = std::to_string(ViewsOf(side).size()) + " views, ";
  if (!candidate && options_.recorded) {
    verdict.summary += "proven before they were recorded";
  } else {
    verdict.summary += std::to_string(view_proofs_[candidate ? 1 : 0]) +
                       " proofs that import and export undo one another and touch nothing else";
  }
  return verdict;
}

}  // namespace parity
