// Where there is no device to test on, says why and exits with 77, which CTest takes for skipped.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdio>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();
  int devices = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  if (error != cudaSuccess || devices == 0) {
    std::printf("skipped: no CUDA device: %s\n",
                error != cudaSuccess ? cudaGetErrorString(error) : "the driver lists none");
    return 77;
  }
  return RUN_ALL_TESTS();
}
