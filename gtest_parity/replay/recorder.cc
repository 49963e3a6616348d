#include "gtest_parity/replay/recorder.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <stdexcept>
#include <utility>

#include "gtest_parity/replay/free_run.h"
#include "gtest_parity/replay/in_order.h"
#include "gtest_parity/replay/recording_budget.h"
#include "gtest_parity/replay/run_end.h"
#include "gtest_parity/replay/span_recorder.h"
#include "gtest_parity/replay/spread_key.h"
#include "gtest_parity/replay/tap_recorder.h"

namespace parity {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

class SpanPass {
 public:
  SpanPass(const Plan& plan, const Workload& workload, const RecordRequest& request, Side& side,
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
        budget_(plan.manifest, recording) {}

  void Run() {
    for (std::size_t run = 0; run < workload_.runs.size(); ++run) {
      if (!Needed(run)) continue;
      progress_("record", workload_.runs[run].name, run, workload_.runs.size());
      Record(run);
    }
  }

 private:
  // Whether this run, or a later one of its scenario, leaves anything to keep.
  bool Needed(std::size_t run) const {
    if (judged_end_to_end_) return true;
    do {
      if (!SpansOf(run).empty()) return true;
    } while (!workload_.runs[run++].last_of_scenario);
    return false;
  }

  // The selected spans of a kept run, in program order.
  std::vector<std::size_t> SpansOf(std::size_t run) const {
    std::vector<std::size_t> spans;
    if (workload_.runs[run].kept.empty() || budget_.spent()) return spans;
    for (std::size_t span = 0; span < plan_.spans.size(); ++span) {
      if (request_.spans[span] && plan_.spans[span].program == workload_.runs[run].program) {
        spans.push_back(span);
      }
    }
    return spans;
  }

  // The whole program, stopping at each span to record it.
  std::vector<SpanIndices> RunAndRecord(Script& script, const WorkloadRun& run,
                                        const std::vector<std::size_t>& spans) const {
    const auto ops =
        static_cast<std::uint32_t>(plan_.reference.FindProgram(run.program)->ops.size());
    std::vector<SpanIndices> indices;
    std::uint32_t at = 0;
    for (const std::size_t span : spans) {
      const OpRange& range = plan_.spans[span].reference;
      if (range.lo > at) script.Run(run.program, at, range.lo);
      indices.push_back(SpanRecorder(plan_, span).Record(script, plan_.manifest.judge.repeats));
      at = range.hi;
    }
    if (at == 0) {
      script.RunWhole(run.program, ops);
    } else if (at < ops) {
      script.Run(run.program, at, ops);
    }
    return indices;
  }

  void Record(std::size_t run_index) {
    const WorkloadRun& run = workload_.runs[run_index];
    const std::shared_ptr<const Step> step = StepFor(run, plan_.reference, workload_.seed);
    const std::vector<std::size_t> spans = SpansOf(run_index);
    std::vector<Script> scripts(ranks_);
    std::vector<SpanIndices> span_indices;
    RunEndIndices end_indices;
    for (Script& script : scripts) {
      if (run.first_of_scenario) script.Reset();
      script.Stage(step);
      span_indices = RunAndRecord(script, run, spans);
      if (judged_end_to_end_) end_indices = end_.Keep(script, workload_, run_index);
    }
    const std::vector<Results> results = side_.Run(scripts);
    CheckRestored(results);
    budget_.Count(scripts, results);
    // A run is kept whole where only the reference's values at every cut keep states right.
    if (NeedsEveryRun(plan_) && RecordingBudget::Exceeded(results)) {
      budget_.Spend(run.name);
      span_indices.clear();
    }
    std::vector<std::size_t> hybrid;
    for (const SpanIndices& indices : span_indices) Take(run_index, indices, results, hybrid);
    if (judged_end_to_end_) {
      for (const Results& rank : results) {
        recording_.runs[run_index].push_back(end_.Kept(end_indices, rank));
      }
    }
    if (!hybrid.empty()) MeasureHybrid(run_index, hybrid);
  }

  // What came from the reference must fit it.
  static void CheckRestored(const std::vector<Results>& results) {
    for (const Results& rank : results) {
      for (const Result& result : rank) {
        if (result.words.empty()) continue;
        throw std::runtime_error("the reference cannot be put back to what it was: " +
                                 result.words);
      }
    }
  }

  // Files a span's results; those that did not repeat bit for bit go to `hybrid`.
  void Take(std::size_t run, const SpanIndices& indices, const std::vector<Results>& results,
            std::vector<std::size_t>& hybrid) {
    const SpanRecorder recorder(plan_, indices.span);
    KeptSpan kept;
    kept.run = run;
    bool repeats = true;
    for (const Results& rank : results) {
      std::optional<std::vector<KeptTensor>> tensors =
          recorder.Kept(indices, VarsOf(workload_.runs[run], ranks_), rank);
      if (!tensors) return budget_.Spend(workload_.runs[run].name);
      kept.ranks.push_back(std::move(*tensors));
    }
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      repeats &= AddDistances(run, recorder, indices, rank, results[rank], nullptr);
    }
    recording_.spans[indices.span].push_back(std::move(kept));
    if (!repeats) hybrid.push_back(indices.span);
  }

