// Decisions that a replayed span takes.
#include <utility>

#include "gtest_parity/replay/span_replay.h"
#include "gtest_parity/replay/spread_key.h"

namespace parity {

bool SpanReplay::IsDecision(std::size_t i) const {
  const std::string& name = on_side_.tensor(i).name;
  return plan_.reference.tensors.at(name).role == Role::kDecision &&
         plan_.candidate.tensors.at(name).role == Role::kDecision;
}

// The scores are where the reference's span left them, or had them before it.
void SpanReplay::CompareChoices(Script& script, const WorkloadRun& run,
                                const std::vector<KeptTensor>& kept, Source candidate,
                                ReplayIndices::Compared& at) const {
  const TensorRef tensor = on_side_.Ref(at.tensor);
  const std::string& scores = plan_.reference.tensors.at(tensor.name).scores;
  std::string unscored = scores.empty() ? "the reference declares none" : "";
  Source taken_from;
  if (unscored.empty()) {
    std::size_t i = 0;
    while (i < on_side_.size() && on_side_.tensor(i).name != scores) ++i;
    const Image image = i == on_side_.size()  ? Image{}
                        : on_side_.Written(i) ? kept[i].after
                                              : kept[i].before;
    if (image.bytes == 0) unscored = scores + " is not among what the span reads and writes";
    taken_from = Source::Of(image);
  }
  at.scores =
      ScoresOf(plan_.reference, tensor.name, unscored, VarsOf(run, plan_.manifest.ranks.count));
  if (!at.scores.unscored.empty()) taken_from = Source::Live();
  at.choices = script.Decisions(tensor, Source::Of(kept[at.tensor].after), std::move(candidate),
                                at.scores.tensor, at.scores.columns, std::move(taken_from));
}

ChoiceComparison SpanReplay::Choices(const ReplayIndices::Compared& at, const WorkloadRun& run,
                                     int rank, const Results& results) const {
  ChoiceComparison choices;
  choices.stats = results[*at.choices].decisions;
  choices.scores = at.scores.tensor.name;
  choices.unscored = at.scores.unscored;
  if (!choices.unscored.empty()) return choices;
  if (on_side_.Written(IndexOf(choices.scores))) {
    choices.spread = recording_.spreads.Find(SpreadKeyOf(plan_, span_, choices.scores, run, rank));
  } else {
    choices.spread = {.measured = true, .exact = true};  // what it is given is always the same
  }
  return choices;
}

}  // namespace parity
