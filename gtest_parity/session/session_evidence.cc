// What a session knows, put together as the judge's evidence on one case.
#include <algorithm>

#include "gtest_parity/judge/judged_run.h"
#include "gtest_parity/replay/rank_difference.h"
#include "gtest_parity/replay/run_end.h"
#include "gtest_parity/session/session.h"

namespace parity {
namespace {

bool AllIdentical(const FreeRunEvidence& evidence) {
  return std::all_of(evidence.rows.begin(), evidence.rows.end(),
                     [](const RowsComparison& rows) {
                       return std::all_of(rows.rows.begin(), rows.rows.end(),
                                          [](const RowStats& row) { return row.identical; });
                     }) &&
         std::all_of(evidence.finals.begin(), evidence.finals.end(),
                     [](const FinalComparison& final) { return final.stats.Identical(); }) &&
         std::all_of(
             evidence.decisions.begin(), evidence.decisions.end(),
             [](const DecisionComparison& decision) { return decision.values.stats.Identical(); });
}

// Whether the forced run stands for some of what was served.
bool IsLostAsServed(const EndToEndEvidence& evidence) {
  const auto lost = [](const auto& at) { return !at.after.empty(); };
  const FreeRunEvidence& served = evidence.candidate;
  return evidence.forced && (std::any_of(served.rows.begin(), served.rows.end(), lost) ||
                             std::any_of(served.finals.begin(), served.finals.end(), lost));
}

void AddNotes(const ProgramPlan& program, EndToEndEvidence& evidence) {
  bool in_stretches = false;
  for (const DecisionPlan& decision : program.decisions) {
    in_stretches |= decision.forced_before != 0;
    if (decision.unforced.empty()) continue;
    evidence.notes.push_back(decision.name + " cannot be forced: " + decision.unforced);
  }
  if (in_stretches && IsLostAsServed(evidence)) {
    evidence.notes.push_back(
        "what follows a choice that differs ran in stretches, around the choices that were forced: "
        "what goes wrong only where the program runs whole does not show there");
  }
  for (const PrivateTensor& tensor : program.not_compared) {
    evidence.notes.push_back(tensor.name + " is not compared: " + tensor.reason);
  }
}

}  // namespace

// How many comparisons there have to be.
void Session::CountExpected(const ProgramPlan& program, EndToEndEvidence& evidence) const {
  const std::uint32_t ranks = plan_.manifest.ranks.count;
  for (std::size_t i = 0; i < workload_.runs.size(); ++i) {
    const WorkloadRun& run = workload_.runs[i];
    if (run.program != program.name) continue;
    evidence.expected_rows += VarsOf(run, ranks).at("rows") * program.logits.size() * ranks;
    evidence.expected_finals += program.outputs.size() * ranks;
    evidence.expected_decisions += program.decisions.size() * ranks;
    for (const std::string& state : program.states) {
      if (IsDue(plan_.reference.tensors.at(state), workload_, i)) evidence.expected_finals += ranks;
    }
  }
}

EndToEndEvidence Session::EndToEndEvidenceOn(const std::string& program) {
  const ProgramPlan& planned =
      *std::find_if(plan_.programs.begin(), plan_.programs.end(),
                    [&](const ProgramPlan& p) { return p.name == program; });
  const FreeRunResult& free_run = Free();
  EndToEndEvidence evidence;
  evidence.program = program;
  evidence.changed = planned.changed;
  evidence.runs_driven = RunsOf(program);
  CountExpected(planned, evidence);
  if (const auto found = free_run.programs.find(program); found != free_run.programs.end()) {
    evidence.candidate = found->second;
  }
  if (const auto found = recording_.repeats.find(program); found != recording_.repeats.end()) {
    evidence.reference = found->second;
  }
  evidence.death = free_run.death;
  if (forced_run_) {
    evidence.forced = forced_run_->programs[program];
    if (!evidence.death) evidence.death = forced_run_->death;
  }
  AddNotes(planned, evidence);
  // The spans are asked only where a rule may turn on them.
  if (!evidence.death && (planned.logits.empty() || !AllIdentical(JudgedRun(evidence)))) {
    AddSpansTo(evidence);
  }
  return evidence;
}

// Of every program: drift travels from one to another through states.
void Session::AddSpansTo(EndToEndEvidence& evidence) {
  // A person who looks at some runs or one rank is told nothing of the others.
  const bool all = options_.filter.run.empty() && !options_.filter.rank;
  evidence.every_span_compared_in_every_run =
      all && recording_.not_kept.empty() &&
      std::all_of(workload_.runs.begin(), workload_.runs.end(),
                  [](const WorkloadRun& run) { return !run.kept.empty(); });
  evidence.every_span_identical =
      all && recording_.faults.empty() && !TapTrouble() && !TapsUnproven();
  if (!evidence.every_span_identical) return;
  for (std::size_t span = 0; span < plan_.spans.size(); ++span) {
    if (recording_.spans[span].empty() || candidate_.given_up()) {
      evidence.every_span_compared_in_every_run = evidence.every_span_identical = false;
      return;
    }
    const Span& planned = plan_.spans[span];
    const Verdict verdict =
        JudgeSpan(EvidenceOn(span), RulesFor(planned.program, planned.slug), std::nullopt);
    evidence.every_span_identical &=
        verdict.outcome == Outcome::kPass && verdict.span_class == SpanClass::kIdentical;
  }
}

DomainEvidence Session::DomainEvidenceOn(const Case& which) {
  const FreeRunResult& free_run = Free();
  DomainEvidence evidence;
  evidence.program = which.program;
  evidence.tensor = which.tensor;
  evidence.expected = RunsOf(which.program) * plan_.manifest.ranks.count;
  evidence.death = free_run.death;
  for (std::size_t run = 0; run < workload_.runs.size(); ++run) {
    if (workload_.runs[run].program != which.program) continue;
    for (std::size_t rank = 0; rank < free_run.ends[run].size(); ++rank) {
      const FreeRunResult::End& end = free_run.ends[run][rank];
      evidence.checks.push_back({static_cast<int>(rank), workload_.runs[run].name,
                                 end.checked.at(which.tensor), end.domains.at(which.tensor),
                                 recording_.runs[run][rank].domains.at(which.tensor)});
    }
  }
  return evidence;
}

ReplicatedEvidence Session::ReplicatedEvidenceOn(const Case& which) {
  const FreeRunResult& free_run = Free();
  ReplicatedEvidence evidence;
  evidence.program = which.program;
  evidence.tensor = which.tensor;
  evidence.expected = RunsOf(which.program);
  evidence.death = free_run.death;
  bool located = false;
  for (std::size_t run = 0; run < workload_.runs.size(); ++run) {
    if (workload_.runs[run].program != which.program || free_run.ends[run].empty()) continue;
    ReplicatedEvidence::Run at;
    at.run = workload_.runs[run].name;
    for (const FreeRunResult::End& end : free_run.ends[run]) {
      at.candidate.push_back(end.digests.at(which.tensor));
    }
    for (const RunEnd& end : recording_.runs[run]) {
      at.reference.push_back(end.digests.at(which.tensor));
    }
    const std::optional<std::size_t> apart = FirstRankApart(at.candidate);
    if (apart && !located) {
      LocateDifference(run, which.tensor, *apart, at);
      located = true;
    }
    evidence.runs.push_back(std::move(at));
  }
  return evidence;
}

void Session::LocateDifference(std::size_t run, const std::string& tensor, std::size_t rank,
                               ReplicatedEvidence::Run& at) {
  if (candidate_.given_up()) {
    at.not_located = *candidate_.given_up();
    return;
  }
  try {
    at.difference = LocateRankDifference(ContextOfReplays(), run, tensor, rank, candidate_.Get());
  } catch (const SideFailure& failure) {
    candidate_.OnFailure(failure.death());
    at.not_located = "served again, the candidate " + failure.death().Text();
  }
}

}  // namespace parity
