// How far the reference is from itself over the whole workload.
#ifndef GTEST_PARITY_JUDGE_REFERENCE_REPEATS_H_
#define GTEST_PARITY_JUDGE_REFERENCE_REPEATS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gtest_parity/judge/free_run_facts.h"

namespace parity {

class ReferenceRepeats {
 public:
  // A repeat that compared less than was expected says nothing about what it left out, so that it
  // makes the reference's repeatability unknown.
  ReferenceRepeats(const EndToEndEvidence& evidence, double kl_limit);

  // At least one repeat, and every one complete.
  bool Known() const { return known_; }
  // Rows, outputs and final states of every repeat, bit for bit.
  bool Bitwise() const;
  // KL within the limit and no flip, on this rank, in every repeat.
  bool Steady(int rank) const;
  // Every row of this rank and scenario, bit for bit, in every repeat.
  bool ScenarioIsExact(const BandKey& key) const;
  // The largest KL and the largest number of flips of this rank over the repeats.
  Band OfRank(int rank) const;
  // The largest distance of this decision's scores between the recording and a repeat on this rank,
  // over runs that no earlier choice of the scenario had led elsewhere; nothing: there were none.
  std::optional<double> ScoreDistance(int rank, const std::string& decision) const;
  // "worst KL 0.05 nats, 1 flip in 34 rows, over 2 repeats"
  std::string Text() const;

 private:
  bool known_ = false;
  double kl_limit_;
  std::vector<FreeRunFacts> repeats_;
  std::map<std::pair<int, std::string>, double> score_distances_;
};

}  // namespace parity

#endif  // GTEST_PARITY_JUDGE_REFERENCE_REPEATS_H_
