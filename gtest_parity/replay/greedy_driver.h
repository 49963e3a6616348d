// Runs a side through a generation and reads what it chose.
#ifndef GTEST_PARITY_REPLAY_GREEDY_DRIVER_H_
#define GTEST_PARITY_REPLAY_GREEDY_DRIVER_H_

#include <cstdint>
#include <optional>
#include <string>

#include "gtest_parity/manifest/plan.h"
#include "gtest_parity/replay/workload.h"
#include "gtest_parity/side/script.h"

namespace parity {

// Where a choice is read: the engine's own buffer of ids, a row of logits, or both.
struct GreedyReads {
  std::string choice;  // empty: the argmax of `logits` stands for it
  std::string logits;  // empty: the sides have none in common
  std::string Text() const;
};

// From the manifest and both descriptions. Throws std::runtime_error where the manifest names a
// buffer that is none of one integer per sequence on both sides, or where there is nothing to read.
GreedyReads GreedyReadsOf(const Plan& plan);

// Where one choice is in a run's results.
struct GreedyChoice {
  std::size_t sequence = 0, position = 0;
  std::uint64_t row = 0;    // of the logits
  std::uint64_t index = 0;  // in the buffer of choices
};

class GreedyDriver {
 public:
  // Where a run's results are in its rank's script.
  struct Indices {
    std::optional<std::size_t> rows, kept, choice;
  };

  // `side` is the driven side's description. All arguments outlive this object.
  GreedyDriver(const Plan& plan, const Workload& workload, const Description& side);

  std::uint32_t ranks() const { return ranks_; }
  // Stages and runs. Where the run chooses, its logits are compared with `against`, the
  // reference's; nullptr: the side's own are kept.
  Indices Add(Script& script, const WorkloadRun& run, bool chooses, const Image* against) const;
  std::optional<RowStats> RowAt(const Indices& indices, const Results& results,
                                const GreedyChoice& at) const;
  std::int64_t ChosenAt(const Indices& indices, const Results& results,
                        const GreedyChoice& at) const;
  // Whether logits have a row for each token, not one for each sequence.
  bool RowPerToken() const;

 private:
  TensorRef Ref(const std::string& name) const;

  const Workload& workload_;
  const Description& side_;
  GreedyReads reads_;
  std::uint32_t ranks_;
};

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_GREEDY_DRIVER_H_
