// What both sides are driven with: scenarios of prefill chunks and decode steps on real token ids.
#ifndef GTEST_PARITY_REPLAY_WORKLOAD_H_
#define GTEST_PARITY_REPLAY_WORKLOAD_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gtest_parity/manifest/description.h"
#include "gtest_parity/manifest/manifest.h"
#include "gtest_parity/side/script.h"

namespace parity {

// One execution of a program.
struct WorkloadRun {
  struct Sequence {
    std::uint32_t slot = 0;
    std::uint64_t past = 0;
    std::vector<std::int32_t> tokens;  // of this run
  };
  std::string name;      // "b3_page_edge/prefill#0"
  std::string scenario;  // "b3_page_edge"
  std::string program;
  bool first_of_scenario = false;
  bool last_of_scenario = false;
  std::string kept;  // why its spans are recorded: "first", "last", "boundary"; empty: they are not
  std::vector<Sequence> sequences;
};

struct Workload {
  std::uint64_t seed = 0;
  std::vector<WorkloadRun> runs;  // scenario by scenario
};

// For each batch size b two scenarios: `b<b>_page_edge`, whose decode crosses a page in each
// sequence, and `b<b>_chunk_edge`, whose prompts end at, just behind and just before a chunk's
// edge. Prompts go through `prefill` in chunks, then tokens of the same text, never the engine's
// own, through `decode` one by one. A program that drafts has scenarios of its own,
// `b<b>_<program>`: prompts as at a page's edge, then steps of 1 + drafts rows, of which the
// program reads the first. Step i takes i modulo (drafts + 1) of its drafts as accepted, whatever
// the engine says: the next step begins behind them, on what they left in the states. Depends on
// the options and on `description`'s vocabulary (the domain of its input `tokens`), limits, page
// size and programs, not on any number an engine computes. Throws std::runtime_error: prompts that
// cannot be read or leave the vocabulary, a batch, chunk or length beyond the description's limits,
// no program to drive.
Workload MakeWorkload(const WorkloadOptions& options, const Description& description);

// The run as a side stages it: with block tables for its page size. Pages are handed out in a fixed
// order that is neither ascending nor contiguous. Throws std::runtime_error when there are too few
// pages or sequence slots.
std::shared_ptr<const Step> StepFor(const WorkloadRun& run, const Description& side,
                                    std::uint64_t seed);

// Values of the description's variables in a run, `ranks` included.
Vars VarsOf(const WorkloadRun& run, std::uint32_t ranks);

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_WORKLOAD_H_
