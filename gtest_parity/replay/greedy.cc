#include "gtest_parity/replay/greedy.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace parity {
namespace {

[[noreturn]] void Fail(const std::string& words) { throw std::runtime_error(words); }

class GreedyRecorder {
 public:
  GreedyRecorder(const Plan& plan, const Workload& workload, const std::string& scenario,
                 const std::vector<std::int32_t>& end, Side& reference)
      : plan_(plan),
        driver_(plan, workload, plan.reference),
        end_(end),
        reference_(reference),
        steps_(plan.manifest.workload.decode_steps) {
    std::vector<WorkloadRun> runs;
    for (const WorkloadRun& run : workload.runs) {
      if (run.scenario == scenario) runs.push_back(run);
    }
    if (steps_ > 0) decode_ = runs.back().program;
    // The workload decodes a text: these runs are replaced by the reference's own choices.
    prompts_.assign(runs.begin(), runs.end() - static_cast<std::ptrdiff_t>(steps_));
    scenario_.name = scenario;
    scenario_.asked = 1 + steps_;
    for (const WorkloadRun& run : prompts_) {
      for (const WorkloadRun::Sequence& sequence : run.sequences) {
        if (sequence.slot >= scenario_.sequences.size()) {
          scenario_.sequences.resize(sequence.slot + 1);
        }
        std::vector<std::int32_t>& prompt = scenario_.sequences[sequence.slot].prompt;
        prompt.insert(prompt.end(), sequence.tokens.begin(), sequence.tokens.end());
      }
    }
  }

  GreedyScenario Run() {
    for (const WorkloadRun& run : prompts_) Drive(run);
    for (std::uint64_t step = 0; step < steps_; ++step) {
      const WorkloadRun run = NextRun(step);
      if (run.sequences.empty()) break;
      Drive(run);
    }
    return std::move(scenario_);
  }

 private:
  WorkloadRun NextRun(std::uint64_t step) const {
    WorkloadRun run;
    run.scenario = scenario_.name;
    run.program = decode_;
    run.name = scenario_.name + "/" + decode_ + "#" +
               std::to_string(step + (decode_ == prompts_.back().program ? prompts_.size() : 0));
    for (std::size_t slot = 0; slot < scenario_.sequences.size(); ++slot) {
      const GreedySequence& sequence = scenario_.sequences[slot];
      if (sequence.ended) continue;
      run.sequences.push_back({static_cast<std::uint32_t>(slot),
                               sequence.prompt.size() + sequence.ids.size() - 1,
                               {sequence.ids.back()}});
    }
    return run;
  }

  std::vector<GreedyChoice> ChoicesOf(const WorkloadRun& run) const {
    std::vector<GreedyChoice> choices;
    std::uint64_t rows = 0;
    for (std::size_t i = 0; i < run.sequences.size(); ++i) {
      const WorkloadRun::Sequence& at = run.sequences[i];
      rows += at.tokens.size();
      const GreedySequence& sequence = scenario_.sequences[at.slot];
      if (at.past + at.tokens.size() < sequence.prompt.size()) continue;
      choices.push_back({at.slot, sequence.ids.size(), driver_.RowPerToken() ? rows - 1 : i, i});
    }
    return choices;
  }

  void Drive(const WorkloadRun& run) {
    const std::vector<GreedyChoice> choices = ChoicesOf(run);
    std::vector<Script> scripts(driver_.ranks());
    GreedyDriver::Indices indices;
    for (Script& script : scripts) indices = driver_.Add(script, run, !choices.empty(), nullptr);
    const std::vector<Results> results = reference_.Run(scripts);
    std::vector<Image> logits(results.size());
    for (std::size_t rank = 0; rank < results.size(); ++rank) {
      if (!indices.kept) continue;
      const Result& kept = results[rank][*indices.kept];
      if (kept.exhausted) {
        Fail(run.name +
             ": the memory budget does not hold the logits of the generation: raise "
             "`memory_budget`");
      }
      logits[rank] = kept.image;
    }
    for (const GreedyChoice& at : choices) Choose(run, at, indices, results);
    scenario_.runs.push_back(run);
    scenario_.logits.push_back(std::move(logits));
    scenario_.choices.push_back(choices);
  }

  void Choose(const WorkloadRun& run, const GreedyChoice& at, const GreedyDriver::Indices& indices,
              const std::vector<Results>& results) {
    const std::int64_t id = driver_.ChosenAt(indices, results[0], at);
    const std::string where = run.name + ", sequence " + std::to_string(at.sequence) + ": ";
    for (std::size_t rank = 1; rank < results.size(); ++rank) {
      const std::int64_t other = driver_.ChosenAt(indices, results[rank], at);
      if (other == id) continue;
      Fail(where + "the reference's rank " + std::to_string(rank) + " chooses " +
           std::to_string(other) + ", rank 0 chooses " + std::to_string(id));
    }
    const auto domain = plan_.reference.tensors.at("tokens").domain;
    if (!domain || static_cast<double>(id) < domain->min || static_cast<double>(id) > domain->max) {
      Fail(where + "the reference chooses " + std::to_string(id) + ", which is no token");
    }
    GreedySequence& sequence = scenario_.sequences[at.sequence];
    sequence.ids.push_back(static_cast<std::int32_t>(id));
    sequence.ended = std::find(end_.begin(), end_.end(), sequence.ids.back()) != end_.end();
  }

  const Plan& plan_;
  GreedyDriver driver_;
  const std::vector<std::int32_t>& end_;
  Side& reference_;
  const std::uint64_t steps_;
  std::string decode_;
  std::vector<WorkloadRun> prompts_;
  GreedyScenario scenario_;
};

}  // namespace

std::vector<std::string> ScenariosOf(const Workload& workload) {
  std::vector<std::string> names;
  for (const WorkloadRun& run : workload.runs) {
    if (run.first_of_scenario) names.push_back(run.scenario);
  }
  return names;
}

GreedyScenario RecordGreedy(const Plan& plan, const Workload& workload, const std::string& scenario,
                            const std::vector<std::int32_t>& end, Side& reference) {
  return GreedyRecorder(plan, workload, scenario, end, reference).Run();
}

std::vector<GreedyToken> CompareGreedy(const Plan& plan, const Workload& workload,
                                       const GreedyScenario& scenario,
                                       const Description& description, Side& side) {
  const GreedyDriver driver(plan, workload, description);
  std::vector<Script> scripts(driver.ranks());
  std::vector<GreedyDriver::Indices> indices(scenario.runs.size());
  for (std::size_t rank = 0; rank < scripts.size(); ++rank) {
    for (std::size_t run = 0; run < scenario.runs.size(); ++run) {
      indices[run] = driver.Add(scripts[rank], scenario.runs[run], !scenario.choices[run].empty(),
                                &scenario.logits[run][rank]);
    }
  }
  const std::vector<Results> results = side.Run(scripts);
  std::vector<GreedyToken> tokens;
  for (std::size_t rank = 0; rank < results.size(); ++rank) {
    for (std::size_t run = 0; run < scenario.runs.size(); ++run) {
      for (const GreedyChoice& at : scenario.choices[run]) {
        tokens.push_back({.rank = static_cast<int>(rank),
                          .run = scenario.runs[run].name,
                          .sequence = at.sequence,
                          .position = at.position,
                          .candidate = static_cast<std::int32_t>(
                              driver.ChosenAt(indices[run], results[rank], at)),
                          .row = driver.RowAt(indices[run], results[rank], at)});
      }
    }
  }
  return tokens;
}

}  // namespace parity
