#include <algorithm>
#include <utility>

#include "gtest_parity/session/session.h"
#include "gtest_parity/session/session_parts.h"

namespace parity {
namespace {

bool WroteConstants(const SpanEvidence& evidence) {
  return std::any_of(evidence.outside.begin(), evidence.outside.end(),
                     [](const OutsideWrite& write) { return write.whole_pages; });
}

}  // namespace

const SpanEvidence& Session::EvidenceOn(std::size_t span) {
  if (const auto found = span_evidence_.find(span); found != span_evidence_.end()) {
    return found->second;
  }
  if (ReplaysInOrder(plan_)) {
    ReplayAllInOrder();
    return span_evidence_.try_emplace(span, EvidenceBegunOn(ContextOfReplays(), span))
        .first->second;
  }
  const Timer timer(replay_seconds_);
  options_.progress("replay", plan_.spans[span].slug, span_evidence_.size(), plan_.spans.size());
  SpanEvidence evidence = ReplaySpan(ContextOfReplays(), span, candidate_.Get());
  if (evidence.death) OnSpanDeath(span, *evidence.death);
  // Nothing puts constants back: the next span gets a process that has them as they were loaded.
  if (WroteConstants(evidence)) candidate_.Stop();
  return span_evidence_.emplace(span, std::move(evidence)).first->second;
}

void Session::ReplayAllInOrder() {
  if (in_order_) return;
  in_order_.emplace();  // a pass that ends in an error is not taken again
  const Timer timer(replay_seconds_);
  const CandidateSource source = {
      [this] { return candidate_.given_up() ? nullptr : &candidate_.Get(); },
      [this](const Death& death) { candidate_.OnFailure(death); }};
  in_order_ = ReplayInOrder(ContextOfReplays(), source, options_.progress);
  for (const auto& [span, evidence] : in_order_->spans) span_evidence_.emplace(span, evidence);
}

ReplayContext Session::ContextOfReplays() const {
  return {plan_, workload_, recording_, pages_, options_.filter, options_.dump_folder};
}

void Session::OnSpanDeath(std::size_t span, Death& death) {
  candidate_.OnFailure(death);
  const bool ended = death.cause != Death::Cause::kFailed && death.cause != Death::Cause::kRefused;
  if (!ended || !death.op.empty() || candidate_.given_up()) return;
  try {
    death.op = LocateDeath(ContextOfReplays(), span, death.run, candidate_.Get());
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch)
    // It does not even start or stage again: the op stays unknown.
  }
  candidate_.Stop();
}

const FreeRunResult& Session::Free() {
  if (free_run_) return *free_run_;
  const Timer timer(free_run_seconds_);
  if (candidate_.given_up()) {
    free_run_.emplace();
    free_run_->ends.resize(workload_.runs.size());
    free_run_->death = Death{.cause = Death::Cause::kFailed,
                             .what = *candidate_.given_up(),
                             .ranks = {},
                             .run = {},
                             .op = {}};
    return *free_run_;
  }
  const auto run = [&](Decisions decisions) {
    FreeRunResult result = RunFree(plan_, plan_.candidate, workload_, recording_, decisions,
                                   candidate_.Get(), options_.progress);
    if (result.death) candidate_.OnFailure(*result.death);
    return result;
  };
  free_run_ = run(Decisions::kServed);
  if (!free_run_->death && DecisionsDiffer(*free_run_)) forced_run_ = run(Decisions::kForced);
  return *free_run_;
}

const Verdict& Session::EndToEnd(const std::string& program) {
  if (const auto found = end_to_end_.find(program); found != end_to_end_.end()) {
    return found->second;
  }
  const Verdict verdict = JudgeEndToEnd(EndToEndEvidenceOn(program), RulesFor(program, ""));
  return end_to_end_.emplace(program, verdict).first->second;
}

std::uint64_t Session::RunsOf(const std::string& program) const {
  return static_cast<std::uint64_t>(
      std::count_if(workload_.runs.begin(), workload_.runs.end(),
                    [&](const WorkloadRun& run) { return run.program == program; }));
}

}  // namespace parity
