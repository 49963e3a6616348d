// Spans in passes over a whole scenario.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "gtest_parity/replay/span_replay.h"

namespace parity {
namespace {

std::string SecondName(std::size_t tensor) { return "second " + std::to_string(tensor); }
std::string BeforeName(std::size_t tensor) { return "before " + std::to_string(tensor); }
std::string PrivateName(const std::string& tensor) { return "private " + tensor; }

}  // namespace

// What the span reads of the candidate's own, which no recording holds.
std::vector<TensorRef> SpanReplay::PrivatePreImages() const {
  std::vector<TensorRef> own;
  for (const PrivateTensor& tensor : span_.not_compared) {
    if (!tensor.candidate || !tensor.read_before_span) continue;
    own.push_back({tensor.kind, tensor.name, plan_.candidate.tensors.at(tensor.name).dtype});
  }
  return own;
}

// The span under the first poison, the second and the first again; the last result is left.
void SpanReplay::AddRepeats(Script& script, const std::vector<KeptTensor>& kept,
                            std::vector<std::size_t>& strays) const {
  const bool recorded = !plan_.reference.tap_only;
  std::map<std::string, ElementRanges> within;
  for (std::size_t i = 0; i < on_side_.size(); ++i) {
    if (on_side_.tensor(i).compared) within[on_side_.tensor(i).name] = kept[i].written;
    if (!recorded && on_side_.Restored(i)) script.Hold(on_side_.Ref(i), BeforeName(i));
  }
  const std::vector<TensorRef> own = PrivatePreImages();
  for (const TensorRef& tensor : own) script.Hold(tensor, PrivateName(tensor.name));
  const auto before = [&](std::size_t i) {
    return recorded ? Source::Of(kept[i].before) : Source::Held(BeforeName(i));
  };
  for (const std::uint32_t repeat : {0u, 1u, 2u}) {
    for (const TensorRef& tensor : own) {
      script.Restore(tensor, Source::Held(PrivateName(tensor.name)));
    }
    on_side_.Prepare(script, repeat % 2, before);
    script.Watch();
    on_side_.Run(script);
    strays.push_back(script.Strays(on_side_.Free(), within));
    for (std::size_t i = 0; i < on_side_.size() && repeat < 2; ++i) {
      if (!on_side_.tensor(i).compared) continue;
      script.Hold(on_side_.Ref(i), repeat == 0 ? FirstName(i) : SecondName(i));
    }
  }
  strays.push_back(script.ChangedConstants());
}

ReplayIndices SpanReplay::AddInOrder(Script& script, const WorkloadRun& run,
                                     const std::vector<KeptTensor>& kept, std::size_t bytes) const {
  ReplayIndices indices;
  indices.begin = script.instructions().size();
  AddRepeats(script, kept, indices.strays);
  indices.ran = script.instructions().size();
  CompareAll(
      script, run, kept, [](std::size_t i) { return Source::Held(SecondName(i)); }, indices);
  for (ReplayIndices::Compared& at : indices.compared) {
    at.same_poison = script.Elements(on_side_.Ref(at.tensor), Source::Held(FirstName(at.tensor)),
                                     Source::Live(), kept[at.tensor].compared);
  }
  for (std::size_t i = 0; i < std::min(bytes, indices.compared.size()); ++i) {
    ReplayIndices::Compared& at = indices.compared[i];
    at.bytes = script.Bytes(on_side_.Ref(at.tensor), Source::Held(FirstName(at.tensor)));
  }
  RestoreAfter(script, kept);
  return indices;
}

ReplayIndices SpanReplay::AddTapped(Script& script, const WorkloadRun& run,
                                    const std::vector<KeptTensor>& kept, std::size_t bytes) const {
  ReplayIndices indices;
  for (std::size_t i = 0; i < on_side_.size(); ++i) {
    const std::optional<std::uint32_t> op = on_side_.TapOf(i);
    if (!on_side_.tensor(i).compared || !op || kept[i].after.bytes == 0) continue;
    script.At(op);
    const TensorRef tensor = on_side_.Ref(i);
    ReplayIndices::Compared at;
    at.tensor = i;
    at.elements =
        script.Elements(tensor, Source::Of(kept[i].after), Source::Live(), kept[i].compared);
    if (const auto domain = CheckedDomain(i)) {
      at.domain = script.CheckDomain(tensor, Source::Live(), *domain);
    }
    if (IsDecision(i)) CompareChoices(script, run, kept, Source::Live(), at);
    if (indices.compared.size() < bytes) at.bytes = script.Bytes(tensor, Source::Live());
    script.Restore(tensor, Source::Of(kept[i].after), kept[i].compared);
    indices.compared.push_back(at);
  }
  script.At(std::nullopt);
  return indices;
}

std::size_t SpanReplay::BytesWanted(const KeptSpan& kept, std::size_t rank) const {
  if (!context_.dump_folder.empty()) return on_side_.size();
  const bool sampled = kept.run == recording_.spans[span_index_].front().run &&
                       rank == span_index_ % kept.ranks.size();
  return sampled ? 1 : 0;
}

void SpanReplay::TakeInOrder(const KeptSpan& kept, std::size_t rank, const ReplayIndices& indices,
                             const Results& results, SpanEvidence& evidence) const {
  const std::size_t first = evidence.comparisons.size();
  Take(workload_.runs[kept.run], static_cast<int>(rank), indices, results, evidence);
  std::map<std::size_t, std::vector<std::uint8_t>> candidate;
  for (std::size_t i = 0; i < indices.compared.size(); ++i) {
    const ReplayIndices::Compared& at = indices.compared[i];
    TensorComparison& comparison = evidence.comparisons[first + i];
    if (comparison.self_differs && at.same_poison &&
        results[*at.same_poison].elements.Identical()) {
      comparison.self_differs = false;
      comparison.undefined_read = true;
    }
    if (!at.bytes) continue;
    candidate[at.tensor] = results[*at.bytes].bytes;
    const KeptTensor& tensor = kept.ranks[rank][at.tensor];
    if (evidence.recomputed.empty() && tensor.after.bytes <= kRecomputedBytes) {
      CheckBytes(comparison, tensor, candidate[at.tensor], evidence);
    }
  }
  if (!context_.dump_folder.empty()) WriteDump(kept, rank, std::move(candidate));
}

}  // namespace parity
