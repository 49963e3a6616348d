// Two descriptions as they are compared: each tensor in a shape that both sides have.
#ifndef GTEST_PARITY_MANIFEST_SEE_THROUGH_VIEWS_H_
#define GTEST_PARITY_MANIFEST_SEE_THROUGH_VIEWS_H_

#include <cstdint>

#include "gtest_parity/manifest/description.h"

namespace parity {

// Replaces tensors by their views where that gives them a counterpart: what both sides declare
// alike stays as it is; else a tensor is seen through its views, all of them, if one of them is
// alike with a tensor of the other side or with a view there. Operands that named it, or slices or
// peers of it, name what of its views they touch. What views of the harness leave of a tensor stays
// behind as "<tensor>/rest". Of a tap-only engine no view is used. Descriptions that were seen
// through before come out the same.
void SeeThroughViews(Description* reference, Description* candidate, std::uint32_t ranks);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_SEE_THROUGH_VIEWS_H_
