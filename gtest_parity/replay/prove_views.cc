#include "gtest_parity/replay/prove_views.h"

#include <algorithm>
#include <set>

#include "gtest_parity/judge/finding.h"

namespace parity {
namespace {

// The first run of each program of the last scenario, which has the most sequences, with the runs
// that lead there.
std::size_t FirstOfLastScenario(const Workload& workload) {
  std::size_t first = workload.runs.size() - 1;
  while (!workload.runs[first].first_of_scenario) --first;
  return first;
}

class ProofScript {
 public:
  ProofScript(const Plan& plan, const Description& side, const Workload& workload, bool run)
      : plan_(plan), side_(side), workload_(workload), run_(run), views_(ViewsOf(side)) {}

  ViewProofs On(Side& on) {
    Script script;
    script.Reset();
    std::set<std::string> seen;
    for (std::size_t i = FirstOfLastScenario(workload_); i < workload_.runs.size(); ++i) {
      const WorkloadRun& run = workload_.runs[i];
      const Program* program = side_.FindProgram(run.program);
      if (program == nullptr) continue;
      script.Stage(StepFor(run, side_, workload_.seed));
      if (run_) script.RunWhole(run.program, static_cast<std::uint32_t>(program->ops.size()));
      if (seen.insert(run.program).second) AddProofs(script, run.name);
    }
    const std::vector<Results> results =
        on.Run(std::vector<Script>(plan_.manifest.ranks.count, script));
    ViewProofs proofs;
    for (std::size_t rank = 0; rank < results.size(); ++rank) {
      Take(results[rank], static_cast<int>(rank), &proofs);
    }
    return proofs;
  }

 private:
  struct At {
    std::string run;
    std::vector<std::size_t> proofs;  // in the order of views_
    std::size_t strays;
  };

  void AddProofs(Script& script, const std::string& run) {
    At at{run, {}, 0};
    script.Watch();
    for (const TensorRef& view : views_) at.proofs.push_back(script.Prove(view));
    at.strays = script.Strays({}, {});
    at_.push_back(std::move(at));
  }

  void Take(const Results& results, int rank, ViewProofs* proofs) const {
    for (const At& at : at_) {
      for (std::size_t i = 0; i < views_.size(); ++i, ++proofs->proofs) {
        const std::string& words = results[at.proofs[i]].words;
        if (words.empty()) continue;
        proofs->wrong.push_back(Where("view " + views_[i].name, at.run, rank, "") + ": " + words);
      }
      for (const Stray& stray : results[at.strays].strays) {
        proofs->wrong.push_back(Where("views", at.run, rank, stray.tensor) + ": " +
                                Counted(stray.bytes, "byte") +
                                " moved by export or import of other tensors, first at byte " +
                                std::to_string(stray.first_offset));
      }
    }
  }

  const Plan& plan_;
  const Description& side_;
  const Workload& workload_;
  const bool run_;
  const std::vector<TensorRef> views_;
  std::vector<At> at_;
};

}  // namespace

std::vector<TensorRef> ViewsOf(const Description& side) {
  std::vector<TensorRef> views;
  for (const auto& [name, tensor] : side.tensors) {
    if (tensor.seen == nullptr || !tensor.seen->view) continue;
    views.push_back({tensor.kind, name, tensor.dtype});
  }
  return views;
}

ViewProofs ProveViews(const Plan& plan, const Description& side, const Workload& workload, bool run,
                      Side& on) {
  return ProofScript(plan, side, workload, run).On(on);
}

}  // namespace parity
