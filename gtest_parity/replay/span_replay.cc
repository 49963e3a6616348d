#include "gtest_parity/replay/span_replay.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "gtest_parity/device/host_device.h"
#include "gtest_parity/replay/spread_key.h"

namespace parity {

SpanReplay::SpanReplay(const ReplayContext& context, std::size_t span)
    : context_(context),
      plan_(context.plan),
      workload_(context.workload),
      recording_(context.recording),
      span_index_(span),
      span_(plan_.spans[span]),
      on_side_(span_, plan_.candidate, span_.candidate, span_.candidate_writes) {}

void SpanReplay::Replay(const KeptSpan& kept, Side& side, SpanEvidence& evidence) const {
  const WorkloadRun& run = workload_.runs[kept.run];
  const std::shared_ptr<const Step> step = StepFor(run, plan_.candidate, workload_.seed);
  std::vector<Script> scripts(kept.ranks.size());
  std::vector<ReplayIndices> indices;
  for (std::size_t rank = 0; rank < scripts.size(); ++rank) {
    scripts[rank].Stage(step);
    indices.push_back(Add(scripts[rank], run, kept.ranks[rank]));
  }
  const std::vector<Results> results = side.Run(scripts);
  const std::size_t not_restored = evidence.not_restored.size();
  for (std::size_t rank = 0; rank < scripts.size(); ++rank) {
    if (auto at = FindNotRestored(run, rank, scripts[rank], indices[rank], results[rank])) {
      evidence.not_restored.push_back(*std::move(at));
    }
  }
  if (evidence.not_restored.size() != not_restored) return;
  const std::size_t first = evidence.comparisons.size();
  for (std::size_t rank = 0; rank < scripts.size(); ++rank) {
    Take(run, static_cast<int>(rank), indices[rank], results[rank], evidence);
  }
  const bool unstable =
      std::any_of(evidence.comparisons.begin() + static_cast<std::ptrdiff_t>(first),
                  evidence.comparisons.end(), [](const auto& at) { return at.self_differs; });
  if (unstable) TellNoiseFromUndefined(kept, step, side, first, evidence);
}

std::optional<NotRestored> SpanReplay::FindNotRestored(const WorkloadRun& run, std::size_t rank,
                                                       const Script& script,
                                                       const ReplayIndices& indices,
                                                       const Results& results) {
  for (std::size_t i = indices.begin; i < indices.ran; ++i) {
    if (results[i].words.empty()) continue;
    return NotRestored{static_cast<int>(rank), run.name, script.instructions()[i].tensor.name,
                       results[i].words};
  }
  return std::nullopt;
}

void SpanReplay::Recompute(const KeptSpan& kept, Side& side, SpanEvidence& evidence) const {
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
  CheckBytes(*claimed, tensor, side.Run(scripts)[rank][bytes].bytes, evidence);
}

void SpanReplay::FindInConstants(Side& side, SpanEvidence& evidence) const {
  Script script;
  const std::size_t constants = script.ChangedConstants();
  const std::vector<Results> results =
      side.Run(std::vector<Script>(plan_.manifest.ranks.count, script));
  for (std::size_t rank = 0; rank < results.size(); ++rank) {
    for (const Stray& stray : results[rank][constants].strays) {
      evidence.outside.push_back({static_cast<int>(rank), "", stray.tensor, stray.bytes,
                                  stray.first_offset, stray.whole_pages});
    }
  }
}

void SpanReplay::CheckBytes(const TensorComparison& claimed, const KeptTensor& kept,
                            const std::vector<std::uint8_t>& candidate,
                            SpanEvidence& evidence) const {
  const auto rank = static_cast<std::size_t>(claimed.rank);
  const std::vector<std::uint8_t> reference = ReadImage(rank, kept.after);
  const ComparedArrays arrays = {claimed.dtype, reference.data(), candidate.data(), kept.compared};
  if (candidate.size() != reference.size() ||
      !(HostDevice().CompareElements({&arrays, 1})[0] == claimed.stats)) {
    throw std::runtime_error(span_.slug + ", " + claimed.run + ", rank " + std::to_string(rank) +
                             ", " + claimed.tensor +
                             ": computed again from the bytes, the comparison comes out otherwise");
  }
  evidence.recomputed = claimed.tensor + " of " + claimed.run + " on rank " + std::to_string(rank);
}

std::uint64_t SpanReplay::ComparedTensors() const {
  return static_cast<std::uint64_t>(
      std::count_if(span_.frontier.begin(), span_.frontier.end(),
                    [](const FrontierTensor& tensor) { return tensor.compared; }));
}

std::size_t SpanReplay::IndexOf(const std::string& tensor) const {
  std::size_t i = 0;
  while (on_side_.tensor(i).name != tensor) ++i;
  return i;
}

std::vector<std::uint8_t> SpanReplay::ReadImage(std::size_t rank, const Image& image) const {
  std::vector<std::uint8_t> bytes(image.bytes);
  context_.pages[rank].Read(image, bytes.data());
  return bytes;
}

ReplayIndices SpanReplay::Add(Script& script, const WorkloadRun& run,
                              const std::vector<KeptTensor>& kept) const {
  ReplayIndices indices;
  indices.begin = script.instructions().size();
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
  indices.ran = script.instructions().size();
  CompareAll(
      script, run, kept, [](std::size_t) { return Source::Live(); }, indices);
  RestoreAfter(script, kept);
  return indices;
}

// The next span starts from the reference's result, wherever this one got to.
void SpanReplay::RestoreAfter(Script& script, const std::vector<KeptTensor>& kept) const {
  for (std::size_t i = 0; i < on_side_.size(); ++i) {
    if (!on_side_.Written(i) || kept[i].after.bytes == 0) continue;
    // What else lies in a tapped tensor may be further along on one side than on the other.
    const bool in_part = plan_.reference.tap_only;
    script.Restore(on_side_.Ref(i), Source::Of(kept[i].after),
                   in_part ? std::optional(kept[i].compared) : std::nullopt);
  }
}

// The two poisons gave two results. If the first gives the same result again, it was the poison.
void SpanReplay::TellNoiseFromUndefined(const KeptSpan& kept,
                                        const std::shared_ptr<const Step>& step, Side& side,
                                        std::size_t first, SpanEvidence& evidence) const {
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

std::optional<ValueRange> SpanReplay::CheckedDomain(std::size_t i) const {
  const std::optional<ValueRange>& ours =
      plan_.reference.tensors.at(on_side_.tensor(i).name).domain;
  return ours ? ours : on_side_.DomainOf(i);
}

// Elements of all tensors come first: instructions that follow one another are asked at once.
void SpanReplay::CompareAll(Script& script, const WorkloadRun& run,
                            const std::vector<KeptTensor>& kept,
                            const std::function<Source(std::size_t)>& second,
                            ReplayIndices& indices) const {
  for (std::size_t i = 0; i < on_side_.size(); ++i) {
    if (!on_side_.tensor(i).compared) continue;
    const TensorRef tensor = on_side_.Ref(i);
    const Source first = Source::Held(FirstName(i));
    ReplayIndices::Compared& at = indices.compared.emplace_back();
    at.tensor = i;
    at.elements = script.Elements(tensor, Source::Of(kept[i].after), first, kept[i].compared);
    at.other_poison = script.Elements(tensor, first, second(i), kept[i].compared);
  }
  for (ReplayIndices::Compared& at : indices.compared) {
    const std::size_t i = at.tensor;
    const TensorRef tensor = on_side_.Ref(i);
    const Source first = Source::Held(FirstName(i));
    if (on_side_.ShowsUnwritten(i)) {
      at.missing =
          script.Unwritten(tensor, first, second(i), on_side_.DomainOf(i), kept[i].compared);
    }
    if (const auto checked = CheckedDomain(i)) {
      at.domain = script.CheckDomain(tensor, first, *checked);
    }
    if (IsDecision(i)) CompareChoices(script, run, kept, first, at);
  }
}

void SpanReplay::Take(const WorkloadRun& run, int rank, const ReplayIndices& indices,
                      const Results& results, SpanEvidence& evidence) const {
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
    comparison.self_differs = comparison.missing_writes == 0 && at.other_poison &&
                              !results[*at.other_poison].elements.Identical();
    if (at.domain) {
      const OutsideRange& outside = results[*at.domain].outside;
      const ValueRange range = *CheckedDomain(at.tensor);
      comparison.domain = {outside.count, outside.first_index, outside.first_value, range.min,
                           range.max};
    }
    comparison.spread = recording_.spreads.Find(SpreadKeyOf(plan_, span_, tensor.name, run, rank));
    if (at.choices && !comparison.stats.Identical()) {
      comparison.choices = Choices(at, run, rank, results);
    }
    evidence.comparisons.push_back(std::move(comparison));
  }
  for (const std::size_t strays : indices.strays) {
    for (const Stray& stray : results[strays].strays) {
      const auto known = std::any_of(
          evidence.outside.begin(), evidence.outside.end(), [&](const OutsideWrite& write) {
            return write.rank == rank && write.run == run.name && write.tensor == stray.tensor;
          });
      if (known) continue;
      evidence.outside.push_back(
          {rank, run.name, stray.tensor, stray.bytes, stray.first_offset, stray.whole_pages});
    }
  }
}

}  // namespace parity
