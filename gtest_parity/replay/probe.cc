#include "gtest_parity/replay/probe.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "gtest_parity/manifest/operand.h"
#include "gtest_parity/replay/probe_runs.h"
#include "kernels/poison.h"

namespace parity {
namespace {

std::string BaseName(std::size_t run, const std::string& tensor) {
  return "probe " + std::to_string(run) + " " + tensor;
}

// Whether the value that Overwrite stores can be another than what is there.
bool CanDiffer(const TensorRef& tensor, const Description& side) {
  const std::optional<ValueRange>& domain = side.tensors.at(tensor.name).domain;
  return Poison(tensor.dtype, PoisonKind::kQuietNaN, domain) !=
         Poison(tensor.dtype, PoisonKind::kLargeFinite, domain);
}

bool AllIdentical(const std::vector<ProbeComparison>& results) {
  return std::all_of(results.begin(), results.end(),
                     [](const ProbeComparison& at) { return at.stats.Identical(); });
}

}  // namespace

Prober::Prober(const Plan& plan, const Workload& workload, bool candidate, Side& side)
    : plan_(plan),
      workload_(workload),
      description_(candidate ? plan.candidate : plan.reference),
      side_(side),
      ranks_(plan.manifest.ranks.count),
      cuts_(CutsOf(plan, candidate)),
      runs_(ProbeRuns(workload, description_)) {}

// What a program leaves for its caller.
std::vector<TensorRef> Prober::ResultsOf(const std::string& program) const {
  std::vector<TensorRef> results;
  for (const auto& [name, tensor] : description_.tensors) {
    if (tensor.role != Role::kLogits && tensor.role != Role::kOutput &&
        tensor.role != Role::kDecision) {
      continue;
    }
    const std::vector<Op>& ops = description_.FindProgram(program)->ops;
    const bool written = std::any_of(ops.begin(), ops.end(), [&](const Op& op) {
      const auto names = [&](const std::string& text) {
        return Resolve(description_, text).tensor == &tensor;
      };
      return std::any_of(op.writes.begin(), op.writes.end(), names) ||
             std::any_of(op.updates.begin(), op.updates.end(), names);
    });
    if (tensor.kind == Kind::kBuffer && written)
      results.push_back({tensor.kind, name, tensor.dtype});
  }
  return results;
}

void Prober::AddRun(Script& script, const WorkloadRun& run, const Change& change) const {
  script.Stage(StepFor(run, description_, workload_.seed));
  const auto ops = static_cast<std::uint32_t>(description_.FindProgram(run.program)->ops.size());
  std::vector<const Cut*> taps;
  for (std::size_t i = 0; i < change.taps; ++i) taps.push_back(&cuts_[i]);
  if (change.overwritten != nullptr) taps = {change.overwritten};
  std::erase_if(taps, [&](const Cut* cut) { return cut->program != run.program; });
  if (taps.empty()) {
    script.RunWhole(run.program, ops);
    return;
  }
  if (!description_.tap_only) {
    RunInStretches(script, run.program, ops, std::move(taps));
    return;
  }
  script.RunTapped(run.program, ops);
  for (const Cut* cut : taps) {
    script.At(cut->op);
    if (change.overwritten != nullptr) {
      script.Poison(cut->tensor, 1, description_.tensors.at(cut->tensor.name).domain);
      continue;
    }
    script.Hold(cut->tensor, "tapped");
    if (change.write_back) script.Restore(cut->tensor, Source::Held("tapped"));
  }
  script.At(std::nullopt);
}

// Stops behind each cut and takes a snapshot there, as recording and replay do.
void Prober::RunInStretches(Script& script, const std::string& program, std::uint32_t ops,
                            std::vector<const Cut*> cuts) {
  std::stable_sort(cuts.begin(), cuts.end(),
                   [](const Cut* a, const Cut* b) { return a->op < b->op; });
  std::uint32_t at = 0;
  const auto run_to = [&](std::uint32_t op) {
    if (op > at) script.Run(program, at, op);
    at = std::max(at, op);
  };
  for (const Cut* cut : cuts) {
    run_to(cut->op + 1);
    script.Hold(cut->tensor, "seen");
  }
  run_to(ops);
}

// Which sequence a row of a run belongs to.
std::size_t Prober::SequenceOf(std::size_t run, std::size_t row) const {
  std::size_t s = 0;
  while (row >= runs_[run].sequences[s].tokens.size())
    row -= runs_[run].sequences[s++].tokens.size();
  return s;
}

// Without another token: everything. With one: of the result of a run, the rows that it must leave
// alone, or its own. Nothing of a result that is not by row or by sequence.
ElementRanges Prober::Rows(const Change& change, std::size_t run, const Tensor& tensor,
                           bool own) const {
  const std::vector<std::uint64_t> shape = tensor.Shape(VarsOf(runs_[run], ranks_));
  const auto elements =
      std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
  if (!change.token) return own ? ElementRanges{} : ElementRanges{{0, elements}};
  const auto [changed_run, changed_row] = *change.token;
  const bool by_row = !shape.empty() && tensor.shape[0].Text() == "rows";
  const bool by_sequence = !shape.empty() && tensor.shape[0].Text() == "seqs";
  if (run < changed_run || (!by_row && !by_sequence)) return {};
  const std::size_t changed_sequence = SequenceOf(changed_run, changed_row);
  ElementRanges ranges;
  for (std::uint64_t i = 0; i < shape[0]; ++i) {
    const bool other_sequence = (by_row ? SequenceOf(run, i) : i) != changed_sequence;
    const bool is_own = run == changed_run && !other_sequence && (by_sequence || i == changed_row);
    const bool is_alike = other_sequence || (by_row && run == changed_run && i < changed_row);
    const std::uint64_t width = elements / shape[0];
    if (own ? is_own : is_alike) ranges.push_back({i * width, width});
  }
  return ranges;
}

// A run with another token in one of its rows.
WorkloadRun Prober::WithOtherToken(WorkloadRun run, std::size_t row) const {
  std::size_t s = 0;
  while (row >= run.sequences[s].tokens.size()) row -= run.sequences[s++].tokens.size();
  const ValueRange& ids = *description_.tensors.at("tokens").domain;
  std::int32_t& token = run.sequences[s].tokens[row];
  token = token < ids.max ? token + 1 : static_cast<std::int32_t>(ids.min);
  return run;
}

void Prober::AddLooks(Script& script, std::size_t run, const Change& change,
                      std::vector<Look>& looks) const {
  for (const TensorRef& tensor : ResultsOf(runs_[run].program)) {
    for (const bool own : {false, true}) {
      ElementRanges ranges = Rows(change, run, description_.tensors.at(tensor.name), own);
      if (std::all_of(ranges.begin(), ranges.end(),
                      [](const ElementRun& range) { return range.count == 0; })) {
        continue;
      }
      looks.push_back({own,
                       script.Elements(tensor, Source::Held(BaseName(run, tensor.name)),
                                       Source::Live(), std::move(ranges)),
                       runs_[run].name, tensor.name});
    }
  }
}

Prober::Seen Prober::Run(const Change& change, ProbeEvidence& evidence) {
  std::vector<Script> scripts(ranks_);
  std::vector<Look> looks;
  for (Script& script : scripts) {
    looks.clear();
    script.Reset();
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      const bool changed = change.token && change.token->first == run;
      AddRun(script, changed ? WithOtherToken(runs_[run], change.token->second) : runs_[run],
             change);
      AddLooks(script, run, change, looks);
    }
  }
  evidence.runs += runs_.size();
  const std::vector<Results> results = side_.Run(scripts);
  Seen seen;
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
    for (const Look& look : looks) {
      (look.own ? seen.own : seen.alike)
          .push_back({change.what, static_cast<int>(rank), look.run, look.tensor,
                      results[rank][look.index].elements});
    }
  }
  return seen;
}

