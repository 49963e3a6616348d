#include "gtest_parity/replay/tap_recorder.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "gtest_parity/replay/recording_budget.h"
#include "gtest_parity/replay/run_end.h"
#include "gtest_parity/replay/span_script.h"
#include "gtest_parity/replay/spread_key.h"

namespace parity {
namespace {

// Where a span's results are in a script: [frontier index], only of what is tapped.
using TapIndices = std::vector<std::optional<std::size_t>>;

class TapPass {
 public:
  TapPass(const Plan& plan, const Workload& workload, const RecordRequest& request, Side& side,
          const Progress& progress, Recording& recording)
      : plan_(plan),
        workload_(workload),
        request_(request),
        side_(side),
        progress_(progress),
        recording_(recording),
        ranks_(plan.manifest.ranks.count),
        end_(plan, plan.reference),
        judged_end_to_end_(request.JudgesEndToEnd()),
        budget_(plan.manifest, recording),
        kept_(workload.runs.size()) {}

  void Record() {
    for (std::size_t run = 0; run < workload_.runs.size(); ++run) {
      progress_("record", workload_.runs[run].name, run, workload_.runs.size());
      RecordRun(run);
    }
  }

  // Returns whether every value came out again bit for bit. A run of which nothing was kept is
  // still driven where a later one needs the state that it leaves.
  bool Repeat() {
    bool identical = true;
    std::size_t end = workload_.runs.size();
    while (end > 0 && kept_[end - 1].empty()) --end;
    for (std::size_t run = 0; run < end; ++run) {
      progress_("repeat", workload_.runs[run].name, run, workload_.runs.size());
      identical &= RepeatRun(run);
    }
    return identical;
  }

 private:
  SpanOnSide OnSide(std::size_t span) const {
    const Span& of = plan_.spans[span];
    return SpanOnSide(of, plan_.reference, of.reference, of.reference_writes);
  }

  std::vector<std::size_t> SpansOf(std::size_t run) const {
    std::vector<std::size_t> spans;
    for (std::size_t span = 0; span < plan_.spans.size() && !budget_.spent(); ++span) {
      if (request_.spans[span] && plan_.spans[span].program == workload_.runs[run].program) {
        spans.push_back(span);
      }
    }
    return spans;
  }

  void Begin(Script& script, const WorkloadRun& run, bool tapped) const {
    if (run.first_of_scenario) script.Reset();
    script.Stage(StepFor(run, plan_.reference, workload_.seed));
    const auto ops =
        static_cast<std::uint32_t>(plan_.reference.FindProgram(run.program)->ops.size());
    tapped ? script.RunTapped(run.program, ops) : script.RunWhole(run.program, ops);
  }

  // Adds one instruction for each result of the span, at its tap.
  template <typename AddOne>
  TapIndices AtTaps(Script& script, std::size_t span, AddOne add_one) const {
    const SpanOnSide on_side = OnSide(span);
    TapIndices indices(on_side.size());
    for (std::size_t i = 0; i < on_side.size(); ++i) {
      const std::optional<std::uint32_t> op = on_side.TapOf(i);
      if (!on_side.tensor(i).compared || !op) continue;
      script.At(op);
      indices[i] = add_one(i, on_side.Ref(i));
    }
    script.At(std::nullopt);
    return indices;
  }

  void RecordRun(std::size_t run_index) {
    const WorkloadRun& run = workload_.runs[run_index];
    const std::vector<std::size_t> spans = SpansOf(run_index);
    std::vector<Script> scripts(ranks_);
    std::vector<TapIndices> indices;
    RunEndIndices end_indices;
    for (Script& script : scripts) {
      Begin(script, run, !spans.empty());
      indices.clear();
      for (const std::size_t span : spans) {
        indices.push_back(AtTaps(script, span, [&](std::size_t, const TensorRef& tensor) {
          return script.Keep(tensor);
        }));
      }
      if (judged_end_to_end_) end_indices = end_.Keep(script, workload_, run_index);
    }
    const std::vector<Results> results = side_.Run(scripts);
    budget_.Count(scripts, results);
    // A run is kept whole: behind a value that was not, states would not be the reference's.
    if (RecordingBudget::Exceeded(results)) {
      budget_.Spend(run.name);
    } else {
      for (std::size_t i = 0; i < spans.size(); ++i) Take(run_index, spans[i], indices[i], results);
    }
    if (!judged_end_to_end_) return;
    for (const Results& rank : results) {
      recording_.runs[run_index].push_back(end_.Kept(end_indices, rank));
    }
  }

