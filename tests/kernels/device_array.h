// Bytes on the device, at an address with any remainder, for tests.
#ifndef GTEST_PARITY_TESTS_KERNELS_DEVICE_ARRAY_H_
#define GTEST_PARITY_TESTS_KERNELS_DEVICE_ARRAY_H_

#include <cuda_runtime_api.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/cuda/cuda_error.h"

namespace parity {

class DeviceArray {
 public:
  // Of no more bytes than it must have: what is read beyond them, memcheck sees.
  DeviceArray(const std::vector<unsigned char>& bytes, std::uint32_t remainder)
      : size_(bytes.size()), remainder_(remainder) {
    CheckCuda(cudaMalloc(&data_, size_ + remainder_), "cudaMalloc");
    CheckCuda(cudaMemset(data_, 0xa5, size_ + remainder_), "cudaMemset");
    if (size_ != 0) {
      CheckCuda(cudaMemcpy(data(), bytes.data(), size_, cudaMemcpyHostToDevice), "cudaMemcpy");
    }
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(DeviceArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(other.size_),
        remainder_(other.remainder_) {}
  DeviceArray& operator=(DeviceArray&&) = delete;

  void* data() const { return static_cast<unsigned char*>(data_) + remainder_; }
  // Of the device's stream 0.
  std::vector<unsigned char> Bytes() const {
    std::vector<unsigned char> bytes(size_);
    if (size_ != 0) {
      CheckCuda(cudaMemcpy(bytes.data(), data(), size_, cudaMemcpyDeviceToHost), "cudaMemcpy");
    }
    return bytes;
  }

 private:
  void* data_ = nullptr;
  std::uint64_t size_;
  std::uint32_t remainder_;
};

}  // namespace parity

#endif  // GTEST_PARITY_TESTS_KERNELS_DEVICE_ARRAY_H_
