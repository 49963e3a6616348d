#include "gtest_parity/replay/replayer.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "gtest_parity/replay/dump.h"
#include "gtest_parity/replay/span_script.h"
#include "gtest_parity/side/executor.h"

namespace parity {
namespace {

// Larger tensors are not fetched to be compared again.
constexpr std::uint64_t kRecomputedBytes = 4 << 20;

std::string FirstName(std::size_t tensor) { return "first " + std::to_string(tensor); }

// Where one run's results are, on one rank.
struct ReplayIndices {
  struct Compared {
    std::size_t tensor = 0;  // frontier index
    std::size_t elements = 0, other_poison = 0;
    std::optional<std::size_t> missing, domain;
  };
  std::vector<Compared> compared;
  std::vector<std::size_t> strays;
};

class SpanReplay {
 public:
  SpanReplay(const ReplayContext& context, std::size_t span)
      : context_(context),
        plan_(context.plan),
        workload_(context.workload),
        recording_(context.recording),
        span_index_(span),
        span_(plan_.spans[span]),
        on_side_(span_, plan_.candidate, span_.candidate, span_.candidate_writes) {}

  // One run in one message.
  void Replay(const KeptSpan& kept, Side& side, SpanEvidence& evidence) const {
    const WorkloadRun& run = workload_.runs[kept.run];
    const std::shared_ptr<const Step> step = StepFor(run, plan_.candidate, workload_.seed);
    std::vector<Script> scripts(kept.ranks.size());
    std::vector<ReplayIndices> indices;
    for (std::size_t rank = 0; rank < scripts.size(); ++rank) {
      scripts[rank].Stage(step);
      indices.push_back(Add(scripts[rank], kept.ranks[rank]));
    }
    const std::vector<Results> results = side.Run(scripts);
    const std::size_t first = evidence.comparisons.size();
    for (std::size_t rank = 0; rank < scripts.size(); ++rank) {
      Take(run, static_cast<int>(rank), indices[rank], results[rank], evidence);
    }
    const bool unstable =
        std::any_of(evidence.comparisons.begin() + static_cast<std::ptrdiff_t>(first),
                    evidence.comparisons.end(), [](const auto& at) { return at.self_differs; });
    if (unstable) TellNoiseFromUndefined(kept, step, side, first, evidence);
  }

  // One of the comparisons just made, of a rank and tensor that differ from span to span, from the
  // bytes.
  void Recompute(const KeptSpan& kept, Side& side, SpanEvidence& evidence) const {
    const std::size_t rank = span_index_ % kept.ranks.size();
    const auto claimed =
        std::find_if(evidence.comparisons.begin(), evidence.comparisons.end(),
                     [&](const TensorComparison& at) { return at.rank == static_cast<int>(rank); });
    if (claimed == evidence.comparisons.end()) return;
    const std::size_t i = IndexOf(claimed->tensor);
    const KeptTensor& tensor = kept.ranks[rank][i];
    if (tensor.after.bytes > kRecomputedBytes) return;
    std::vector<Script> scripts(kept.ranks.size());
    const std::size_t bytes = scripts[rank].Bytes(on_side_.Ref(i), Source::Held(FirstName(i)));
    const std::vector<std::uint8_t> candidate = side.Run(scripts)[rank][bytes].bytes;
    const std::vector<std::uint8_t> reference = ReadImage(rank, tensor.after);
    if (candidate.size() != reference.size() ||
        !(CompareRanges(claimed->dtype, reference.data(), candidate.data(), tensor.compared) ==
          claimed->stats)) {
      throw std::runtime_error(
          span_.slug + ", " + claimed->run + ", rank " + std::to_string(rank) + ", " +
          claimed->tensor + ": computed again from the bytes, the comparison comes out otherwise");
    }
    evidence.recomputed =
        claimed->tensor + " of " + claimed->run + " on rank " + std::to_string(rank);
  }

  // Both sides' frontier in one run, a file per rank.
  void Dump(const KeptSpan& kept, Side& side) const {
    std::vector<Script> scripts(kept.ranks.size());
    std::vector<std::map<std::size_t, std::size_t>> bytes(kept.ranks.size());
    for (std::size_t rank = 0; rank < scripts.size(); ++rank) {
      for (std::size_t i = 0; i < on_side_.size(); ++i) {
        if (!on_side_.tensor(i).compared) continue;
        bytes[rank][i] = scripts[rank].Bytes(on_side_.Ref(i), Source::Held(FirstName(i)));
      }
    }
    const std::vector<Results> results = side.Run(scripts);
    const WorkloadRun& run = workload_.runs[kept.run];
    const Vars vars = VarsOf(run, plan_.manifest.ranks.count);
    for (std::size_t rank = 0; rank < scripts.size(); ++rank) {
      std::vector<DumpedTensor> tensors;
      for (std::size_t i = 0; i < on_side_.size(); ++i) {
        const TensorRef ref = on_side_.Ref(i);
        const std::vector<std::uint64_t> shape = plan_.candidate.tensors.at(ref.name).Shape(vars);
        const KeptTensor& tensor = kept.ranks[rank][i];
        const auto add = [&](const char* what, std::vector<std::uint8_t> data) {
          tensors.push_back({what + ("." + ref.name), ref.dtype, shape, std::move(data)});
        };
        if (on_side_.Restored(i)) add("before", ReadImage(rank, tensor.before));
        if (on_side_.Written(i)) add("reference", ReadImage(rank, tensor.after));
        if (bytes[rank].contains(i)) add("candidate", results[rank][bytes[rank].at(i)].bytes);
      }
      WriteSafetensors(DumpPath(context_.dump_folder, span_.slug, run.name, rank), tensors);
    }
  }

