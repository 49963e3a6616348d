// Why CUDA finds nothing to run on.
#ifndef GTEST_PARITY_DEVICE_CUDA_WHY_NO_GPUS_H_
#define GTEST_PARITY_DEVICE_CUDA_WHY_NO_GPUS_H_

#include <string>

namespace parity {

// `code`: the cudaError_t of cudaGetDeviceCount. `driver`, `runtime`: CUDA versions, 1000 x major +
// 10 x minor, of the driver (0: there is none) and of this build. `visible_devices`:
// CUDA_VISIBLE_DEVICES, NULL: not set.
std::string WhyNoGpus(int code, int driver, int runtime, const char* visible_devices);

}  // namespace parity

#endif  // GTEST_PARITY_DEVICE_CUDA_WHY_NO_GPUS_H_
