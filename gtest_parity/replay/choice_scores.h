// What the choices of one decision are judged by in one run.
#ifndef GTEST_PARITY_REPLAY_CHOICE_SCORES_H_
#define GTEST_PARITY_REPLAY_CHOICE_SCORES_H_

#include <cstdint>
#include <string>

#include "gtest_parity/manifest/description.h"
#include "gtest_parity/side/script.h"

namespace parity {

struct ChoiceScores {
  TensorRef tensor;  // of the reference; without a name: none
  std::uint32_t columns = 0;
  std::string unscored;  // why there are none; empty: there are
};

// The scores that the reference declares for `decision`, one row of them for one or more choices,
// unless `unscored` says already why there are none.
ChoiceScores ScoresOf(const Description& reference, const std::string& decision,
                      const std::string& unscored, const Vars& vars);

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_CHOICE_SCORES_H_