  void Take(std::size_t run, std::size_t span, const TapIndices& indices,
            const std::vector<Results>& results) {
    const SpanOnSide on_side = OnSide(span);
    const Vars vars = VarsOf(workload_.runs[run], ranks_);
    KeptSpan kept;
    kept.run = run;
    for (const Results& rank : results) {
      std::vector<KeptTensor>& tensors = kept.ranks.emplace_back(on_side.size());
      for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (!indices[i]) continue;
        tensors[i].after = rank[*indices[i]].image;
        tensors[i].written = tensors[i].compared = on_side.DeclaredByBoth(i, vars);
      }
    }
    kept_[run].push_back({span, recording_.spans[span].size()});
    recording_.spans[span].push_back(std::move(kept));
  }

  bool RepeatRun(std::size_t run_index) {
    const WorkloadRun& run = workload_.runs[run_index];
    const std::vector<Place>& spans = kept_[run_index];
    std::vector<Script> scripts(ranks_);
    std::vector<std::vector<TapIndices>> indices(ranks_);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      Script& script = scripts[rank];
      Begin(script, run, !spans.empty());
      for (const auto& [span, index] : spans) {
        const std::vector<KeptTensor>& tensors = recording_.spans[span][index].ranks[rank];
        indices[rank].push_back(AtTaps(script, span, [&](std::size_t i, const TensorRef& tensor) {
          const Source recorded = Source::Of(tensors[i].after);
          const std::size_t distance =
              script.Elements(tensor, recorded, Source::Live(), tensors[i].compared);
          script.Restore(tensor, recorded, tensors[i].compared);
          return distance;
        }));
      }
    }
    const std::vector<Results> results = side_.Run(scripts);
    bool identical = true;
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      for (std::size_t s = 0; s < spans.size(); ++s) {
        const Span& span = plan_.spans[spans[s].span];
        for (std::size_t i = 0; i < span.frontier.size(); ++i) {
          if (!indices[rank][s][i]) continue;
          const ElementStats& distance = results[rank][*indices[rank][s][i]].elements;
          recording_.spreads.Add(
              SpreadKeyOf(plan_, span, span.frontier[i].name, run, static_cast<int>(rank)),
              distance);
          identical &= distance.Identical();
        }
      }
    }
    return identical;
  }

  const Plan& plan_;
  const Workload& workload_;
  const RecordRequest& request_;
  Side& side_;
  const Progress& progress_;
  Recording& recording_;
  const std::uint32_t ranks_;
  RunEndScript end_;
  const bool judged_end_to_end_;
  struct Place {
    std::size_t span = 0, index = 0;  // recording_.spans[span][index]
  };
  RecordingBudget budget_;
  std::vector<std::vector<Place>> kept_;  // by run
};

}  // namespace

void RecordTaps(const Plan& plan, const Workload& workload, const RecordRequest& request,
                Side& side, const Progress& progress, Recording& recording) {
  TapPass pass(plan, workload, request, side, progress, recording);
  pass.Record();
  std::uint32_t repeats = plan.manifest.judge.repeats;
  for (std::uint32_t repeat = 0; repeat < repeats; ++repeat) {
    const bool noisy = !pass.Repeat();
    if (noisy && repeats == plan.manifest.judge.repeats) {
      repeats += plan.manifest.judge.noisy_repeats;
    }
  }
}

}  // namespace parity
