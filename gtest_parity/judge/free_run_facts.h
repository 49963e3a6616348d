// What one pass over the workload comes to, compared with the recording.
#ifndef GTEST_PARITY_JUDGE_FREE_RUN_FACTS_H_
#define GTEST_PARITY_JUDGE_FREE_RUN_FACTS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gtest_parity/judge/evidence.h"

namespace parity {

// One row of logits and where it stands.
struct PlacedRow {
  int rank = 0;
  std::string run, tensor;
  std::uint64_t row = 0;
  RowStats stats;
  // "b1/decode#3, rank 0, logits row 2: argmax 5 -> 7, margin 0.1, KL 0.02 nats, rank 2 in the
  // candidate"
  std::string Text() const;
};

struct Band {
  double kl = 0;            // largest, nats
  std::uint64_t flips = 0;  // rows whose argmax moved
  std::uint64_t rows = 0;
  bool identical = true;  // every row, bit for bit
};

// A rank and a scenario (the part of a run's name before '/').
using BandKey = std::pair<int, std::string>;

struct FreeRunFacts {
  std::uint64_t rows = 0;    // different rows that were compared
  std::uint64_t finals = 0;  // different outputs and states of which something was compared
  std::uint64_t decisions = 0;
  bool rows_identical = true, finals_identical = true, decisions_identical = true;
  // Rows, finals and decisions that are not comparable, and after what.
  std::uint64_t lost = 0;
  std::string lost_after;
  std::map<BandKey, Band> bands;
  std::optional<PlacedRow> worst_row;  // the largest KL
  std::vector<PlacedRow> wide_flips;   // argmax moved and KL above the limit, widest first
  std::vector<PlacedRow> ties;         // argmax moved, KL within the limit
  bool Identical() const { return rows_identical && finals_identical && decisions_identical; }
  // Over every scenario of one rank, and over all ranks.
  Band OfRank(int rank) const;
  Band Whole() const;
};

// A KL that is not a number counts as infinite.
FreeRunFacts FactsOf(const FreeRunEvidence& evidence, double kl_limit);

std::string ScenarioOf(const std::string& run);

}  // namespace parity

#endif  // GTEST_PARITY_JUDGE_FREE_RUN_FACTS_H_
