// The bytes that ops have to touch, from what is declared: the measure for a roofline.
#ifndef GTEST_PARITY_REPLAY_TRAFFIC_H_
#define GTEST_PARITY_REPLAY_TRAFFIC_H_

#include <cstdint>

#include "gtest_parity/manifest/plan.h"
#include "gtest_parity/replay/workload.h"

namespace parity {

// Of one rank in one run of a span: each tensor of the frontier that it may read, once, each that
// it writes, once, and the constants that the side's ops read. Of a paged state only the rows that
// are there: read, the tokens so far; written, those of this run. Tensors inside the span cost
// nothing: they need not leave a cache. What is declared, so that a gather counts its whole table.
std::uint64_t SpanTraffic(const Plan& plan, const Span& span, bool reference,
                          const WorkloadRun& run);

// The same for a whole program: constants and states read once, states and outputs written once.
std::uint64_t ProgramTraffic(const Plan& plan, const std::string& name, bool reference,
                             const WorkloadRun& run);

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_TRAFFIC_H_
