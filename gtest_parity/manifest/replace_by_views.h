// One tensor of a description, seen through all its views.
#ifndef GTEST_PARITY_MANIFEST_REPLACE_BY_VIEWS_H_
#define GTEST_PARITY_MANIFEST_REPLACE_BY_VIEWS_H_

#include <cstdint>
#include <string>

#include "gtest_parity/manifest/description.h"

namespace parity {

// Puts the views of tensor `name`, and what they leave of it, in its place, among the tensors and
// in every operand. A write of a slice is one of the views that lie in it whole, and updates those
// that it touches in part.
void ReplaceByViews(const std::string& name, std::uint32_t ranks, Description* description);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_REPLACE_BY_VIEWS_H_
