// What CUDA, cuBLAS and NCCL say, as the engine's errors.
#ifndef GTEST_PARITY_ENGINES_TINY_CUDA_CHECK_H_
#define GTEST_PARITY_ENGINES_TINY_CUDA_CHECK_H_

#include <cublas_v2.h>
#include <cuda_runtime_api.h>

namespace parity::tiny::cuda {

// Throws EngineError: PARITY_DEVICE_LOST for what cannot be undone in this process,
// PARITY_OUT_OF_MEMORY, else PARITY_FAILED.
void Check(cudaError_t code, const char* call);
void Check(cublasStatus_t code, const char* call);
// After a launch.
void CheckLaunch(const char* kernel);

}  // namespace parity::tiny::cuda

#endif  // GTEST_PARITY_ENGINES_TINY_CUDA_CHECK_H_
