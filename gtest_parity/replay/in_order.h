// Replays every span in one pass over each scenario, for sides that cannot be put before any step
// at will: steps that only follow one another, values that only show while a program runs whole.
#ifndef GTEST_PARITY_REPLAY_IN_ORDER_H_
#define GTEST_PARITY_REPLAY_IN_ORDER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gtest_parity/judge/evidence.h"
#include "gtest_parity/manifest/plan.h"
#include "gtest_parity/replay/recorder.h"
#include "gtest_parity/replay/replayer.h"
#include "gtest_parity/side/side.h"

namespace parity {

// Whether spans are replayed in order: the candidate can do nothing else, or the reference is
// tap-only, so that no pre-image of a span was recorded.
bool ReplaysInOrder(const Plan& plan);

// Whether every run of a scenario has to be recorded, and every span of it: a side is tap-only, so
// its states are right only if they grew from nothing but the reference's values.
bool NeedsEveryRun(const Plan& plan);

// What cannot be checked with these two sides; empty: nothing.
std::vector<std::string> UnavailableChecks(const Plan& plan);

// The candidate, and a fresh one after each death.
struct CandidateSource {
  std::function<Side*()> get;  // null: it died too often
  std::function<void(const Death&)> died;
};

struct InOrderReplay {
  std::map<std::size_t, SpanEvidence> spans;  // by index in Plan::spans: those that were recorded
  std::size_t runs = 0;                       // that were driven
  std::size_t scenarios = 0;                  // that were begun
};

// Each scenario up to its last recorded run, from a reset on: whole programs with all taps, or the
// spans one after the other and what lies between them, each compared and put to the reference's
// result before the next. A death ends its scenario: the span it happened in has it as evidence,
// the others lack what was to come. Where that span is not known, all that were to come have it.
// Throws std::runtime_error as ReplaySpan does.
InOrderReplay ReplayInOrder(const ReplayContext& context, const CandidateSource& candidate,
                            const Progress& progress);

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_IN_ORDER_H_
