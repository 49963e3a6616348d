// Whether a side may be believed while it is looked at.
#include <algorithm>

#include "gtest_parity/session/session.h"

namespace parity {
namespace {

ProbeEvidence Ask(Prober prober, const std::string& slug) {
  if (slug.ends_with("_neutrality")) return prober.ObserverNeutrality();
  if (slug.ends_with("_write_back")) return prober.WriteBack();
  return prober.Causality();
}

}  // namespace

std::map<std::string, ProbeEvidence> Session::ProbeReference(const std::vector<Case>& selected,
                                                             Side& reference) const {
  std::map<std::string, ProbeEvidence> probes;
  // What is seen through taps is told only where they are proven.
  const bool needed = plan_.reference.tap_only &&
                      std::any_of(selected.begin(), selected.end(), [](const Case& which) {
                        return which.kind == CaseKind::kSpan || which.kind == CaseKind::kEndToEnd;
                      });
  for (const Case& which : CasesOf(plan_)) {
    if (which.kind != CaseKind::kPreflight || !which.slug.starts_with("reference_")) continue;
    const bool asked = std::any_of(selected.begin(), selected.end(), [&](const Case& other) {
      return other.kind == which.kind && other.slug == which.slug;
    });
    if (!asked && (!needed || which.slug.ends_with("_causality"))) continue;
    ProbeEvidence evidence = Ask(Prober(plan_, workload_, false, reference), which.slug);
    if (evidence.death) throw SideFailure(*evidence.death);
    probes.emplace(which.slug, std::move(evidence));
  }
  return probes;
}

ProbeEvidence Session::ProbeCandidate(const std::string& slug) {
  ProbeEvidence evidence;
  evidence.check = slug;
  evidence.death = probe_death_;
  if (probe_death_) return evidence;
  try {
    evidence = Ask(Prober(plan_, workload_, true, candidate_.Get()), slug);
  } catch (const SideFailure& failure) {
    evidence.death = failure.death();
  }
  if (evidence.death && plan_.candidate.tap_only) {
    candidate_.OnFailure(*evidence.death);
  } else if (evidence.death) {
    candidate_.Stop();  // uncounted: its spans stand by themselves
  }
  probe_death_ = evidence.death;
  return evidence;
}

const Verdict& Session::ProbeOf(const std::string& slug) {
  if (const auto found = probes_.find(slug); found != probes_.end()) return found->second;
  Verdict& verdict = probes_[slug];
  const double spread_factor = plan_.manifest.judge.spread_factor;
  if (!slug.starts_with("reference_")) {
    if (candidate_.given_up()) {
      verdict.outcome = Outcome::kFail;
      verdict.summary = *candidate_.given_up();
    } else {
      verdict = JudgeProbe(ProbeCandidate(slug), spread_factor);
    }
    return verdict;
  }
  const auto found = recording_.probes.find(slug);
  if (found == recording_.probes.end()) {
    verdict.summary = "the reference was not asked";
    return verdict;
  }
  verdict = JudgeProbe(found->second, spread_factor);
  if (verdict.outcome == Outcome::kFail) {
    verdict.outcome = Outcome::kError;
    SetProperty(verdict, "outcome", std::string(NameOf(verdict.outcome)));
  }
  return verdict;
}

std::optional<std::string> Session::TapsUnproven() {
  if (!plan_.candidate.tap_only) return std::nullopt;
  for (const char* slug : {"candidate_neutrality", "candidate_write_back"}) {
    const Verdict& verdict = ProbeOf(slug);
    if (FindProperty(verdict, "died") == nullptr) continue;
    return "the candidate's taps are not proven: " + verdict.summary;
  }
  return std::nullopt;
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
