#include "gtest_parity/replay/replayer.h"

#include <algorithm>

#include "gtest_parity/replay/span_replay.h"
#include "gtest_parity/replay/span_script.h"

namespace parity {

SpanEvidence EvidenceBegunOn(const ReplayContext& context, std::size_t span_index) {
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
  for (const KeptSpan& kept : context.recording.spans[span_index]) {
    if (context.workload.runs[kept.run].name.find(filter.run) == std::string::npos) continue;
    evidence.expected += replay.ComparedTensors() * (filter.rank ? 1 : kept.ranks.size());
  }
  return evidence;
}

SpanEvidence ReplaySpan(const ReplayContext& context, std::size_t span_index, Side& side) {
  const ReplayFilter& filter = context.filter;
  SpanEvidence evidence = EvidenceBegunOn(context, span_index);
  const SpanReplay replay(context, span_index);
  bool recomputed = false;
  for (const KeptSpan& kept : context.recording.spans[span_index]) {
    const std::string& name = context.workload.runs[kept.run].name;
    if (name.find(filter.run) == std::string::npos) continue;
    if (evidence.death) break;
    try {
      replay.Replay(kept, side, evidence);
      if (!evidence.not_restored.empty()) continue;
      if (!recomputed) replay.Recompute(kept, side, evidence);
      recomputed = true;
      if (!context.dump_folder.empty()) replay.Dump(kept, side);
    } catch (const SideFailure& failure) {
      evidence.death = failure.death();
      if (evidence.death->run.empty()) evidence.death->run = name;
    }
  }
  try {
    if (!evidence.death) replay.FindInConstants(side, evidence);
  } catch (const SideFailure& failure) {
    evidence.death = failure.death();
  }
  if (filter.rank) {
    std::erase_if(evidence.comparisons, [&](const auto& at) { return at.rank != *filter.rank; });
    std::erase_if(evidence.outside, [&](const auto& at) { return at.rank != *filter.rank; });
    std::erase_if(evidence.not_restored, [&](const auto& at) { return at.rank != *filter.rank; });
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
