#include "gtest_parity/device/cuda/cuda_failure.h"

#include <cuda_runtime_api.h>

#include <cstdio>

namespace parity {
namespace {

std::string Mebibytes(std::uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g MiB", static_cast<double>(bytes) / (1 << 20));
  return text;
}

}  // namespace

DeviceError FailureOf(const std::string& uuid, const CudaError& error) {
  DeviceError::Kind kind = DeviceError::Kind::kFailed;
  if (error.code() == cudaErrorMemoryAllocation) kind = DeviceError::Kind::kOutOfMemory;
  if (error.sticky()) kind = DeviceError::Kind::kLost;
  return {kind, uuid + ": " + error.what()};
}

DeviceError OutOfMemory(const std::string& uuid, std::uint64_t bytes) {
  std::size_t free = 0, total = 0;
  cudaMemGetInfo(&free, &total);
  return {DeviceError::Kind::kOutOfMemory, uuid + ": out of memory: " + Mebibytes(bytes) +
                                               " needed, " + Mebibytes(free) + " of " +
                                               Mebibytes(total) + " free"};
}

}  // namespace parity
