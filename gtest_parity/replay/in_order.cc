#include "gtest_parity/replay/in_order.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "gtest_parity/replay/span_replay.h"

namespace parity {
namespace {

// A span in one recorded run.
struct Stop {
  std::size_t span = 0;
  const KeptSpan* kept = nullptr;
};

class InOrderPass {
 public:
  InOrderPass(const ReplayContext& context, const CandidateSource& candidate,
              const Progress& progress)
      : context_(context),
        plan_(context.plan),
        workload_(context.workload),
        candidate_(candidate),
        progress_(progress),
        stops_(context.workload.runs.size()) {
    for (std::size_t span = 0; span < plan_.spans.size(); ++span) {
      if (context.recording.spans[span].empty()) continue;
      replays_.emplace(span, SpanReplay(context_, span));
      BeginEvidence(span);
      for (const KeptSpan& kept : context.recording.spans[span]) {
        stops_[kept.run].push_back({span, &kept});
      }
    }
    const auto by_op = [this](const Stop& a, const Stop& b) {
      return plan_.spans[a.span].candidate.lo < plan_.spans[b.span].candidate.lo;
    };
    for (std::vector<Stop>& stops : stops_) std::stable_sort(stops.begin(), stops.end(), by_op);
  }

  InOrderReplay Run() {
    for (std::size_t first = 0; first < workload_.runs.size();) {
      std::size_t end = first + 1;
      while (end < workload_.runs.size() && !workload_.runs[end].first_of_scenario) ++end;
      std::size_t last = end;
      while (last > first && stops_[last - 1].empty()) --last;
      if (last > first) RunScenario(first, last);
      first = end;
    }
    return std::move(result_);
  }

 private:
  bool Asked(std::size_t run) const {
    return workload_.runs[run].name.find(context_.filter.run) != std::string::npos;
  }

  void BeginEvidence(std::size_t span) {
    SpanEvidence& evidence = result_.spans[span];
    evidence = EvidenceBegunOn(context_, span);
    evidence.unavailable = UnavailableChecks(plan_);
  }

  void RunScenario(std::size_t first, std::size_t last) {
    ++result_.scenarios;
    led_elsewhere_.reset();
    for (std::size_t run = first; run < last; ++run) {
      progress_("replay in order", workload_.runs[run].name, run, workload_.runs.size());
      try {
        Side* side = candidate_.get();
        if (side == nullptr) return;
        RunOne(run, *side);
      } catch (const SideFailure& failure) {
        Blame(failure.death(), run, last);
        candidate_.died(failure.death());
        return;
      }
    }
  }

  void RunOne(std::size_t run_index, Side& side) {
    const WorkloadRun& run = workload_.runs[run_index];
    const std::vector<Stop>& stops = stops_[run_index];
    const std::shared_ptr<const Step> step = StepFor(run, plan_.candidate, workload_.seed);
    std::vector<Script> scripts(plan_.manifest.ranks.count);
    std::vector<std::vector<ReplayIndices>> indices(scripts.size());
    for (std::size_t rank = 0; rank < scripts.size(); ++rank) {
      if (run.first_of_scenario) scripts[rank].Reset();
      scripts[rank].Stage(step);
      indices[rank] = plan_.candidate.tap_only ? AddTaps(scripts[rank], run, rank, stops)
                                               : AddParts(scripts[rank], run, rank, stops);
    }
    ++result_.runs;
    const std::vector<Results> results = side.Run(scripts);
    if (NeedsEveryRun(plan_) && !led_elsewhere_) led_elsewhere_ = FirstWords(run, scripts, results);
    if (!Asked(run_index)) return;
    for (std::size_t i = 0; i < stops.size(); ++i) {
      SpanEvidence& evidence = result_.spans[stops[i].span];
      std::optional<NotRestored> elsewhere = led_elsewhere_;
      for (std::size_t rank = 0; rank < scripts.size() && !elsewhere; ++rank) {
        elsewhere =
            SpanReplay::FindNotRestored(run, rank, scripts[rank], indices[rank][i], results[rank]);
      }
      if (elsewhere) {
        elsewhere->run = run.name;
        evidence.not_restored.push_back(*std::move(elsewhere));
        continue;
      }
      for (std::size_t rank = 0; rank < scripts.size(); ++rank) {
        if (context_.filter.rank && *context_.filter.rank != static_cast<int>(rank)) continue;
        replays_.at(stops[i].span)
            .TakeInOrder(*stops[i].kept, rank, indices[rank][i], results[rank], evidence);
      }
    }
  }

