#include "gtest_parity/replay/span_recorder.h"

#include <algorithm>
#include <utility>

#include "gtest_parity/side/ranges.h"

namespace parity {
namespace {

std::string BeforeName(std::size_t tensor) { return "before " + std::to_string(tensor); }
std::string ServedName(std::size_t tensor) { return "served " + std::to_string(tensor); }
std::string LeftName(std::size_t tensor) { return "left " + std::to_string(tensor); }
std::string RepeatName(std::uint32_t repeat, std::size_t tensor) {
  return "repeat " + std::to_string(repeat) + " of " + std::to_string(tensor);
}

}  // namespace

bool RepeatDistances::AllIdentical() const {
  return std::all_of(pairs_.begin(), pairs_.end(),
                     [](const ElementStats& pair) { return pair.Identical(); });
}

bool RepeatDistances::FollowPoison() const {
  bool same_agree = true, across_differ = false;
  std::size_t same_pairs = 0, across_pairs = 0;
  std::uint64_t same_nan = 0, across_nan = 0;
  std::size_t at = 0;
  for (std::size_t later = 1; at < pairs_.size(); ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier, ++at) {
      if (earlier == 0) continue;  // as served: under no poison
      const ElementStats& pair = pairs_[at];
      const std::uint64_t one_sided = pair.nan_only_reference + pair.nan_only_candidate;
      if ((later - earlier) % 2 == 0) {
        ++same_pairs;
        same_agree &= pair.Identical();
        same_nan += one_sided;
      } else {
        ++across_pairs;
        across_differ |= !pair.Identical();
        across_nan += one_sided;
      }
    }
  }
  if (same_pairs < 2 || across_pairs == 0) return false;
  return (same_agree && across_differ) || (same_nan == 0 && across_nan != 0);
}

SpanRecorder::SpanRecorder(const Plan& plan, std::size_t span)
    : span_(plan.spans[span]),
      index_(span),
      on_side_(span_, plan.reference, span_.reference, span_.reference_writes) {}

SpanIndices SpanRecorder::Record(Script& script, std::uint32_t repeats) const {
  const std::size_t count = on_side_.size();
  SpanIndices indices;
  indices.span = index_;
  indices.before.resize(count);
  indices.after.resize(count);
  indices.written.resize(count);
  indices.distances.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!on_side_.Restored(i)) continue;
    indices.before[i] = script.Keep(on_side_.Ref(i));
    script.Hold(on_side_.Ref(i), BeforeName(i));
  }
  on_side_.Run(script);
  for (std::size_t i = 0; i < count; ++i) {
    if (!on_side_.Written(i)) continue;
    indices.after[i] = script.Keep(on_side_.Ref(i));
    script.Hold(on_side_.Ref(i), ServedName(i));
  }
  AddRepeats(script, repeats, [](std::size_t i) { return Source::Held(BeforeName(i)); });
  for (std::size_t i = 0; i < count; ++i) {
    if (!on_side_.Written(i)) continue;
    AddWritten(script, repeats, i, indices);
    script.Restore(on_side_.Ref(i), Source::Held(ServedName(i)));
  }
  return indices;
}

// What the span wrote of a tensor, and how far its repeats are from one another there.
void SpanRecorder::AddWritten(Script& script, std::uint32_t repeats, std::size_t i,
                              SpanIndices& indices) const {
  const TensorRef tensor = on_side_.Ref(i);
  const Source served = Source::Held(ServedName(i));
  if (on_side_.ShowsUnwritten(i)) {
    indices.written[i] = script.Written(tensor, Source::Held(RepeatName(0, i)),
                                        Source::Held(RepeatName(1, i)), on_side_.DomainOf(i));
  } else if (on_side_.tensor(i).write == Write::kUpdate) {
    indices.written[i] = script.Changed(tensor, Source::Held(BeforeName(i)), served);
  }
  AddDistances(
      repeats, i,
      [&](Source a, Source b) {
        // What `updates` wrote elsewhere in a repeat counts too: it is compared whole.
        return on_side_.ShowsUnwritten(i)
                   ? script.ElementsWithin(tensor, std::move(a), std::move(b), *indices.written[i])
                   : script.Elements(tensor, std::move(a), std::move(b));
      },
      served, indices);
}

