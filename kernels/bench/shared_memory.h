// Device memory as one process lends it to another, in the way that a recording is kept
// (gtest_parity/device/cuda).
#ifndef GTEST_PARITY_KERNELS_BENCH_SHARED_MEMORY_H_
#define GTEST_PARITY_KERNELS_BENCH_SHARED_MEMORY_H_

#include <cuda.h>

#include <cstdint>

namespace parity {

// Exported as a file descriptor, imported from it and mapped to be written.
class SharedMemory {
 public:
  // Throws std::runtime_error, where the driver cannot export memory for one.
  explicit SharedMemory(std::uint64_t bytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver's addresses are numbers
  void* data() const { return reinterpret_cast<void*>(at_); }

 private:
  CUmemGenericAllocationHandle kept_ = 0, imported_ = 0;
  CUdeviceptr at_ = 0;
  std::uint64_t bytes_;
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_BENCH_SHARED_MEMORY_H_
