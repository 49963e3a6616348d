// Which rank a call's end is laid at, from what is known of each.
#ifndef GTEST_PARITY_SIDE_BLAME_H_
#define GTEST_PARITY_SIDE_BLAME_H_

#include <cstdint>
#include <string>
#include <vector>

#include "gtest_parity/judge/death.h"
#include "gtest_parity/manifest/description.h"
#include "gtest_parity/side/progress.h"
#include "gtest_parity/side/rank_error.h"
#include "gtest_parity/side/script.h"

namespace parity {

// Of `ranks`: the one that died first and left word; else those that were busy with something else
// than waiting for others; else those that waited; else the only one.
std::vector<int> Suspects(const RankProgress* progress, const std::vector<int>& ranks);

// A call without an answer. `scripts`: what each rank of the side was asked; empty: to load.
Death DeathOf(Death::Cause cause, std::string what, const Description& description,
              const std::vector<Script>& scripts, const std::vector<int>& suspects,
              const RankProgress* progress);

// Engines that said why: `errors` is not empty, and the first is the one that is told.
Death DeathOf(const std::vector<RankError>& errors, const Description& description,
              const std::vector<Script>& scripts);

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_BLAME_H_
