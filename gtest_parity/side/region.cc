#include "gtest_parity/side/region.h"

#include <string>

#include "gtest_parity/engine/error.h"

namespace parity {

parity_kind KindOf(const TensorRef& tensor) {
  return tensor.kind == Kind::kState ? PARITY_STATE : PARITY_BUFFER;
}

parity_region RegionOf(Rank& rank, const TensorRef& tensor) {
  return Checked(rank.Region(KindOf(tensor), tensor.name), tensor);
}

parity_region Checked(const parity_region& region, const TensorRef& tensor) {
  const auto fail = [&](const std::string& words) {
    throw EngineError(PARITY_FAILED, tensor.name + ": " + words);
  };
  if (region.memory != PARITY_MEMORY_HOST) {
    fail("lies in memory kind " + std::to_string(region.memory) + ", expected host memory");
  }
  if (BytesOf(tensor.dtype, ElementsIn(tensor.dtype, region.live_bytes)) != region.live_bytes) {
    fail(std::to_string(region.live_bytes) + " bytes are live, expected whole elements of " +
         std::to_string(BytesOf(tensor.dtype, 1)) + " bytes");
  }
  if (region.data == nullptr && region.live_bytes != 0) fail("has no address");
  return region;
}

}  // namespace parity
