// What every op of the ragged workload left in what it may write, to compare engines bit by bit.
#ifndef GTEST_PARITY_TESTS_ENGINES_TINY_TRACE_H_
#define GTEST_PARITY_TESTS_ENGINES_TINY_TRACE_H_

#include <string>
#include <vector>

#include "tests/engines/tiny_driver.h"

namespace parity {

struct TraceEntry {
  std::string where;  // "decode#3 layer0.q q"
  std::string label;
  std::string bytes;
};
using Trace = std::vector<TraceEntry>;  // of one rank

// Op by op; one trace per rank.
std::vector<Trace> TraceRagged(const TinyRun& run, int decode_steps);

// Every entry whose bytes differ, as "rank 1 decode#3 layer0.q q"; the traces must be as long.
std::vector<std::string> Differences(const std::vector<Trace>& a, const std::vector<Trace>& b);

// Logits of all rows of the ragged workload, of rank 0, run whole.
std::vector<float> RaggedLogits(const TinyRun& run, int decode_steps);

}  // namespace parity

#endif  // GTEST_PARITY_TESTS_ENGINES_TINY_TRACE_H_
