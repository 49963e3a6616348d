// Why a tracked recording is what it is: one JSON line for each time that it was replaced.
#ifndef GTEST_PARITY_REPLAY_GOLDEN_LOG_H_
#define GTEST_PARITY_REPLAY_GOLDEN_LOG_H_

#include <string>
#include <string_view>
#include <vector>

namespace parity {

struct GoldenChange {
  std::string date;    // ISO 8601, UTC
  std::string tool;    // "gtest_parity 0.1.0"
  std::string reason;  // somebody's words
  std::string before;  // ContentHash of what was replaced; empty: nothing was
  std::string after;   // and of what it was replaced by
};

std::string GoldenLogText(const std::vector<GoldenChange>& changes);
// Throws RecordingRefused with the line's number.
std::vector<GoldenChange> ParseGoldenLog(std::string_view text);

// Throws RecordingRefused unless each change begins where the one before it ended, and the last one
// ended in `content`: nobody replaced a file and kept the reason to himself.
void CheckGoldenLog(const std::vector<GoldenChange>& changes, const std::string& content);

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_GOLDEN_LOG_H_
