#include "gtest_parity/manifest/changed_spans.h"
#include "gtest_parity/session/session.h"
#include "gtest_parity/session/session_parts.h"

namespace parity {

Verdict Session::Judge(const Case& which) {
  Verdict verdict = JudgeCase(which);
  // Where the candidate could have written to the recording, no verdict stands on what it was not.
  const std::string altered = memory_ ? memory_->Altered() : "";
  if (!altered.empty()) return TroubleVerdict(Outcome::kError, altered);
  TellTimes(which, verdict);
  return verdict;
}

Verdict Session::JudgeCase(const Case& which) {
  if (which.kind == CaseKind::kPreflight) return JudgePreflight(which);
  if (const std::optional<Verdict> trouble = Trouble()) return *trouble;
  switch (which.kind) {
    case CaseKind::kSpan:
      return JudgeSpanCase(which.span);
    case CaseKind::kEndToEnd:
      return EndToEnd(which.program);
    case CaseKind::kDomain:
      return JudgeDomain(DomainEvidenceOn(which));
    case CaseKind::kReplicated:
      return JudgeReplicated(ReplicatedEvidenceOn(which));
    case CaseKind::kAsked:
      return JudgeAsked(which);
    case CaseKind::kPreflight:
      break;
  }
  return {};
}

Verdict Session::JudgePreflight(const Case& which) {
  if (reference_trouble_) return *reference_trouble_;
  if (which.slug == "reference_views") return ViewsVerdict(false);
  if (which.slug.starts_with("reference_")) return ProbeOf(which.slug);
  Verdict verdict;
  verdict.outcome = Outcome::kPass;
  if (which.slug == "reference") {
    verdict.summary = RecordedText() + (options_.recorded ? "" : ", its process has ended");
    if (!options_.recorded) SetProperty(verdict, "provenance", reference_provenance_);
    return verdict;
  }
  if (candidate_trouble_) return *candidate_trouble_;
  SetProperty(verdict, "provenance", candidate_provenance_);
  if (which.slug == "candidate_views") return ViewsVerdict(true);
  if (which.slug.starts_with("candidate_")) return ProbeOf(which.slug);
  if (which.slug == "candidate") {
    verdict.summary = "loaded on " + std::to_string(plan_.manifest.ranks.count) +
                      " ranks, its description is the checked-in one";
    return verdict;
  }
  return JudgeIdentity(*reference_identity_, *candidate_identity_,
                       plan_.manifest.judge.self_allowed);
}

Rules Session::RulesFor(const std::string& program, const std::string& span) const {
  const JudgeOptions& judge = plan_.manifest.judge;
  Rules rules;
  rules.exact = span.empty() ? judge.spans == SpanMode::kExact : !MayDiffer(judge, span);
  rules.kl_limit = judge.kl;
  rules.spread_factor = judge.spread_factor;
  rules.margin = judge.margin;
  rules.today = options_.today;
  for (const Tolerance& tolerance : judge.tolerances) {
    if (!tolerance.program.empty() && tolerance.program != program) continue;
    if (!tolerance.span.empty() && tolerance.span != span) continue;
    rules.tolerances.push_back(
        {tolerance.buffer, tolerance.nrmse, tolerance.max_ulp, tolerance.reason, tolerance.until});
  }
  return rules;
}

Verdict Session::JudgeSpanCase(std::size_t span) {
  for (const ReferenceFault& fault : recording_.faults) {
    if (fault.span == span) return TroubleVerdict(Outcome::kError, fault.words);
  }
  if (const std::optional<Verdict> trouble = TapTrouble()) return *trouble;
  if (!span_evidence_.contains(span) && candidate_.given_up()) {
    return TroubleVerdict(Outcome::kFail, *candidate_.given_up());
  }
  const SpanEvidence* found = nullptr;
  try {
    found = &EvidenceOn(span);
  } catch (const std::exception& error) {
    return TroubleVerdict(Outcome::kError, error.what());
  }
  const SpanEvidence& evidence = *found;
  const Rules rules = RulesFor(evidence.program, evidence.span);
  std::optional<Verdict> end_to_end;
  if (NeedsEndToEnd(evidence, rules)) end_to_end = EndToEnd(evidence.program);
  Verdict verdict = JudgeSpan(evidence, rules, end_to_end);
  if (rules.exact && plan_.manifest.judge.spans == SpanMode::kEndToEnd) {
    SetProperty(verdict, "demanded", "every bit, as judge.changed does not name it");
  }
  if (ReplaysInOrder(plan_)) SetProperty(verdict, "replayed", "in order");
  if (const auto unproven = Passes(verdict.outcome) ? TapsUnproven() : std::nullopt) {
    verdict.outcome = Outcome::kNotCompared;
    verdict.summary = *unproven;
    verdict.findings.insert(verdict.findings.begin(), *unproven);
    SetProperty(verdict, "outcome", std::string(NameOf(verdict.outcome)));
  }
  return verdict;
}

Verdict Session::JudgeAsked(const Case& which) {
  if (candidate_.given_up()) return TroubleVerdict(Outcome::kFail, *candidate_.given_up());
  const Timer timer(replay_seconds_);
  try {
    return inquiry_->Judge(which, candidate_.Get(), RulesFor("", ""));
  } catch (const SideFailure& failure) {
    candidate_.OnFailure(failure.death());
    Verdict verdict = TroubleVerdict(Outcome::kFail, "the candidate " + failure.death().Text());
    verdict.span_class = SpanClass::kBroken;
    return verdict;
  } catch (const std::exception& error) {
    return TroubleVerdict(Outcome::kError, error.what());
  }
}

}  // namespace parity
