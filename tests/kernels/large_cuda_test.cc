// Arrays of more than 2^33 elements: what differs beyond 2^32 and at the very end.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "kernels/cuda/cuda_error.h"
#include "kernels/cuda/cuda_kernels.h"
#include "tests/kernels/reference.h"

namespace parity {
namespace {

constexpr std::uint64_t kBytes = (std::uint64_t{1} << 33) + (1 << 20) + 5;

class DeviceBytes {
 public:
  explicit DeviceBytes(std::uint8_t byte) {
    CheckCuda(cudaMalloc(&data_, kBytes), "cudaMalloc");
    CheckCuda(cudaMemset(data_, byte, kBytes), "cudaMemset");
  }
  ~DeviceBytes() { cudaFree(data_); }
  DeviceBytes(const DeviceBytes&) = delete;
  DeviceBytes& operator=(const DeviceBytes&) = delete;

  void* data() const { return data_; }
  void Set(std::uint64_t index, std::uint8_t byte) {
    CheckCuda(
        cudaMemcpy(static_cast<std::uint8_t*>(data_) + index, &byte, 1, cudaMemcpyHostToDevice),
        "cudaMemcpy");
  }

 private:
  void* data_ = nullptr;
};

// The bytes of all, of one element beyond 2^32 and of the last one on the candidate's side, and how
// many ulp they come to. Of e2m1, which lies two to a byte, the upper half changes.
struct Large {
  DType dtype;
  std::uint8_t all, middle, last;
  std::uint64_t middle_ulp, last_ulp;
};

class LargeCuda : public testing::TestWithParam<Large> {};

TEST_P(LargeCuda, FindsWhatDiffersBeyond32Bits) {
  std::size_t free_bytes = 0, all_bytes = 0;
  CheckCuda(cudaMemGetInfo(&free_bytes, &all_bytes), "cudaMemGetInfo");
  if (free_bytes < 2 * kBytes + (std::uint64_t{1} << 30)) {
    GTEST_SKIP() << "needs 18 GiB of the device's memory, " << (free_bytes >> 30) << " are free";
  }
  const Large& large = GetParam();
  const std::uint64_t in_byte = 8 / BitsOf(large.dtype), count = in_byte * kBytes;
  const std::uint64_t middle = (std::uint64_t{1} << 32) + 12345;
  DeviceBytes a(large.all), b(large.all);
  const std::vector<ElementsTask> tasks = {{large.dtype, a.data(), b.data(), count, 0}};
  CudaKernels kernels(nullptr);
  EXPECT_EQ(kernels.CompareElements(tasks)[0].different, 0u);
  b.Set(middle, large.middle);
  b.Set(kBytes - 1, large.last);
  const ElementStats stats = kernels.CompareElements(tasks)[0];
  EXPECT_EQ(stats.compared, count);
  EXPECT_EQ(stats.different, 2u);
  EXPECT_EQ(stats.first_index, in_byte * middle + in_byte - 1);
  EXPECT_EQ(stats.worst_index, count - 1);
  EXPECT_EQ(stats.max_ulp, large.last_ulp);
  EXPECT_EQ(stats.ulp_histogram[0], count - 2);
  EXPECT_EQ(stats.ulp_histogram[1], large.middle_ulp);
  // From beyond 2^32 on.
  const std::uint64_t first = in_byte * middle - 1;
  const std::vector<ElementsTask> rest = {{large.dtype, a.data(), b.data(), count - first, first}};
  const ElementStats upper = kernels.CompareElements(rest)[0];
  EXPECT_EQ(upper.different, 2u);
  EXPECT_EQ(upper.first_index, in_byte);
  EXPECT_EQ(upper.worst_index, count - first - 1);
}

INSTANTIATE_TEST_SUITE_P(DTypes, LargeCuda,
                         testing::Values(Large{DType::kE4M3, 0x38, 0x39, 0x3c, 1, 4},
                                         Large{DType::kE8M0, 0x7f, 0x80, 0x84, 1, 5},
                                         Large{DType::kU8, 10, 11, 20, 1, 10},
                                         Large{DType::kE2M1, 0x22, 0x32, 0x52, 1, 3}),
                         [](const auto& test) { return TestNameOf(test.param.dtype); });

}  // namespace
}  // namespace parity
