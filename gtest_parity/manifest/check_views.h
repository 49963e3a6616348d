// What the views of a description must hold to.
#ifndef GTEST_PARITY_MANIFEST_CHECK_VIEWS_H_
#define GTEST_PARITY_MANIFEST_CHECK_VIEWS_H_

#include <cstdint>

#include "gtest_parity/manifest/description.h"
#include "gtest_parity/manifest/json_source.h"

namespace parity {

// Adds every violation of:
// - a view is called as nothing else is but, if it likes, the tensor that it is taken of;
// - constants, scratch and sync have none: they are never restored or compared;
// - its dtype and the tensor's convert without loss in one direction;
// - what the harness carries out has as many elements as its part of the tensor, at every step; its
//   slice does not move with the step, `transpose` names each axis once, and the tensor is not
//   paged (where a page lies is the engine's affair) or packed two elements to a byte;
// - what the engine carries out says nothing of how;
// - views of one tensor do not overlap, and are all the harness's or all the engine's.
void CheckViews(const Description& description, std::uint32_t ranks, JsonSource* source);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_CHECK_VIEWS_H_
