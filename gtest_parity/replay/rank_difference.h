// Where ranks differ in a buffer that all should hold alike.
#ifndef GTEST_PARITY_REPLAY_RANK_DIFFERENCE_H_
#define GTEST_PARITY_REPLAY_RANK_DIFFERENCE_H_

#include <string>

#include "gtest_parity/judge/evidence.h"
#include "gtest_parity/replay/replayer.h"
#include "gtest_parity/side/side.h"

namespace parity {

// Serves the scenario of `workload.runs[run]` once more, up to that run's end, fetches `tensor`
// from every rank and compares rank 0's with that of `rank`. Throws SideFailure.
RankDifference LocateRankDifference(const ReplayContext& context, std::size_t run,
                                    const std::string& tensor, std::size_t rank, Side& side);

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_RANK_DIFFERENCE_H_
