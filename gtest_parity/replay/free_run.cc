#include "gtest_parity/replay/free_run.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "gtest_parity/replay/run_end.h"

namespace parity {
namespace {

// One scenario in one message.
class ScenarioScript {
 public:
  ScenarioScript(const Plan& plan, const Description& description, const Workload& workload,
                 const Recording& recording, Decisions decisions)
      : plan_(plan),
        description_(description),
        workload_(workload),
        recording_(recording),
        decisions_(decisions),
        end_(plan, description),
        scripts_(plan.manifest.ranks.count) {
    for (Script& script : scripts_) script.Reset();
  }

  void Add(std::size_t run_index) {
    const WorkloadRun& run = workload_.runs[run_index];
    const std::shared_ptr<const Step> step = StepFor(run, description_, workload_.seed);
    for (std::size_t rank = 0; rank < scripts_.size(); ++rank) {
      scripts_[rank].Stage(step);
      const RunEnd& kept = recording_.runs[run_index][rank];
      RunEndIndices indices;
      const std::size_t timed = decisions_ == Decisions::kServed
                                    ? scripts_[rank].RunWhole(run.program, OpsOf(run))
                                    : RunForced(scripts_[rank], run, kept, indices);
      end_.Compare(scripts_[rank], workload_, run_index, kept, indices);
      if (rank == 0) added_.push_back({run_index, timed, {}});
      added_.back().indices.push_back(std::move(indices));
    }
  }

  void RunOn(Side& side, FreeRunResult& result) {
    const std::vector<Results> results = side.Run(scripts_);
    for (const Added& added : added_) {
      const WorkloadRun& run = workload_.runs[added.run];
      double slowest = 0;
      FreeRunEvidence evidence;
      for (std::size_t rank = 0; rank < results.size(); ++rank) {
        const RunEndIndices& indices = added.indices[rank];
        end_.Compared(indices, results[rank], run, static_cast<int>(rank), evidence);
        FreeRunResult::End end;
        end.domains = end_.Domains(indices, results[rank]);
        for (const auto& [name, index] : indices.domains) {
          end.checked[name] = results[rank][index].count;
        }
        for (const auto& [name, index] : indices.digests) {
          end.digests[name] = results[rank][index].digest;
        }
        result.ends[added.run].push_back(std::move(end));
        slowest = std::max(slowest, results[rank][added.timed].seconds);
      }
      result.engine_seconds += slowest;
      if (&description_ == &plan_.candidate) MarkDivergence(run, evidence);
      Append(std::move(evidence), result.programs[run.program]);
    }
  }

 private:
  std::uint32_t OpsOf(const WorkloadRun& run) const {
    return static_cast<std::uint32_t>(description_.FindProgram(run.program)->ops.size());
  }

  // Stops where a decision has been made, compares it and puts the reference's in its place.
  // Returns the index of the last stretch.
  std::size_t RunForced(Script& script, const WorkloadRun& run, const RunEnd& kept,
                        RunEndIndices& indices) const {
    std::uint32_t at = 0;
    std::size_t last = 0;
    const auto run_to = [&](std::uint32_t op) {
      if (op > at) last = script.Run(run.program, at, op);
      at = op;
    };
    for (const DecisionPlan& decision : end_.ProgramOf(run).decisions) {
      if (decision.forced_before == 0) continue;
      run_to(decision.forced_before);
      end_.CompareDecision(script, run, decision, kept, indices);
      indices.decisions[decision.name].restored =
          script.Restore(end_.Ref(decision.name), Source::Of(kept.images.at(decision.name)));
    }
    if (at == 0) return script.RunWhole(run.program, OpsOf(run));
    run_to(OpsOf(run));
    return last;
  }

  // Ranks work together: what differs on one leads all of them elsewhere. The rows that it was
  // taken from were there before it.
  void MarkDivergence(const WorkloadRun& run, FreeRunEvidence& evidence) {
    const std::vector<DecisionPlan>& planned = end_.ProgramOf(run).decisions;
    std::string taken_from;
    for (const DecisionPlan& decision : planned) {
      bool differs = false, forced = true;
      std::string unforced = decision.unforced;
      for (DecisionComparison& made : evidence.decisions) {
        if (made.values.tensor != decision.name) continue;
        made.values.after = diverged_;
        differs |= !made.values.stats.Identical();
        forced &= made.forced;
        if (unforced.empty()) unforced = made.unforced;
      }
      if (!diverged_.empty() || !differs || !decision.steers || forced) continue;
      diverged_ = decision.name + " of " + run.name + ", which differs" +
                  (unforced.empty() ? "" : " and cannot be forced: " + unforced);
      if (decision.unscored.empty()) taken_from = decision.scores;
    }
    for (RowsComparison& rows : evidence.rows) {
      if (rows.tensor != taken_from) rows.after = diverged_;
    }
    for (FinalComparison& final : evidence.finals) final.after = diverged_;
  }

  static void Append(FreeRunEvidence from, FreeRunEvidence& to) {
    const auto append = [](auto& list, auto& end) {
      std::move(list.begin(), list.end(), std::back_inserter(end));
    };
    append(from.rows, to.rows);
    append(from.finals, to.finals);
    append(from.decisions, to.decisions);
  }

  struct Added {
    std::size_t run;
    std::size_t timed;
    std::vector<RunEndIndices> indices;  // by rank
  };

  const Plan& plan_;
  const Description& description_;
  const Workload& workload_;
  const Recording& recording_;
  const Decisions decisions_;
  RunEndScript end_;
  std::vector<Script> scripts_;
  std::vector<Added> added_;
  std::string diverged_;  // the first decision that differed and was not forced
};

}  // namespace

FreeRunResult RunFree(const Plan& plan, const Description& description, const Workload& workload,
                      const Recording& recording, Decisions decisions, Side& side,
                      const Progress& progress) {
  FreeRunResult result;
  result.ends.resize(workload.runs.size());
  try {
    for (std::size_t run = 0; run < workload.runs.size();) {
      progress(decisions == Decisions::kServed ? "free run" : "forced run",
               workload.runs[run].scenario, run, workload.runs.size());
      ScenarioScript scenario(plan, description, workload, recording, decisions);
      do {
        scenario.Add(run);
      } while (!workload.runs[run++].last_of_scenario);
      scenario.RunOn(side, result);
    }
  } catch (const SideFailure& failure) {
    result.death = failure.death();
  }
  return result;
}

bool DecisionsDiffer(const FreeRunResult& result) {
  return std::any_of(result.programs.begin(), result.programs.end(), [](const auto& program) {
    const std::vector<DecisionComparison>& decisions = program.second.decisions;
    return std::any_of(decisions.begin(), decisions.end(), [](const DecisionComparison& decision) {
      return !decision.values.stats.Identical();
    });
  });
}

}  // namespace parity
