// Which ops of two programs are the same, and which ops of theirs nothing corresponds to.
#ifndef GTEST_PARITY_MANIFEST_PROGRAM_MATCH_H_
#define GTEST_PARITY_MANIFEST_PROGRAM_MATCH_H_

#include <array>
#include <set>
#include <vector>

#include "gtest_parity/manifest/cut_spans.h"
#include "gtest_parity/manifest/data_flow.h"
#include "gtest_parity/manifest/implementation.h"

namespace parity {

using ImplementationPair = std::array<const Implementation*, 2>;

// Aligns by (op, operands); labels play no part. A pair is the same if its implementation is, and
// every constant that it reads is declared alike and not in `unlike` (indices of TensorPairs).
// Tells both flows which of their ops have a counterpart.
std::vector<OpMatch> MatchPrograms(const TensorPairs& pairs, const ImplementationPair& identities,
                                   const std::set<std::uint32_t>& unlike, DataFlow* reference,
                                   DataFlow* candidate);

// Constants that the sides' `once` programs do not produce by the same ops from the same constants:
// an op that is the same but reads one of them does not compute the same.
std::set<std::uint32_t> UnlikeConstants(const TensorPairs& pairs, const DescriptionPair& sides,
                                        const ImplementationPair& identities, bool* unchanged);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_PROGRAM_MATCH_H_
