// Short probes of one engine against itself: what must leave its results alone, and what must not.
#ifndef GTEST_PARITY_JUDGE_PROBE_H_
#define GTEST_PARITY_JUDGE_PROBE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/judge/death.h"
#include "gtest_parity/judge/verdict.h"
#include "kernels/elements.h"

namespace parity {

// What a part of one result came to, against the same part of the probe as it was first run.
struct ProbeComparison {
  std::string what;  // what was done: "with every tap on"
  int rank = 0;
  std::string run, tensor;
  ElementStats stats;
};

// Something that had to move at least one of these results.
struct ProbeEffect {
  std::string what;     // what was done
  std::string if_none;  // what it means where nothing moved
  std::vector<ProbeComparison> results;
};

struct ProbeEvidence {
  std::string check;                     // "observer neutrality"
  std::vector<ProbeComparison> repeats;  // nothing done: how far the engine is from itself
  std::vector<ProbeComparison> alike;    // what must not move
  std::vector<ProbeEffect> effects;      // what must
  std::vector<std::string> found;        // what was looked into after a difference
  std::uint64_t runs = 0;                // programs run for it
  std::optional<Death> death;
};

// PASS where nothing of `alike` moved and each effect moved something: by a bit, or, where the
// engine does not repeat itself bit for bit, by more than `spread_factor` x the largest max |d| and
// NRMSE between repeats of the same rank, run and tensor. Else FAIL. NOT_COMPARED where something
// was not looked at, or nothing of `alike` was asked. Verdict::compared stays 0: of the two sides
// nothing is.
Verdict JudgeProbe(const ProbeEvidence& evidence, double spread_factor);

}  // namespace parity

#endif  // GTEST_PARITY_JUDGE_PROBE_H_
