// A recording from a folder, checked before anything is believed of it.
#ifndef GTEST_PARITY_REPLAY_READ_RECORDING_H_
#define GTEST_PARITY_REPLAY_READ_RECORDING_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gtest_parity/manifest/plan.h"
#include "gtest_parity/replay/recording.h"
#include "gtest_parity/replay/recording_folder.h"
#include "gtest_parity/replay/recording_index.h"
#include "gtest_parity/replay/workload.h"

namespace parity {

struct ReadFromDisk {
  Recording recording;
  std::unique_ptr<RecordingMemory> memory;  // sealed
};

// The index alone, which a plan can be made with. Throws RecordingRefused.
RecordingIndex ReadRecordingIndex(const RecordingFolder& folder);

// What evidence.json holds. Throws RecordingRefused for what is not of its form; whether it is one
// of a plan, CheckRecording says.
Recording ParseRecording(std::string_view text);

// Throws RecordingRefused unless the recording is one that the plan's reference can have left on
// this workload: each span and run with its tensors, images within a rank's `data_bytes` and no
// larger than the description allows, ranges within their tensors.
void CheckRecording(const Recording& recording, const Plan& plan, const Workload& workload,
                    const std::vector<std::uint64_t>& data_bytes);

// One rank's pages into its chunks. Returns the bytes of data. Throws RecordingRefused.
std::uint64_t LoadPages(const RecordingFolder& folder, std::size_t rank,
                        const std::vector<int>& chunks);

// All of it. Throws RecordingRefused, of the index too where its inputs are not this plan's.
ReadFromDisk ReadRecording(const RecordingFolder& folder, const RecordingIndex& index,
                           const Plan& plan, const Workload& workload);

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_READ_RECORDING_H_