// The probe as it is served, kept to compare with, and how far the engine is from itself.
void Prober::Begin(ProbeEvidence& evidence) {
  std::vector<Script> scripts(ranks_);
  for (Script& script : scripts) {
    script.Reset();
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      AddRun(script, runs_[r], {});
      for (const TensorRef& tensor : ResultsOf(runs_[r].program)) {
        script.Hold(tensor, BaseName(r, tensor.name));
      }
    }
  }
  evidence.runs += runs_.size();
  side_.Run(scripts);
  std::uint32_t repeats = plan_.manifest.judge.repeats;
  for (std::uint32_t repeat = 0; repeat < repeats; ++repeat) {
    Seen again = Run({.what = "nothing done"}, evidence);
    if (repeats == plan_.manifest.judge.repeats && !AllIdentical(again.alike)) {
      repeats += plan_.manifest.judge.noisy_repeats;
    }
    std::move(again.alike.begin(), again.alike.end(), std::back_inserter(evidence.repeats));
  }
}

ProbeEvidence Prober::ObserverNeutrality() {
  ProbeEvidence evidence{.check = "observer neutrality"};
  try {
    Begin(evidence);
    const std::string what = "with " + std::to_string(cuts_.size()) +
                             (description_.tap_only ? " taps on" : " snapshots");
    evidence.alike = Run({.what = what, .taps = cuts_.size()}, evidence).alike;
    const bool moved = AllIdentical(evidence.repeats) && !AllIdentical(evidence.alike);
    if (moved && !cuts_.empty()) NameTheCut(evidence);
  } catch (const SideFailure& failure) {
    evidence.death = failure.death();
  }
  return evidence;
}

