// Whether the taps of a side may be believed: Preflight cases of tap-only engines.
#include <algorithm>

#include "gtest_parity/session.h"

namespace parity {
namespace {

ProbeEvidence Ask(Prober& prober, const std::string& slug) {
  if (slug.ends_with("_neutrality")) return prober.ObserverNeutrality();
  if (slug.ends_with("_write_back")) return prober.WriteBack();
  return prober.Causality();
}

}  // namespace

void Session::ProbeReference(const std::vector<Case>& selected, Side& reference) {
  if (!plan_.reference.tap_only || plan_.spans.empty()) return;
  Prober prober(plan_, workload_, false, reference);
  const bool spans = std::any_of(selected.begin(), selected.end(), [](const Case& which) {
    return which.kind == CaseKind::kSpan || which.kind == CaseKind::kEndToEnd;
  });
  for (const Case& which : CasesOf(plan_)) {
    if (which.kind != CaseKind::kPreflight || !which.slug.starts_with("reference_")) continue;
    const bool asked = std::any_of(selected.begin(), selected.end(), [&](const Case& other) {
      return other.kind == which.kind && other.slug == which.slug;
    });
    if (!asked && (!spans || which.slug.ends_with("_causality"))) continue;
    const ProbeEvidence evidence = Ask(prober, which.slug);
    if (evidence.death) throw SideFailure(*evidence.death);
    Verdict verdict = JudgeProbe(evidence, plan_.manifest.judge.spread_factor);
    if (verdict.outcome == Outcome::kFail) {
      verdict.outcome = Outcome::kError;
      SetProperty(verdict, "outcome", std::string(NameOf(verdict.outcome)));
    }
    probes_[which.slug] = std::move(verdict);
  }
}

const Verdict& Session::ProbeOf(const std::string& slug) {
  if (const auto found = probes_.find(slug); found != probes_.end()) return found->second;
  Verdict& verdict = probes_[slug];
  if (slug.starts_with("reference_")) {
    verdict.summary = "the reference was not asked, and its process has ended";
    return verdict;
  }
  if (candidate_.given_up()) {
    verdict.outcome = Outcome::kFail;
    verdict.summary = *candidate_.given_up();
    return verdict;
  }
  ProbeEvidence evidence{.check = slug};
  try {
    Prober prober(plan_, workload_, true, candidate_.Get());
    evidence = Ask(prober, slug);
  } catch (const SideFailure& failure) {
    evidence.death = failure.death();
  }
  if (evidence.death) candidate_.OnFailure(*evidence.death);
  return verdict = JudgeProbe(evidence, plan_.manifest.judge.spread_factor);
}

std::optional<Verdict> Session::TapTrouble() {
  for (const auto& [side, description] :
       {std::pair{"reference", &plan_.reference}, {"candidate", &plan_.candidate}}) {
    if (!description->tap_only) continue;
    for (const char* check : {"_neutrality", "_write_back"}) {
      const Verdict& verdict = ProbeOf(side + std::string(check));
      if (verdict.outcome == Outcome::kPass || FindProperty(verdict, "died") != nullptr) continue;
      Verdict trouble = verdict;
      trouble.summary =
          std::string("the ") + side + "'s taps cannot be believed: " + verdict.summary;
      trouble.compared = trouble.expected = 0;
      return trouble;
    }
  }
  return std::nullopt;
}

}  // namespace parity
