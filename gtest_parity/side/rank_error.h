// Ranks whose engine said that a call failed, and which of them are to blame.
#ifndef GTEST_PARITY_SIDE_RANK_ERROR_H_
#define GTEST_PARITY_SIDE_RANK_ERROR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "gtest_parity/engine/engine.h"
#include "gtest_parity/engine/meeting.h"

namespace parity {

// An engine call of one rank that did not return PARITY_OK.
struct RankError {
  std::uint32_t rank = 0;
  parity_status status = PARITY_FAILED;
  std::string words;
  std::uint32_t instruction = 0;  // 1 + index in the script, 0: while it was created
  std::uint64_t op = 0;           // the engine's progress word
};

// Of the errors of all ranks, in every process of a side: ranks that were only cancelled are not to
// blame, unless nobody else is. Where the ranks disagreed in a collective, it is those who differ,
// whatever they returned.
std::vector<RankError> OnlyToBlame(std::vector<RankError> errors, const Meeting& meeting);

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_RANK_ERROR_H_
