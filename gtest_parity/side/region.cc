#include "gtest_parity/side/region.h"

#include <string>

#include "gtest_parity/engine/error.h"

namespace parity {

parity_kind KindOf(const TensorRef& tensor) {
  return tensor.kind == Kind::kState ? PARITY_STATE : PARITY_BUFFER;
}

namespace {

// Words on memory that is of another kind than the device's.
std::string OtherMemory(const parity_region& region, const Device& device) {
  if (device.ordinal() < 0) {
    if (region.memory == PARITY_MEMORY_HOST) return "";
    return "lies in memory kind " + std::to_string(region.memory) + ", expected host memory";
  }
  if (region.memory == PARITY_MEMORY_CUDA_PINNED) return "";
  if (region.memory == PARITY_MEMORY_CUDA && region.device == device.ordinal()) return "";
  return "lies in memory kind " + std::to_string(region.memory) + " of device " +
         std::to_string(region.device) + ", expected CUDA memory of device " +
         std::to_string(device.ordinal()) + " (" + device.Name() + ")";
}

}  // namespace

parity_region RegionOf(Rank& rank, const Device& device, const TensorRef& tensor) {
  return Checked(rank.Region(KindOf(tensor), tensor.name), device, tensor);
}

parity_region Checked(const parity_region& region, const Device& device, const TensorRef& tensor) {
  const auto fail = [&](const std::string& words) {
    throw EngineError(PARITY_FAILED, tensor.name + ": " + words);
  };
  if (const std::string words = OtherMemory(region, device); !words.empty()) fail(words);
  if (BytesOf(tensor.dtype, ElementsIn(tensor.dtype, region.live_bytes)) != region.live_bytes) {
    fail(std::to_string(region.live_bytes) + " bytes are live, expected whole elements of " +
         std::to_string(BytesOf(tensor.dtype, 1)) + " bytes");
  }
  if (region.data == nullptr && region.live_bytes != 0) fail("has no address");
  const std::string elsewhere = device.WhyNotHere(region.data, region.live_bytes);
  if (!elsewhere.empty()) fail(elsewhere);
  return region;
}

}  // namespace parity
