// What a recording on disk says of itself: what it was made of, with what, and for which plan.
#ifndef GTEST_PARITY_REPLAY_RECORDING_INDEX_H_
#define GTEST_PARITY_REPLAY_RECORDING_INDEX_H_

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "gtest_parity/judge/identity.h"
#include "gtest_parity/manifest/implementation.h"
#include "gtest_parity/manifest/plan.h"
#include "gtest_parity/replay/workload.h"

namespace parity {

// Of recordings' files; another one is refused.
inline constexpr std::uint64_t kRecordingFormat = 1;

struct RecordingIndex {
  std::uint64_t format = kRecordingFormat;
  std::string tool;      // "gtest_parity 0.1.0"
  std::string recorded;  // ISO 8601, UTC
  std::string machine;   // "x86_64, <model of its processor>"
  // What a recording depends on: by JSON pointer each value must be the same for it to stand in.
  nlohmann::json inputs;
  std::string manifest_sha256;  // of the file, for whoever looks for it
  LibraryHashes library;        // of the reference's engine
  SideIdentity reference;
};

// What a recording of this plan is made of: the reference as the manifest declares it (its
// description, weights and prompts by their hashes), ranks, workload, repeats, and of each span and
// program what is kept of it. Throws InvalidInput for a file that cannot be read.
nlohmann::json RecordingInputs(const Plan& plan, const Workload& workload);

// This machine, now: tool, date and machine; the rest is the caller's.
RecordingIndex NewRecordingIndex();

std::string RecordingIndexText(const RecordingIndex& index);
// Throws RecordingRefused: not JSON, another format, a key that is missing or of another type.
RecordingIndex ParseRecordingIndex(std::string_view text);

// Where the recording's inputs are not these: a line each, "what: got G, expected E", at most eight
// and how many there are. Empty if it can stand in.
std::vector<std::string> DifferingInputs(const nlohmann::json& recorded,
                                         const nlohmann::json& expected);

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_RECORDING_INDEX_H_