  // The first value of the reference that a rank could not take.
  static std::optional<NotRestored> FirstWords(const WorkloadRun& run,
                                               const std::vector<Script>& scripts,
                                               const std::vector<Results>& results) {
    for (std::size_t rank = 0; rank < scripts.size(); ++rank) {
      ReplayIndices all;
      all.ran = scripts[rank].instructions().size();
      if (auto at = SpanReplay::FindNotRestored(run, rank, scripts[rank], all, results[rank])) {
        return at;
      }
    }
    return std::nullopt;
  }

  std::uint32_t OpsOf(const WorkloadRun& run) const {
    return static_cast<std::uint32_t>(plan_.candidate.FindProgram(run.program)->ops.size());
  }

  std::vector<ReplayIndices> AddTaps(Script& script, const WorkloadRun& run, std::size_t rank,
                                     const std::vector<Stop>& stops) const {
    std::vector<ReplayIndices> indices;
    script.RunTapped(run.program, OpsOf(run));
    for (const Stop& stop : stops) {
      const SpanReplay& replay = replays_.at(stop.span);
      indices.push_back(replay.AddTapped(script, run, stop.kept->ranks[rank],
                                         replay.BytesWanted(*stop.kept, rank)));
    }
    return indices;
  }

  // What lies between the spans runs too: a step ends when its last op has run.
  std::vector<ReplayIndices> AddParts(Script& script, const WorkloadRun& run, std::size_t rank,
                                      const std::vector<Stop>& stops) const {
    std::vector<ReplayIndices> indices;
    std::uint32_t at = 0;
    for (const Stop& stop : stops) {
      const OpRange& range = plan_.spans[stop.span].candidate;
      if (range.lo > at) script.Run(run.program, at, range.lo);
      const SpanReplay& replay = replays_.at(stop.span);
      indices.push_back(replay.AddInOrder(script, run, stop.kept->ranks[rank],
                                          replay.BytesWanted(*stop.kept, rank)));
      at = range.hi;
    }
    if (at == 0) {
      script.RunWhole(run.program, OpsOf(run));
    } else if (at < OpsOf(run)) {
      script.Run(run.program, at, OpsOf(run));
    }
    return indices;
  }

  // `run` is where it happened, `last` the end of what its scenario still had to bring.
  void Blame(Death death, std::size_t run, std::size_t last) {
    if (death.run.empty()) death.run = workload_.runs[run].name;
    const std::optional<std::size_t> culprit = SpanOf(death, run);
    for (std::size_t later = run; later < last; ++later) {
      for (const Stop& stop : stops_[later]) {
        SpanEvidence& evidence = result_.spans[stop.span];
        if (culprit ? stop.span == *culprit : !evidence.death) evidence.death = death;
        if (!culprit || stop.span == *culprit) continue;
        const std::string note = "the candidate " + death.Text() +
                                 ", and cannot be brought past it: what came after in " +
                                 workload_.runs[run].scenario + " is missing";
        if (evidence.notes.empty() || evidence.notes.back() != note) evidence.notes.push_back(note);
      }
    }
  }

  std::optional<std::size_t> SpanOf(const Death& death, std::size_t run) const {
    const std::vector<Op>& ops = plan_.candidate.FindProgram(workload_.runs[run].program)->ops;
    for (const Stop& stop : stops_[run]) {
      const OpRange& range = plan_.spans[stop.span].candidate;
      for (std::uint32_t op = range.lo; op < range.hi; ++op) {
        if (!death.op.empty() && ops[op].label == death.op) return stop.span;
      }
    }
    return std::nullopt;
  }

  const ReplayContext& context_;
  const Plan& plan_;
  const Workload& workload_;
  const CandidateSource& candidate_;
  const Progress& progress_;
  std::vector<std::vector<Stop>> stops_;  // by run, in program order
  std::map<std::size_t, SpanReplay> replays_;
  // Where states grow from the reference's values alone: what this scenario's did not.
  std::optional<NotRestored> led_elsewhere_;
  InOrderReplay result_;
};

}  // namespace

bool ReplaysInOrder(const Plan& plan) { return plan.candidate.sequential || NeedsEveryRun(plan); }

bool NeedsEveryRun(const Plan& plan) { return plan.reference.tap_only || plan.candidate.tap_only; }

std::vector<std::string> UnavailableChecks(const Plan& plan) {
  std::vector<std::string> checks;
  if (plan.candidate.tap_only) {
    checks = {"missing writes", "undefined reads", "outside writes", "the candidate's repeats"};
  }
  if (plan.reference.tap_only) checks.emplace_back("the reference's written set");
  if (NeedsEveryRun(plan)) checks.emplace_back("restored states");
  return checks;
}

InOrderReplay ReplayInOrder(const ReplayContext& context, const CandidateSource& candidate,
                            const Progress& progress) {
  return InOrderPass(context, candidate, progress).Run();
}

}  // namespace parity