// Halves the number of cuts looked at until one more makes the difference.
void Prober::NameTheCut(ProbeEvidence& evidence) {
  std::size_t neutral = 0, moves = cuts_.size();
  while (moves - neutral > 1) {
    const std::size_t middle = (neutral + moves) / 2;
    const Seen seen = Run({.what = "looking for the cut", .taps = middle}, evidence);
    (AllIdentical(seen.alike) ? neutral : moves) = middle;
  }
  evidence.found.push_back("observer neutrality: results move as soon as somebody looks at " +
                           cuts_[moves - 1].Text(description_));
}

ProbeEvidence Prober::WriteBack() {
  ProbeEvidence evidence{.check = "write-back identity"};
  try {
    Begin(evidence);
    evidence.alike = Run({.what = "with every value overwritten with itself",
                          .taps = cuts_.size(),
                          .write_back = true},
                         evidence)
                         .alike;
    for (const Cut& cut : cuts_) {
      if (!CanDiffer(cut.tensor, description_)) continue;
      const std::string what = "overwrote " + cut.Text(description_);
      evidence.effects.push_back(
          {what, "the tap shows a copy that the engine does not use, or nothing reads the value",
           Run({.what = what, .overwritten = &cut}, evidence).alike});
    }
  } catch (const SideFailure& failure) {
    evidence.death = failure.death();
  }
  return evidence;
}

ProbeEvidence Prober::Causality() {
  ProbeEvidence evidence{.check = "causality"};
  try {
    Begin(evidence);
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      std::size_t row = 0;
      for (const WorkloadRun::Sequence& sequence : runs_[run].sequences) {
        for (std::size_t i = 0; i < sequence.tokens.size(); ++i, ++row) {
          const std::string what = "another token in row " + std::to_string(i) + " of sequence " +
                                   std::to_string(sequence.slot) + " in " + runs_[run].name;
          Seen seen = Run({.what = what, .token = std::pair(run, row)}, evidence);
          std::move(seen.alike.begin(), seen.alike.end(), std::back_inserter(evidence.alike));
          evidence.effects.push_back(
              {what, "the engine does not read its tokens", std::move(seen.own)});
        }
      }
    }
  } catch (const SideFailure& failure) {
    evidence.death = failure.death();
  }
  return evidence;
}

}  // namespace parity
