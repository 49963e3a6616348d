// Records a reference that shows its values only while its programs run whole.
#ifndef GTEST_PARITY_REPLAY_TAP_RECORDER_H_
#define GTEST_PARITY_REPLAY_TAP_RECORDER_H_

#include "gtest_parity/manifest/plan.h"
#include "gtest_parity/replay/recorder.h"
#include "gtest_parity/replay/recording.h"
#include "gtest_parity/side/side.h"

namespace parity {

// One tapped pass over the workload that keeps the value of every span's results at its cut, and
// the runs' ends; no pre-images, no written sets: all that both sides declare is compared. Then as
// many passes as the judge asks for repeats, each value overwritten with the recorded one, so that
// every span's distance from itself is its own; `noisy_repeats` more where any differ. Distances
// are from the recorded value, not between repeats. Spans are kept in every run, until the memory
// budget is spent. Throws SideFailure.
void RecordTaps(const Plan& plan, const Workload& workload, const RecordRequest& request,
                Side& side, const Progress& progress, Recording& recording);

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_TAP_RECORDER_H_
