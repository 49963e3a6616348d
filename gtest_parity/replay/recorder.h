// Drives the reference through the workload and keeps what the cases will need.
#ifndef GTEST_PARITY_REPLAY_RECORDER_H_
#define GTEST_PARITY_REPLAY_RECORDER_H_

#include <functional>
#include <string>

#include "gtest_parity/manifest/plan.h"
#include "gtest_parity/replay/recording.h"
#include "gtest_parity/side/side.h"

namespace parity {

// Told of each run or case as it begins: the stage, what, how many are done, of how many.
using Progress = std::function<void(const char* stage, const std::string& what, std::size_t done,
                                    std::size_t all)>;

// One pass over the workload with recording and the spans' repeats, then the workload repeated
// whole where a program is judged end to end. Throws SideFailure.
Recording Record(const Plan& plan, const Workload& workload, const RecordRequest& request,
                 Side& side, const Progress& progress);

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_RECORDER_H_