  // Whether the span writes scores that one of its decisions is judged by, read later or not.
  bool IsTakenFrom(const SpanOnSide& span, std::size_t scores) const {
    if (!span.Written(scores)) return false;
    for (std::size_t i = 0; i < span.size(); ++i) {
      const Tensor& decision = plan_.reference.tensors.at(span.tensor(i).name);
      if (span.tensor(i).compared && decision.scores == span.tensor(scores).name) return true;
    }
    return false;
  }

  // Pools the distances of one rank. Returns whether all repeats agreed bit for bit; names of
  // tensors whose repeats follow the poison go to `undefined`, if given.
  bool AddDistances(std::size_t run, const SpanRecorder& recorder, const SpanIndices& indices,
                    std::uint32_t rank, const Results& results, std::set<std::string>* undefined) {
    const SpanOnSide& span = recorder.on_side();
    bool repeats = true;
    for (std::size_t i = 0; i < span.size(); ++i) {
      if (!span.tensor(i).compared && !IsTakenFrom(span, i)) continue;
      const RepeatDistances distances = recorder.Distances(indices, i, results);
      repeats &= distances.AllIdentical();
      const SpreadKey key = SpreadKeyOf(plan_, plan_.spans[indices.span], span.tensor(i).name,
                                        workload_.runs[run], static_cast<int>(rank));
      for (const ElementStats& pair : distances.pairs()) recording_.spreads.Add(key, pair);
      if (undefined != nullptr && distances.FollowPoison()) undefined->insert(span.tensor(i).name);
    }
    return repeats;
  }

  void MeasureHybrid(std::size_t run_index, const std::vector<std::size_t>& spans) {
    const WorkloadRun& run = workload_.runs[run_index];
    const std::shared_ptr<const Step> step = StepFor(run, plan_.reference, workload_.seed);
    const JudgeOptions& judge = plan_.manifest.judge;
    for (const std::size_t span : spans) {
      const SpanRecorder recorder(plan_, span);
      const KeptSpan& kept = recording_.spans[span].back();
      std::vector<Script> scripts(ranks_);
      SpanIndices indices;
      for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
        // A sequential reference still stands at this step, and could not be put there again.
        if (!plan_.reference.sequential) scripts[rank].Stage(step);
        indices =
            recorder.Repeat(scripts[rank], kept.ranks[rank], judge.repeats + judge.noisy_repeats);
      }
      const std::vector<Results> results = side_.Run(scripts);
      CheckRestored(results);
      std::set<std::string> undefined;
      for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
        AddDistances(run_index, recorder, indices, rank, results[rank], &undefined);
      }
      for (const std::string& tensor : undefined) {
        recording_.faults.push_back(
            {span, "the reference's '" + tensor + "' of " + plan_.spans[span].label + " in " +
                       run.name +
                       " depends on what its outputs or scratch held before: it reads "
                       "what its description declares as written unread"});
      }
    }
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
  RecordingBudget budget_;
};

bool RepeatsBitForBit(const FreeRunResult& result) {
  for (const auto& [program, evidence] : result.programs) {
    for (const RowsComparison& rows : evidence.rows) {
      if (!std::all_of(rows.rows.begin(), rows.rows.end(),
                       [](const RowStats& row) { return row.identical; })) {
        return false;
      }
    }
    for (const FinalComparison& final : evidence.finals) {
      if (!final.stats.Identical()) return false;
    }
  }
  return !DecisionsDiffer(result);
}

void RepeatWorkload(const Plan& plan, const Workload& workload, Side& side,
                    const Progress& progress, Recording& recording) {
  const JudgeOptions& judge = plan.manifest.judge;
  std::uint32_t repeats = judge.repeats;
  for (std::uint32_t repeat = 0; repeat < repeats; ++repeat) {
    FreeRunResult result =
        RunFree(plan, plan.reference, workload, recording, Decisions::kServed, side, progress);
    if (result.death) throw SideFailure(*result.death);
    recording.seconds.workload = repeat == 0
                                     ? result.engine_seconds
                                     : std::min(recording.seconds.workload, result.engine_seconds);
    if (repeats == judge.repeats && !RepeatsBitForBit(result)) repeats += judge.noisy_repeats;
    for (auto& [program, evidence] : result.programs) {
      recording.repeats[program].push_back(std::move(evidence));
    }
  }
}

}  // namespace

Recording Record(const Plan& plan, const Workload& workload, const RecordRequest& request,
                 Side& side, const Progress& progress) {
  Recording recording;
  recording.spans.resize(plan.spans.size());
  recording.runs.resize(workload.runs.size());
  recording.bytes.resize(plan.manifest.ranks.count);
  recording.spilled.resize(plan.manifest.ranks.count);
  const Clock::time_point begin = Clock::now();
  if (plan.reference.tap_only) {
    RecordTaps(plan, workload, request, side, progress, recording);
  } else {
    SpanPass(plan, workload, request, side, progress, recording).Run();
  }
  recording.seconds.record = SecondsSince(begin);
  if (request.JudgesEndToEnd()) {
    const Clock::time_point repeat_begin = Clock::now();
    RepeatWorkload(plan, workload, side, progress, recording);
    recording.seconds.end_to_end = SecondsSince(repeat_begin);
  }
  return recording;
}

}  // namespace parity
