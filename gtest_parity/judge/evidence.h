// What was measured, with its provenance. The judge turns evidence into outcomes and does nothing
// else.
#ifndef GTEST_PARITY_JUDGE_EVIDENCE_H_
#define GTEST_PARITY_JUDGE_EVIDENCE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gtest_parity/judge/death.h"
#include "kernels/decisions.h"
#include "kernels/dtype.h"
#include "kernels/elements.h"
#include "kernels/rows.h"

namespace parity {

// How far the reference is from itself at one (rank, program, span, tensor, live shape).
struct Spread {
  bool measured = false;
  bool exact = false;  // every repeat agreed bit for bit
  double nrmse = 0;    // largest over all pairs of repeats, pooled over kept runs
  double max_abs = 0;
  std::uint64_t pairs = 0;  // how many pairs that was
};

struct DomainViolation {
  std::uint64_t count = 0;  // elements outside; NaN counts
  std::uint64_t first_index = 0;
  double first_value = 0;
  double min = 0, max = 0;
};

// Of a decision: how its choices differ, and what they were taken from.
struct ChoiceComparison {
  DecisionStats stats;
  std::string scores;    // the reference's buffer
  std::string unscored;  // why there are none to judge by; empty: there are
  Spread spread;         // of the scores
};

// One tensor that a span writes, in one run, on one rank.
struct TensorComparison {
  int rank = 0;
  std::string run;
  std::string tensor;
  bool state = false;
  DType dtype = DType::kBytes;
  std::vector<std::uint64_t> shape;  // live
  ElementStats stats;                // over the set that the reference wrote
  std::uint64_t missing_writes = 0;  // elements of that set that kept both poisons
  bool undefined_read = false;       // the result depends on the poison
  bool self_differs = false;         // the candidate's repeats differ from one another
  DomainViolation domain;
  Spread spread;
  std::optional<ChoiceComparison> choices;  // of a decision
  // What stood at stats.worst_index: the reference's value, then the candidate's.
  std::optional<std::pair<std::string, std::string>> worst_values;
};

// Bytes that changed where the reference wrote nothing.
struct OutsideWrite {
  int rank = 0;
  std::string run;
  std::string tensor;
  std::uint64_t bytes = 0;
  std::uint64_t first_offset = 0;
  bool whole_pages = false;  // no more is known than which pages of a constant it was
};

// A tensor that could not be put as the reference had it, so that the span ran on something else.
struct NotRestored {
  int rank = 0;
  std::string run;
  std::string tensor;
  std::string why;
};

struct SpanEvidence {
  std::string program, span, label;
  std::uint64_t expected = 0;  // comparisons that had to be: tensors x kept runs x ranks
  std::vector<TensorComparison> comparisons;
  std::vector<OutsideWrite> outside;
  std::vector<NotRestored> not_restored;  // at most one a run and rank
  std::optional<Death> death;
  std::string recomputed;  // the comparison that was computed again from copied bytes
  // What the sides do not let anybody check here: "missing writes", ... No claim is made about it.
  std::vector<std::string> unavailable;
  std::vector<std::string> notes;  // what is not compared and why
};

// Logits of one run on one rank.
struct RowsComparison {
  int rank = 0;
  std::string run;
  std::string tensor;
  std::uint64_t nonfinite_candidate_only = 0;  // NaN or Inf where the reference is finite
  std::vector<RowStats> rows;
  std::string after = {};  // as of FinalComparison
};

// An output, a decision's buffer or a final state, whole, on one rank.
struct FinalComparison {
  int rank = 0;
  std::string run;  // of a state at the scenario's end: the scenario
  std::string tensor;
  bool state = false;
  DType dtype = DType::kBytes;
  ElementStats stats;
  DomainViolation domain;
  // The first decision of the scenario that differed and was not forced: what comes after it is not
  // comparable. Empty: there was none.
  std::string after = {};
};

// The choices of one decision in one run on one rank, as they were before anything was forced.
struct DecisionComparison {
  FinalComparison values;  // elements and domain
  DecisionStats flips;
  std::string scores;    // the reference's buffer that they are taken from
  std::string unscored;  // why there are none to judge by; empty: there are
  // Between the reference and this side where both have them; infinite where that is no number.
  double score_distance = 0;
  bool forced = false;   // what came later had the reference's choices
  std::string unforced;  // why they could not be put there, where that was tried
};

// One pass over the workload, against the recorded one; in the order in which it ran.
struct FreeRunEvidence {
  std::vector<RowsComparison> rows;
  std::vector<FinalComparison> finals;  // outputs and final states
  std::vector<DecisionComparison> decisions = {};
};

struct EndToEndEvidence {
  std::string program;
  bool changed = false;
  std::uint64_t expected_rows = 0, expected_finals = 0, expected_decisions = 0;
  std::uint64_t runs_driven = 0;  // runs of the program in the workload
  FreeRunEvidence candidate;      // as served
  // With the reference's decisions, where some were not the candidate's own.
  std::optional<FreeRunEvidence> forced;
  // The reference against its own recording, once per repeat.
  std::vector<FreeRunEvidence> reference;
  bool every_span_compared_in_every_run = false;
  bool every_span_identical = false;
  std::optional<Death> death;
  std::vector<std::string> notes;
};

// What a rank holds against what rank 0 holds, when a run was served once more.
struct RankDifference {
  int rank = 0;
  std::vector<std::uint64_t> shape;  // live
  ElementStats stats;
  std::pair<std::string, std::string> first_values;  // at stats.first_index: rank 0's, the rank's
};

// A buffer that every rank should hold alike, after one run.
struct ReplicatedEvidence {
  struct Run {
    std::string run;
    std::vector<std::string> candidate;  // digest per rank
    std::vector<std::string> reference;
    std::optional<RankDifference> difference;  // of the first run whose digests are not alike
    std::string not_located;                   // why there is none
  };
  std::string program, tensor;
  std::vector<Run> runs;
  std::uint64_t expected = 0;
  std::optional<Death> death;
};

// The lowest rank whose digest is not rank 0's; nullopt where all are alike.
std::optional<std::size_t> FirstRankApart(const std::vector<std::string>& digests);

// An output's declared domain, over every run of the workload.
struct DomainEvidence {
  struct Check {
    int rank = 0;
    std::string run;
    std::uint64_t elements = 0;
    DomainViolation candidate, reference;
  };
  std::string program, tensor;
  std::vector<Check> checks;
  std::uint64_t expected = 0;
  std::optional<Death> death;
};

}  // namespace parity

#endif  // GTEST_PARITY_JUDGE_EVIDENCE_H_
