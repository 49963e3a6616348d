#include "gtest_parity/replay/free_run.h"

#include <algorithm>

#include "gtest_parity/replay/run_end.h"

namespace parity {
namespace {

// One scenario in one message.
class ScenarioScript {
 public:
  ScenarioScript(const Plan& plan, const Description& description, const Workload& workload,
                 const Recording& recording)
      : plan_(plan),
        description_(description),
        workload_(workload),
        recording_(recording),
        end_(plan, description),
        scripts_(plan.manifest.ranks.count) {
    for (Script& script : scripts_) script.Reset();
  }

  void Add(std::size_t run_index) {
    const WorkloadRun& run = workload_.runs[run_index];
    const std::shared_ptr<const Step> step = StepFor(run, description_, workload_.seed);
    const auto ops = static_cast<std::uint32_t>(description_.FindProgram(run.program)->ops.size());
    for (std::size_t rank = 0; rank < scripts_.size(); ++rank) {
      scripts_[rank].Stage(step);
      const std::size_t timed = scripts_[rank].RunWhole(run.program, ops);
      const RunEndIndices indices =
          end_.Compare(scripts_[rank], workload_, run_index, recording_.runs[run_index][rank]);
      if (rank == 0) added_.push_back({run_index, timed, {}});
      added_.back().indices.push_back(indices);
    }
  }

  void RunOn(Side& side, FreeRunResult& result) {
    const std::vector<Results> results = side.Run(scripts_);
    for (const Added& added : added_) {
      const WorkloadRun& run = workload_.runs[added.run];
      double slowest = 0;
      for (std::size_t rank = 0; rank < results.size(); ++rank) {
        const RunEndIndices& indices = added.indices[rank];
        end_.Compared(indices, results[rank], run, static_cast<int>(rank),
                      result.programs[run.program]);
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
    }
  }

 private:
  struct Added {
    std::size_t run;
    std::size_t timed;
    std::vector<RunEndIndices> indices;  // by rank
  };

  const Plan& plan_;
  const Description& description_;
  const Workload& workload_;
  const Recording& recording_;
  RunEndScript end_;
  std::vector<Script> scripts_;
  std::vector<Added> added_;
};

}  // namespace

FreeRunResult RunFree(const Plan& plan, const Description& description, const Workload& workload,
                      const Recording& recording, Side& side, const Progress& progress) {
  FreeRunResult result;
  result.ends.resize(workload.runs.size());
  try {
    for (std::size_t run = 0; run < workload.runs.size();) {
      progress("free run", workload.runs[run].scenario, run, workload.runs.size());
      ScenarioScript scenario(plan, description, workload, recording);
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

}  // namespace parity
