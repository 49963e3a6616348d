#include "gtest_parity/engines/tiny/cuda/check.h"

#include <string>

#include "gtest_parity/engines/tiny/error.h"

namespace parity::tiny::cuda {

void Check(cudaError_t code, const char* call) {
  if (code == cudaSuccess) return;
  cudaGetLastError();
  // What cannot be undone is said again, by every call.
  const bool lost = cudaDeviceSynchronize() == code;
  cudaGetLastError();
  parity_status status = lost ? PARITY_DEVICE_LOST : PARITY_FAILED;
  if (code == cudaErrorMemoryAllocation) status = PARITY_OUT_OF_MEMORY;
  throw EngineError(status, std::string(call) + ": " + cudaGetErrorString(code) + " (" +
                                cudaGetErrorName(code) + ")");
}

void Check(cublasStatus_t code, const char* call) {
  if (code == CUBLAS_STATUS_SUCCESS) return;
  throw EngineError(code == CUBLAS_STATUS_ALLOC_FAILED ? PARITY_OUT_OF_MEMORY : PARITY_FAILED,
                    std::string(call) + ": " + cublasGetStatusString(code));
}

void CheckLaunch(const char* kernel) { Check(cudaGetLastError(), kernel); }

}  // namespace parity::tiny::cuda
