// The whole workload as it is served, nothing injected, against what the reference left.
#ifndef GTEST_PARITY_REPLAY_FREE_RUN_H_
#define GTEST_PARITY_REPLAY_FREE_RUN_H_

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gtest_parity/judge/evidence.h"
#include "gtest_parity/manifest/plan.h"
#include "gtest_parity/replay/recorder.h"
#include "gtest_parity/replay/recording.h"
#include "gtest_parity/side/side.h"

namespace parity {

struct FreeRunResult {
  std::map<std::string, FreeRunEvidence> programs;
  // By run and rank: what the side's outputs and replicated buffers came to.
  struct End {
    std::map<std::string, DomainViolation> domains;
    std::map<std::string, std::uint64_t> checked;
    std::map<std::string, std::string> digests;
  };
  std::vector<std::vector<End>> ends;  // [run][rank]
  double engine_seconds = 0;           // of the programs alone, slowest rank
  std::optional<Death> death;          // what is above is what came before it
};

enum class Decisions {
  // The side's own: every program runs whole. What comes after the candidate's first that differs
  // is marked so; the reference's repeats are their distance from one another, whatever led there.
  kServed,
  // The reference's, put in the place of the candidate's as soon as those have been compared; what
  // comes after the first that differs and cannot be forced is marked so.
  kForced,
};

// Resets the side before each scenario and runs its programs. `description` is the side's own. A
// death of the side is part of the result.
FreeRunResult RunFree(const Plan& plan, const Description& description, const Workload& workload,
                      const Recording& recording, Decisions decisions, Side& side,
                      const Progress& progress);

// Whether any decision is not the reference's.
bool DecisionsDiffer(const FreeRunResult& result);

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_FREE_RUN_H_
