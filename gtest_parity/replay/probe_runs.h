// The short scenario that probes drive a side through.
#ifndef GTEST_PARITY_REPLAY_PROBE_RUNS_H_
#define GTEST_PARITY_REPLAY_PROBE_RUNS_H_

#include <vector>

#include "gtest_parity/manifest/description.h"
#include "gtest_parity/replay/workload.h"

namespace parity {

// The programs of the workload, once each, on two sequences (one, where the engine takes no more)
// of 4 and 3 tokens taken from the workload.
std::vector<WorkloadRun> ProbeRuns(const Workload& workload, const Description& description);

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_PROBE_RUNS_H_
