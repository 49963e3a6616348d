// Both sides' frontier of a replayed span, for a person.
#include <map>
#include <utility>

#include "gtest_parity/replay/dump.h"
#include "gtest_parity/replay/span_replay.h"

namespace parity {

void SpanReplay::Dump(const KeptSpan& kept, Side& side) const {
  std::vector<Script> scripts(kept.ranks.size());
  std::vector<std::map<std::size_t, std::size_t>> bytes(kept.ranks.size());
  for (std::size_t rank = 0; rank < scripts.size(); ++rank) {
    for (std::size_t i = 0; i < on_side_.size(); ++i) {
      if (!on_side_.tensor(i).compared) continue;
      bytes[rank][i] = scripts[rank].Bytes(on_side_.Ref(i), Source::Held(FirstName(i)));
    }
  }
  std::vector<Results> results = side.Run(scripts);
  for (std::size_t rank = 0; rank < scripts.size(); ++rank) {
    std::map<std::size_t, std::vector<std::uint8_t>> candidate;
    for (const auto& [i, index] : bytes[rank]) candidate[i] = std::move(results[rank][index].bytes);
    WriteDump(kept, rank, std::move(candidate));
  }
}

void SpanReplay::WriteDump(const KeptSpan& kept, std::size_t rank,
                           std::map<std::size_t, std::vector<std::uint8_t>> candidate) const {
  const WorkloadRun& run = workload_.runs[kept.run];
  const Vars vars = VarsOf(run, plan_.manifest.ranks.count);
  std::vector<DumpedTensor> tensors;
  for (std::size_t i = 0; i < on_side_.size(); ++i) {
    const TensorRef ref = on_side_.Ref(i);
    const std::vector<std::uint64_t> shape = plan_.candidate.tensors.at(ref.name).Shape(vars);
    const KeptTensor& tensor = kept.ranks[rank][i];
    const auto add = [&](const char* what, std::vector<std::uint8_t> data) {
      tensors.push_back({what + ("." + ref.name), ref.dtype, shape, std::move(data)});
    };
    if (tensor.before.bytes != 0) add("before", ReadImage(rank, tensor.before));
    if (tensor.after.bytes != 0) add("reference", ReadImage(rank, tensor.after));
    if (candidate.contains(i)) add("candidate", std::move(candidate[i]));
  }
  WriteSafetensors(DumpPath(context_.dump_folder, span_.slug, run.name, rank), tensors);
}

}  // namespace parity
