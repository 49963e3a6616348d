// What an engine description must hold to beyond its syntax.
#ifndef GTEST_PARITY_MANIFEST_CHECK_DESCRIPTION_H_
#define GTEST_PARITY_MANIFEST_CHECK_DESCRIPTION_H_

#include <cstdint>

#include "gtest_parity/manifest/description.h"
#include "gtest_parity/manifest/json_source.h"

namespace parity {

// Adds to `source`, which the description was read from, every violation of:
// - extents and slices are whole and in range for that number of ranks, paged states have
//   `page_count` pages, a decision's scores, peers and operands name what is declared;
// - views are such as can be carried out (check_views.h);
// - program names, and labels within a program, are unique;
// - an operand is named once per op, but for reading one part and writing another; constants are
//   written by `once` programs only, inputs by none;
// - within a program a workspace is written before it is read or updated. Inputs, constants,
// states,
//   carries, outputs, logits and decisions survive between runs and count as written, peers'
//   targets too; scratch and sync are the op's own business;
// - carries, outputs, logits and decisions are written by some program; everything declared is
// used.
void CheckDescription(const Description& description, std::uint32_t ranks, JsonSource* source);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_CHECK_DESCRIPTION_H_