  std::uint64_t ComparedTensors() const {
    return static_cast<std::uint64_t>(
        std::count_if(span_.frontier.begin(), span_.frontier.end(),
                      [](const FrontierTensor& tensor) { return tensor.compared; }));
  }

 private:
  std::size_t IndexOf(const std::string& tensor) const {
    std::size_t i = 0;
    while (on_side_.tensor(i).name != tensor) ++i;
    return i;
  }

  std::vector<std::uint8_t> ReadImage(std::size_t rank, const Image& image) const {
    std::vector<std::uint8_t> bytes(image.bytes);
    context_.pages[rank].Read(image, bytes.data());
    return bytes;
  }

  ReplayIndices Add(Script& script, const std::vector<KeptTensor>& kept) const {
    ReplayIndices indices;
    std::map<std::string, ElementRanges> within;
    for (std::size_t i = 0; i < on_side_.size(); ++i) {
      if (on_side_.tensor(i).compared) within[on_side_.tensor(i).name] = kept[i].written;
    }
    const auto before = [&](std::size_t i) { return Source::Of(kept[i].before); };
    for (const std::uint32_t poison : {0u, 1u}) {
      on_side_.Prepare(script, poison, before);
      script.Watch();
      on_side_.Run(script);
      indices.strays.push_back(script.Strays(on_side_.Free(), within));
      for (std::size_t i = 0; i < on_side_.size() && poison == 0; ++i) {
        if (on_side_.tensor(i).compared) script.Hold(on_side_.Ref(i), FirstName(i));
      }
    }
    for (std::size_t i = 0; i < on_side_.size(); ++i) {
      if (on_side_.tensor(i).compared) indices.compared.push_back(Compare(script, kept[i], i));
    }
    RestoreAfter(script, kept);
    return indices;
  }

  // The next span starts from the reference's result, wherever this one got to.
  void RestoreAfter(Script& script, const std::vector<KeptTensor>& kept) const {
    for (std::size_t i = 0; i < on_side_.size(); ++i) {
      if (on_side_.Written(i)) script.Restore(on_side_.Ref(i), Source::Of(kept[i].after));
    }
  }

  // The two poisons gave two results. If the first gives the same result again, it was the poison.
  void TellNoiseFromUndefined(const KeptSpan& kept, const std::shared_ptr<const Step>& step,
                              Side& side, std::size_t first, SpanEvidence& evidence) const {
    std::vector<Script> scripts(kept.ranks.size());
    std::vector<std::map<std::string, std::size_t>> again(scripts.size());
    for (std::size_t rank = 0; rank < scripts.size(); ++rank) {
      const std::vector<KeptTensor>& tensors = kept.ranks[rank];
      scripts[rank].Stage(step);
      on_side_.Prepare(scripts[rank], 0,
                       [&](std::size_t i) { return Source::Of(tensors[i].before); });
      on_side_.Run(scripts[rank]);
      for (std::size_t i = 0; i < on_side_.size(); ++i) {
        if (!on_side_.tensor(i).compared) continue;
        again[rank][on_side_.tensor(i).name] = scripts[rank].Elements(
            on_side_.Ref(i), Source::Held(FirstName(i)), Source::Live(), tensors[i].compared);
      }
      RestoreAfter(scripts[rank], tensors);
    }
    const std::vector<Results> results = side.Run(scripts);
    for (std::size_t i = first; i < evidence.comparisons.size(); ++i) {
      TensorComparison& at = evidence.comparisons[i];
      const auto rank = static_cast<std::size_t>(at.rank);
      if (!at.self_differs || !results[rank][again[rank].at(at.tensor)].elements.Identical())
        continue;
      at.self_differs = false;
      at.undefined_read = true;
    }
  }

  ReplayIndices::Compared Compare(Script& script, const KeptTensor& kept, std::size_t i) const {
    const TensorRef tensor = on_side_.Ref(i);
    const Source first = Source::Held(FirstName(i));
    ReplayIndices::Compared at;
    at.tensor = i;
    at.elements = script.Elements(tensor, Source::Of(kept.after), first, kept.compared);
    at.other_poison = script.Elements(tensor, first, Source::Live(), kept.compared);
    const std::optional<ValueRange> domain = on_side_.DomainOf(i);
    if (on_side_.ShowsUnwritten(i)) {
      at.missing = script.Unwritten(tensor, first, Source::Live(), domain, kept.compared);
    }
    if (domain) at.domain = script.CheckDomain(tensor, first, *domain);
    return at;
  }

