// Kernels that are no op by themselves.
#ifndef GTEST_PARITY_ENGINES_TINY_CUDA_KERNELS_H_
#define GTEST_PARITY_ENGINES_TINY_CUDA_KERNELS_H_

#include <cuda_runtime_api.h>

#include <cstdint>

namespace parity::tiny::cuda {

// bf16 [elements] as f32.
void Widen(const void* bf16, float* f32, std::uint64_t elements, cudaStream_t stream);

// A store to an address that no allocation has.
void LaunchStoreNowhere(cudaStream_t stream);

}  // namespace parity::tiny::cuda

#endif  // GTEST_PARITY_ENGINES_TINY_CUDA_KERNELS_H_
