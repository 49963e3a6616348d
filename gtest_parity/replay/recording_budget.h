// What a recording takes of the memory and the disk that it may, while it is made.
#ifndef GTEST_PARITY_REPLAY_RECORDING_BUDGET_H_
#define GTEST_PARITY_REPLAY_RECORDING_BUDGET_H_

#include <cstdint>
#include <string>
#include <vector>

#include "gtest_parity/manifest/manifest.h"
#include "gtest_parity/replay/recording.h"
#include "gtest_parity/side/script.h"

namespace parity {

// Counts into `recording`. Arguments outlive this object.
class RecordingBudget {
 public:
  RecordingBudget(const Manifest& manifest, Recording& recording);

  // What the `kKeep` instructions of one message took, by rank.
  void Count(const std::vector<Script>& scripts, const std::vector<Results>& results);
  // Whether there was no room for something of a message.
  static bool Exceeded(const std::vector<Results>& results);
  // There is no room for this run's spans, hence for those of later ones: noted once a run.
  void Spend(const std::string& run);
  bool spent() const { return spent_; }

 private:
  void CountSpilled(std::size_t rank, const Result& kept);

  const Manifest& manifest_;
  Recording& recording_;
  const std::uint64_t first_spilled_;
  bool spent_ = false;
};

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_RECORDING_BUDGET_H_