  void Take(const WorkloadRun& run, int rank, const ReplayIndices& indices, const Results& results,
            SpanEvidence& evidence) const {
    const Vars vars = VarsOf(run, plan_.manifest.ranks.count);
    for (const ReplayIndices::Compared& at : indices.compared) {
      const TensorRef tensor = on_side_.Ref(at.tensor);
      TensorComparison comparison;
      comparison.rank = rank;
      comparison.run = run.name;
      comparison.tensor = tensor.name;
      comparison.state = tensor.kind == Kind::kState;
      comparison.dtype = tensor.dtype;
      comparison.shape = plan_.candidate.tensors.at(tensor.name).Shape(vars);
      comparison.stats = results[at.elements].elements;
      comparison.worst_values = results[at.elements].worst_values;
      if (at.missing) comparison.missing_writes = results[*at.missing].count;
      comparison.self_differs =
          comparison.missing_writes == 0 && !results[at.other_poison].elements.Identical();
      if (at.domain) {
        const OutsideRange& outside = results[*at.domain].outside;
        const ValueRange range = *on_side_.DomainOf(at.tensor);
        comparison.domain = {outside.count, outside.first_index, outside.first_value, range.min,
                             range.max};
      }
      comparison.spread =
          recording_.spreads.Find({rank, span_.program, span_.slug, tensor.name, comparison.shape});
      evidence.comparisons.push_back(std::move(comparison));
    }
    for (const std::size_t strays : indices.strays) {
      for (const Stray& stray : results[strays].strays) {
        const auto known = std::any_of(
            evidence.outside.begin(), evidence.outside.end(), [&](const OutsideWrite& write) {
              return write.rank == rank && write.run == run.name && write.tensor == stray.tensor;
            });
        if (known) continue;
        evidence.outside.push_back({rank, run.name, stray.tensor, stray.bytes, stray.first_offset});
      }
    }
  }

  const ReplayContext& context_;
  const Plan& plan_;
  const Workload& workload_;
  const Recording& recording_;
  const std::size_t span_index_;
  const Span& span_;
  SpanOnSide on_side_;
};

}  // namespace

SpanEvidence ReplaySpan(const ReplayContext& context, std::size_t span_index, Side& side) {
  const Span& span = context.plan.spans[span_index];
  const ReplayFilter& filter = context.filter;
  SpanEvidence evidence;
  evidence.program = span.program;
  evidence.span = span.slug;
  evidence.label = span.label;
  for (const PrivateTensor& tensor : span.not_compared) {
    evidence.notes.push_back(tensor.name + " is not compared: " + tensor.reason);
  }
  const SpanReplay replay(context, span_index);
  bool recomputed = false;
  for (const KeptSpan& kept : context.recording.spans[span_index]) {
    const std::string& name = context.workload.runs[kept.run].name;
    if (name.find(filter.run) == std::string::npos) continue;
    const std::uint64_t ranks = filter.rank ? 1 : kept.ranks.size();
    evidence.expected += replay.ComparedTensors() * ranks;
    if (evidence.death) continue;
    try {
      replay.Replay(kept, side, evidence);
      if (!recomputed) replay.Recompute(kept, side, evidence);
      recomputed = true;
      if (!context.dump_folder.empty()) replay.Dump(kept, side);
    } catch (const SideFailure& failure) {
      evidence.death = failure.death();
      if (evidence.death->run.empty()) evidence.death->run = name;
    }
  }
  if (filter.rank) {
    std::erase_if(evidence.comparisons, [&](const auto& at) { return at.rank != *filter.rank; });
    std::erase_if(evidence.outside, [&](const auto& at) { return at.rank != *filter.rank; });
  }
  return evidence;
}

std::string LocateDeath(const ReplayContext& context, std::size_t span_index,
                        const std::string& run, Side& side) {
  const Span& span = context.plan.spans[span_index];
  const SpanOnSide on_side(span, context.plan.candidate, span.candidate, span.candidate_writes);
  for (const KeptSpan& kept : context.recording.spans[span_index]) {
    if (context.workload.runs[kept.run].name != run) continue;
    const auto step =
        StepFor(context.workload.runs[kept.run], context.plan.candidate, context.workload.seed);
    std::vector<Script> scripts(kept.ranks.size());
    for (std::size_t rank = 0; rank < scripts.size(); ++rank) {
      scripts[rank].Stage(step);
      on_side.Prepare(scripts[rank], 0,
                      [&](std::size_t i) { return Source::Of(kept.ranks[rank][i].before); });
    }
    side.Run(scripts);
    for (std::uint32_t op = span.candidate.lo; op < span.candidate.hi; ++op) {
      std::vector<Script> one(scripts.size());
      for (Script& script : one) script.Run(span.program, op, op + 1);
      try {
        side.Run(one);
      } catch (const SideFailure&) {
        return context.plan.candidate.FindProgram(span.program)->ops[op].label;
      }
    }
  }
  return "";
}

}  // namespace parity