SpanIndices SpanRecorder::Repeat(Script& script, const std::vector<KeptTensor>& kept,
                                 std::uint32_t repeats) const {
  SpanIndices indices;
  indices.span = index_;
  indices.distances.resize(on_side_.size());
  for (std::size_t i = 0; i < on_side_.size(); ++i) script.Hold(on_side_.Ref(i), LeftName(i));
  AddRepeats(script, repeats, [&](std::size_t i) { return Source::Of(kept[i].before); });
  for (std::size_t i = 0; i < on_side_.size(); ++i) {
    if (!on_side_.Written(i)) continue;
    AddDistances(
        repeats, i,
        [&](Source a, Source b) {
          return script.Elements(on_side_.Ref(i), std::move(a), std::move(b), kept[i].compared);
        },
        Source::Of(kept[i].after), indices);
  }
  for (std::size_t i = 0; i < on_side_.size(); ++i) {
    script.Restore(on_side_.Ref(i), Source::Held(LeftName(i)));
  }
  return indices;
}

void SpanRecorder::AddRepeats(Script& script, std::uint32_t repeats,
                              const std::function<Source(std::size_t)>& before) const {
  for (std::uint32_t repeat = 0; repeat < repeats; ++repeat) {
    on_side_.Prepare(script, repeat % 2, before);
    on_side_.Run(script);
    for (std::size_t i = 0; i < on_side_.size(); ++i) {
      if (on_side_.Written(i)) script.Hold(on_side_.Ref(i), RepeatName(repeat, i));
    }
  }
}

void SpanRecorder::AddDistances(std::uint32_t repeats, std::size_t tensor,
                                const std::function<std::size_t(Source, Source)>& compare,
                                const Source& served, SpanIndices& indices) const {
  const auto source = [&](std::uint32_t i) {
    return i == 0 ? served : Source::Held(RepeatName(i - 1, tensor));
  };
  for (std::uint32_t later = 1; later <= repeats; ++later) {
    for (std::uint32_t earlier = 0; earlier < later; ++earlier) {
      indices.distances[tensor].push_back(compare(source(earlier), source(later)));
    }
  }
}

std::optional<std::vector<KeptTensor>> SpanRecorder::Kept(const SpanIndices& indices,
                                                          const Vars& vars,
                                                          const Results& results) const {
  std::vector<KeptTensor> kept(on_side_.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    for (const auto& [index, image] :
         {std::pair{indices.before[i], &kept[i].before}, {indices.after[i], &kept[i].after}}) {
      if (!index) continue;
      if (results[*index].exhausted) return std::nullopt;
      *image = results[*index].image;
    }
    if (!on_side_.Written(i)) continue;
    if (indices.written[i]) kept[i].written = results[*indices.written[i]].ranges;
    // A buffer updated in place, or whose poisons are one value, is taken to be rewritten
    // everywhere: that an element kept its value does not tell that it was left alone. A state is
    // updated in part, which its changed blocks show; one that did not change is held to that
    // everywhere.
    if (!on_side_.ShowsUnwritten(i) &&
        (on_side_.tensor(i).kind == Kind::kBuffer || kept[i].written.empty())) {
      const std::uint64_t elements = ElementsIn(on_side_.Ref(i).dtype, kept[i].after.bytes);
      if (elements != 0) kept[i].written = {{0, elements}};
    }
    kept[i].compared = Intersect(kept[i].written, on_side_.DeclaredByBoth(i, vars));
  }
  return kept;
}

RepeatDistances SpanRecorder::Distances(const SpanIndices& indices, std::size_t tensor,
                                        const Results& results) const {
  std::vector<ElementStats> pairs;
  for (const std::size_t index : indices.distances[tensor])
    pairs.push_back(results[index].elements);
  return RepeatDistances(std::move(pairs));
}

}  // namespace parity
