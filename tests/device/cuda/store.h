// A kernel that stores one byte.
#ifndef GTEST_PARITY_TESTS_DEVICE_CUDA_STORE_H_
#define GTEST_PARITY_TESTS_DEVICE_CUDA_STORE_H_

#include <cstdint>

namespace parity {

// On the current device. Returns the cudaError_t of launch and wait.
int StoreByte(std::uint8_t* to, std::uint8_t value);

}  // namespace parity

#endif  // GTEST_PARITY_TESTS_DEVICE_CUDA_STORE_H_
