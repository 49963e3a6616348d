// What a free run must never produce, wherever the logits stand.
#ifndef GTEST_PARITY_JUDGE_FREE_RUN_DAMAGE_H_
#define GTEST_PARITY_JUDGE_FREE_RUN_DAMAGE_H_

#include <string>
#include <vector>

#include "gtest_parity/judge/evidence.h"

namespace parity {

// A line for each output outside its domain and each NaN or infinity that only the candidate has.
struct FreeRunDamage {
  std::vector<std::string> alone;
  std::vector<std::string> shared;  // domain violations that every repeat of the reference has too
};

// Of the run as served and of that with forced decisions.
FreeRunDamage DamageOf(const EndToEndEvidence& evidence);

// "decode, b1, rank 0, state kv"
std::string PlaceOf(const std::string& program, const FinalComparison& final);

}  // namespace parity

#endif  // GTEST_PARITY_JUDGE_FREE_RUN_DAMAGE_H_
