// Times of both sides as properties of a case. The verdict is taken before and does not see them.
#include <algorithm>
#include <numeric>

#include "gtest_parity/judge/number_text.h"
#include "gtest_parity/replay/traffic.h"
#include "gtest_parity/session/session.h"

namespace parity {
namespace {

// What ran on one side, what it touches in a run, and what copying reaches there.
struct SideTimes {
  const char* side;
  std::optional<TimeFigure> figure;
  std::uint64_t bytes = 0;
  double copy_rate = 0;  // bytes per second, of the figure's rank
};

double RateOf(const std::vector<double>& rates, int rank) {
  const auto index = static_cast<std::size_t>(rank);
  return index < rates.size() ? rates[index] : 0;
}

void Tell(const SideTimes& times, Verdict& verdict) {
  if (!times.figure) return;
  const std::string prefix = std::string("perf.") + times.side + "_";
  const TimeFigure& figure = *times.figure;
  SetProperty(verdict, prefix + "us", FixedText(figure.seconds * 1e6, 1));
  SetProperty(verdict, prefix + "spread", FixedText(figure.spread, 3));
  SetProperty(verdict, prefix + "samples", std::to_string(figure.samples));
  SetProperty(verdict, prefix + "rank", std::to_string(figure.rank));
  SetProperty(verdict, prefix + "bytes", std::to_string(times.bytes));
  if (figure.seconds <= 0 || times.copy_rate <= 0) return;
  SetProperty(verdict, prefix + "gb_per_s",
              FixedText(static_cast<double>(times.bytes) / figure.seconds / 1e9, 3));
  SetProperty(verdict, prefix + "copy_gb_per_s", FixedText(times.copy_rate / 1e9, 3));
}

}  // namespace

void Session::TellTimes(const Case& which, Verdict& verdict) const {
  if (which.kind != CaseKind::kSpan && which.kind != CaseKind::kEndToEnd) return;
  const Span* span = which.kind == CaseKind::kSpan ? &plan_.spans[which.span] : nullptr;
  const auto ops = [&](bool reference) -> TimedOps {
    if (span != nullptr) {
      const OpRange& range = reference ? span->reference : span->candidate;
      return {span->program, range.lo, range.hi, false};
    }
    const Program* program =
        (reference ? plan_.reference : plan_.candidate).FindProgram(which.program);
    const std::size_t count = program == nullptr ? 0 : program->ops.size();
    return {which.program, 0, static_cast<std::uint32_t>(count), true};
  };
  const Times& ours = reference_times_.Of(ops(true));
  const Times& theirs = candidate_times_.Of(ops(false));
  SideTimes reference{"reference", FigureOf(ours, theirs)};
  SideTimes candidate{"candidate", FigureOf(theirs, ours)};
  if (!reference.figure || !candidate.figure) return;
  for (SideTimes* side : {&reference, &candidate}) {
    const bool is_reference = side == &reference;
    for (const WorkloadRun& run : workload_.runs) {
      const std::vector<std::string>& runs = side->figure->runs;
      if (std::find(runs.begin(), runs.end(), run.name) == runs.end()) continue;
      side->bytes += span != nullptr ? SpanTraffic(plan_, *span, is_reference, run)
                                     : ProgramTraffic(plan_, which.program, is_reference, run);
    }
    side->copy_rate =
        RateOf(is_reference ? reference_copy_rates_ : candidate_copy_rates_, side->figure->rank);
    Tell(*side, verdict);
  }
  SetProperty(verdict, "perf.runs", std::to_string(reference.figure->runs.size()));
  if (reference.figure->seconds > 0) {
    SetProperty(verdict, "perf.ratio",
                FixedText(candidate.figure->seconds / reference.figure->seconds, 3));
  }
}

}  // namespace parity
