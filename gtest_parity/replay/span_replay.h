// One span on the candidate in one run: the instructions that replay it, and what came of them.
#ifndef GTEST_PARITY_REPLAY_SPAN_REPLAY_H_
#define GTEST_PARITY_REPLAY_SPAN_REPLAY_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/judge/evidence.h"
#include "gtest_parity/replay/recording.h"
#include "gtest_parity/replay/replayer.h"
#include "gtest_parity/replay/span_script.h"
#include "gtest_parity/side/side.h"

namespace parity {

// Where one run's results are, on one rank.
struct ReplayIndices {
  struct Compared {
    std::size_t tensor = 0;  // frontier index
    std::size_t elements = 0, other_poison = 0;
    std::optional<std::size_t> missing, domain;
  };
  std::vector<Compared> compared;
  std::vector<std::size_t> strays;
};

class SpanReplay {
 public:
  // `context` outlives this object.
  SpanReplay(const ReplayContext& context, std::size_t span);

  // One run in one message.
  void Replay(const KeptSpan& kept, Side& side, SpanEvidence& evidence) const;
  // One of the comparisons just made, of a rank and tensor that differ from span to span, from the
  // bytes. Throws std::runtime_error where it comes out otherwise.
  void Recompute(const KeptSpan& kept, Side& side, SpanEvidence& evidence) const;
  // Both sides' frontier in one run, a file per rank.
  void Dump(const KeptSpan& kept, Side& side) const;
  std::uint64_t ComparedTensors() const;

 private:
  std::size_t IndexOf(const std::string& tensor) const;
  std::vector<std::uint8_t> ReadImage(std::size_t rank, const Image& image) const;
  ReplayIndices Add(Script& script, const std::vector<KeptTensor>& kept) const;
  void RestoreAfter(Script& script, const std::vector<KeptTensor>& kept) const;
  void TellNoiseFromUndefined(const KeptSpan& kept, const std::shared_ptr<const Step>& step,
                              Side& side, std::size_t first, SpanEvidence& evidence) const;
  ReplayIndices::Compared Compare(Script& script, const KeptTensor& kept, std::size_t i) const;
  void Take(const WorkloadRun& run, int rank, const ReplayIndices& indices, const Results& results,
            SpanEvidence& evidence) const;

  const ReplayContext& context_;
  const Plan& plan_;
  const Workload& workload_;
  const Recording& recording_;
  const std::size_t span_index_;
  const Span& span_;
  SpanOnSide on_side_;
};

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_SPAN_REPLAY_H_
