// Replays one span on the candidate, run by run, from what the reference had.
#ifndef GTEST_PARITY_REPLAY_REPLAYER_H_
#define GTEST_PARITY_REPLAY_REPLAYER_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/judge/evidence.h"
#include "gtest_parity/manifest/plan.h"
#include "gtest_parity/replay/recording.h"
#include "gtest_parity/side/side.h"

namespace parity {

// Restricts a replay for a person at work; empty means everything.
struct ReplayFilter {
  std::string run;          // part of a run's name
  std::optional<int> rank;  // comparisons of the others are left out
};

// What a replay needs besides the candidate. All members outlive it.
struct ReplayContext {
  const Plan& plan;
  const Workload& workload;
  const Recording& recording;
  const std::vector<PageStore>& pages;  // the recording as the judge maps it, by rank
  ReplayFilter filter;
  std::string dump_folder;  // empty: none
};

// Evidence on a span before anything was compared: its names, what is not compared and why, and how
// many comparisons its kept runs call for.
SpanEvidence EvidenceBegunOn(const ReplayContext& context, std::size_t span);

// All kept runs of a span: its frontier is put as the reference had it, pure outputs are poisoned,
// the candidate's ops run, once under each poison, and what they wrote is compared on the set that
// the reference wrote. A death is part of the evidence; comparisons of the runs before it are kept.
// One comparison of the span is computed again from copied bytes: std::runtime_error where the
// side's figures are not what its bytes say.
SpanEvidence ReplaySpan(const ReplayContext& context, std::size_t span, Side& side);

// The op of a span at which a fresh side dies in that run, repeating it op by op; empty where it
// does not.
std::string LocateDeath(const ReplayContext& context, std::size_t span, const std::string& run,
                        Side& side);

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_REPLAYER_H_
