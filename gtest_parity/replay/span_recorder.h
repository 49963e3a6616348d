// Records one span in one run, and how far the reference is from itself there.
#ifndef GTEST_PARITY_REPLAY_SPAN_RECORDER_H_
#define GTEST_PARITY_REPLAY_SPAN_RECORDER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/judge/spread.h"
#include "gtest_parity/manifest/plan.h"
#include "gtest_parity/replay/recording.h"
#include "gtest_parity/replay/span_script.h"
#include "gtest_parity/side/script.h"

namespace parity {

// Where a span's results are in a script.
struct SpanIndices {
  std::size_t span = 0;                                            // index in Plan::spans
  std::vector<std::optional<std::size_t>> before, after, written;  // [frontier index]
  std::vector<std::vector<std::size_t>> distances;  // [frontier index]: pairs of repeats
};

// Distances between repeats of one tensor. Repeats come in the order: as served, poison 0, poison
// 1, poison 0, ...; pairs in the order (0,1), (0,2), (1,2), (0,3), ...
class RepeatDistances {
 public:
  explicit RepeatDistances(std::vector<ElementStats> pairs) : pairs_(std::move(pairs)) {}
  const std::vector<ElementStats>& pairs() const { return pairs_; }
  bool AllIdentical() const;
  // Whether the result follows the poison: repeats under the same poison agree, or only those under
  // one poison hold NaN, and repeats under different poisons do not. Wants at least two of each.
  bool FollowPoison() const;

 private:
  std::vector<ElementStats> pairs_;
};

class SpanRecorder {
 public:
  SpanRecorder(const Plan& plan, std::size_t span);

  // Runs the span where the program has come to it, keeps its frontier, repeats it `repeats` times
  // under alternating poisons and leaves everything as the first time.
  SpanIndices Record(Script& script, std::uint32_t repeats) const;
  // Repeats a span that was kept, for its distances alone, and leaves everything as it was. Wants
  // the run staged.
  SpanIndices Repeat(Script& script, const std::vector<KeptTensor>& kept,
                     std::uint32_t repeats) const;

  // Empty when the recording had no room for it. `vars` are the run's.
  std::optional<std::vector<KeptTensor>> Kept(const SpanIndices& indices, const Vars& vars,
                                              const Results& results) const;
  RepeatDistances Distances(const SpanIndices& indices, std::size_t tensor,
                            const Results& results) const;
  const SpanOnSide& on_side() const { return on_side_; }

 private:
  void AddWritten(Script& script, std::uint32_t repeats, std::size_t i, SpanIndices& indices) const;
  void AddRepeats(Script& script, std::uint32_t repeats,
                  const std::function<Source(std::size_t)>& before) const;
  void AddDistances(std::uint32_t repeats, std::size_t tensor,
                    const std::function<std::size_t(Source, Source)>& compare, const Source& served,
                    SpanIndices& indices) const;

  const Span& span_;
  std::size_t index_;
  SpanOnSide on_side_;
};

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_SPAN_RECORDER_H_
