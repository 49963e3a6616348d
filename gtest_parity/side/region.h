// Where a tensor lies, checked.
#ifndef GTEST_PARITY_SIDE_REGION_H_
#define GTEST_PARITY_SIDE_REGION_H_

#include "gtest_parity/device/device.h"
#include "gtest_parity/engine/rank.h"
#include "gtest_parity/side/script.h"

namespace parity {

// Throws EngineError where the engine does not know the tensor, or gives it another memory than
// `device` has, no address, or a part of an element.
parity_region RegionOf(Rank& rank, const Device& device, const TensorRef& tensor);

// The same for a region that came otherwise.
parity_region Checked(const parity_region& region, const Device& device, const TensorRef& tensor);

parity_kind KindOf(const TensorRef& tensor);

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_REGION_H_
