// What CUDA says, as a device's error.
#ifndef GTEST_PARITY_DEVICE_CUDA_CUDA_FAILURE_H_
#define GTEST_PARITY_DEVICE_CUDA_CUDA_FAILURE_H_

#include <cstdint>
#include <string>

#include "gtest_parity/device/device.h"
#include "kernels/cuda/cuda_error.h"

namespace parity {

DeviceError FailureOf(const std::string& uuid, const CudaError& error);

// `bytes` were asked for; says what was free on the current device.
DeviceError OutOfMemory(const std::string& uuid, std::uint64_t bytes);

}  // namespace parity

#endif  // GTEST_PARITY_DEVICE_CUDA_CUDA_FAILURE_H_
