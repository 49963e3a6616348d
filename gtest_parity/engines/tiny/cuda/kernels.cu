#include "gtest_parity/engines/tiny/cuda/check.h"
#include "gtest_parity/engines/tiny/cuda/kernels.h"
#include "gtest_parity/engines/tiny/cuda/stored.cuh"

namespace parity::tiny::cuda {
namespace {

__global__ void WidenKernel(const void* bf16, float* f32, std::uint64_t elements) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x; i < elements;
       i += std::uint64_t{gridDim.x} * blockDim.x) {
    f32[i] = Stored{const_cast<void*>(bf16), true}.Load(i);
  }
}

__global__ void StoreNowhereKernel(int* where) { *where = 1; }

}  // namespace

void Widen(const void* bf16, float* f32, std::uint64_t elements, cudaStream_t stream) {
  WidenKernel<<<132, 256, 0, stream>>>(bf16, f32, elements);
  CheckLaunch("Widen");
}

void LaunchStoreNowhere(cudaStream_t stream) {
  StoreNowhereKernel<<<1, 1, 0, stream>>>(reinterpret_cast<int*>(std::uintptr_t{1} << 20));
  CheckLaunch("StoreNowhere");
}

}  // namespace parity::tiny::cuda
