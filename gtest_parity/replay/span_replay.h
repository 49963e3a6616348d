// One span on the candidate in one run: the instructions that replay it, and what came of them.
#ifndef GTEST_PARITY_REPLAY_SPAN_REPLAY_H_
#define GTEST_PARITY_REPLAY_SPAN_REPLAY_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/judge/evidence.h"
#include "gtest_parity/replay/choice_scores.h"
#include "gtest_parity/replay/recording.h"
#include "gtest_parity/replay/replayer.h"
#include "gtest_parity/replay/span_script.h"
#include "gtest_parity/side/side.h"

namespace parity {

// Where one run's results are, on one rank.
struct ReplayIndices {
  struct Compared {
    std::size_t tensor = 0;  // frontier index
    std::size_t elements = 0;
    std::optional<std::size_t> other_poison;
    std::optional<std::size_t> same_poison;  // once more under the first poison
    std::optional<std::size_t> missing, domain;
    std::optional<std::size_t> bytes;    // the candidate's
    std::optional<std::size_t> choices;  // of a decision
    ChoiceScores scores;                 // what it was taken from
  };
  std::vector<Compared> compared;
  std::vector<std::size_t> strays;
  std::size_t begin = 0, ran = 0;  // [begin, ran) put what the span reads as the reference had it
};

class SpanReplay {
 public:
  // `context` outlives this object.
  SpanReplay(const ReplayContext& context, std::size_t span);

  // One run in one message.
  void Replay(const KeptSpan& kept, Side& side, SpanEvidence& evidence) const;
  // Whether the runs so far stored into constants. Nobody can tell which of them it was.
  void FindInConstants(Side& side, SpanEvidence& evidence) const;
  // One of the comparisons just made, of a rank and tensor that differ from span to span, from the
  // bytes. Throws std::runtime_error where it comes out otherwise.
  void Recompute(const KeptSpan& kept, Side& side, SpanEvidence& evidence) const;
  // Both sides' frontier in one run, a file per rank.
  void Dump(const KeptSpan& kept, Side& side) const;
  std::uint64_t ComparedTensors() const;
  const Span& span() const { return span_; }

  // For passes over a whole scenario, where nothing can be asked again later. The candidate stands
  // where the span begins, and is left with the reference's result. Pre-images that the recording
  // has not are the candidate's own. `bytes`: see BytesWanted.
  ReplayIndices AddInOrder(Script& script, const WorkloadRun& run,
                           const std::vector<KeptTensor>& kept, std::size_t bytes) const;
  // The same at the taps of the RunTapped before: each value is compared, then overwritten.
  ReplayIndices AddTapped(Script& script, const WorkloadRun& run,
                          const std::vector<KeptTensor>& kept, std::size_t bytes) const;
  // Of how many compared tensors a pass must bring the candidate's bytes, to be computed again or
  // dumped: 0, 1 or all.
  std::size_t BytesWanted(const KeptSpan& kept, std::size_t rank) const;
  // Whether a rank could not be put as the reference was, by what came of its script: the span ran
  // on something else there, and ranks work together.
  static std::optional<NotRestored> FindNotRestored(const WorkloadRun& run, std::size_t rank,
                                                    const Script& script,
                                                    const ReplayIndices& indices,
                                                    const Results& results);
  // Adds what one rank found, and uses the bytes that came.
  void TakeInOrder(const KeptSpan& kept, std::size_t rank, const ReplayIndices& indices,
                   const Results& results, SpanEvidence& evidence) const;

 private:
  // Larger tensors are not fetched to be compared again.
  static constexpr std::uint64_t kRecomputedBytes = 4 << 20;
  // What the first run under the first poison left.
  static std::string FirstName(std::size_t tensor) { return "first " + std::to_string(tensor); }

  std::size_t IndexOf(const std::string& tensor) const;
  std::vector<std::uint8_t> ReadImage(std::size_t rank, const Image& image) const;
  void CheckBytes(const TensorComparison& claimed, const KeptTensor& kept,
                  const std::vector<std::uint8_t>& candidate, SpanEvidence& evidence) const;
  void WriteDump(const KeptSpan& kept, std::size_t rank,
                 std::map<std::size_t, std::vector<std::uint8_t>> candidate) const;
  std::vector<TensorRef> PrivatePreImages() const;
  void AddRepeats(Script& script, const std::vector<KeptTensor>& kept,
                  std::vector<std::size_t>& strays) const;
  ReplayIndices Add(Script& script, const WorkloadRun& run,
                    const std::vector<KeptTensor>& kept) const;
  void RestoreAfter(Script& script, const std::vector<KeptTensor>& kept) const;
  void TellNoiseFromUndefined(const KeptSpan& kept, const std::shared_ptr<const Step>& step,
                              Side& side, std::size_t first, SpanEvidence& evidence) const;
  // Every compared tensor; `second`: where its other repeat is.
  void CompareAll(Script& script, const WorkloadRun& run, const std::vector<KeptTensor>& kept,
                  const std::function<Source(std::size_t)>& second, ReplayIndices& indices) const;
  // What its contents are held to: the reference's declaration, if it has one.
  std::optional<ValueRange> CheckedDomain(std::size_t i) const;
  bool IsDecision(std::size_t i) const;
  // `candidate`: where its choices are.
  void CompareChoices(Script& script, const WorkloadRun& run, const std::vector<KeptTensor>& kept,
                      Source candidate, ReplayIndices::Compared& at) const;
  ChoiceComparison Choices(const ReplayIndices::Compared& at, const WorkloadRun& run, int rank,
                           const Results& results) const;
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
