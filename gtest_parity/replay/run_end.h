// What is looked at when a program has run whole: logits, outputs, domains, replicated buffers, and
// at the end of a scenario the states.
#ifndef GTEST_PARITY_REPLAY_RUN_END_H_
#define GTEST_PARITY_REPLAY_RUN_END_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/judge/evidence.h"
#include "gtest_parity/manifest/plan.h"
#include "gtest_parity/replay/choice_scores.h"
#include "gtest_parity/replay/recording.h"
#include "gtest_parity/replay/workload.h"
#include "gtest_parity/side/script.h"

namespace parity {

// Where the results of one run's end are in its script.
struct RunEndIndices {
  std::map<std::string, std::size_t> images, elements, rows, domains, digests, states;
  struct Decision {
    std::size_t elements = 0, choices = 0;
    std::optional<std::size_t> scores, domain;
    ChoiceScores taken_from;
    std::optional<std::size_t> restored;  // where the reference's was put in its place
  };
  std::map<std::string, Decision> decisions;
};

// The instructions at a run's end, for one rank of one side. Both arguments outlive this object.
class RunEndScript {
 public:
  RunEndScript(const Plan& plan, const Description& side) : plan_(plan), side_(side) {}

  // Keeps everything that later runs are compared with.
  RunEndIndices Keep(Script& script, const Workload& workload, std::size_t run) const;
  RunEnd Kept(const RunEndIndices& indices, const Results& results) const;

  // Compares a decision with what was kept, wherever in the run it has been made.
  void CompareDecision(Script& script, const WorkloadRun& run, const DecisionPlan& decision,
                       const RunEnd& kept, RunEndIndices& indices) const;
  // Compares with what was kept, but for decisions that were compared before. Throws SideFailure
  // via the side when a size differs.
  void Compare(Script& script, const Workload& workload, std::size_t run, const RunEnd& kept,
               RunEndIndices& indices) const;
  // Adds what was found to the evidence on the run's program.
  void Compared(const RunEndIndices& indices, const Results& results, const WorkloadRun& run,
                int rank, FreeRunEvidence& evidence) const;
  void AddDecisions(const RunEndIndices& indices, const Results& results, const WorkloadRun& run,
                    int rank, FreeRunEvidence& evidence) const;
  std::map<std::string, DomainViolation> Domains(const RunEndIndices& indices,
                                                 const Results& results) const;

  const ProgramPlan& ProgramOf(const WorkloadRun& run) const;
  TensorRef Ref(const std::string& name) const;

 private:
  void CheckDomains(Script& script, const ProgramPlan& program, RunEndIndices& indices) const;

  const Plan& plan_;
  const Description& side_;
};

// Whether the state is looked at when that run is over: at the end of its scenario, or, where its
// shape follows the step, when one of the run's sequences is there for the last time.
bool IsDue(const Tensor& state, const Workload& workload, std::size_t run);

// The elements of a state that a scenario's sequences have written when `last_run` is over: in a
// paged state the rows of their tokens, otherwise all of it.
ElementRanges WrittenStateRanges(const Tensor& state, const Description& side,
                                 const Workload& workload, std::size_t last_run,
                                 std::uint32_t ranks);

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_RUN_END_H_
