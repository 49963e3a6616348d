#include "kernels/cuda/cuda_error.h"

#include <cuda_runtime_api.h>

namespace parity {

CudaError::CudaError(const std::string& call, int code)
    : std::runtime_error(call + ": " + cudaGetErrorString(static_cast<cudaError_t>(code)) + " (" +
                         cudaGetErrorName(static_cast<cudaError_t>(code)) + ")"),
      code_(code) {}

bool CudaError::sticky() const {
  switch (static_cast<cudaError_t>(code_)) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorTensorMemoryLeak:
      return true;
    default:
      return false;
  }
}

void CheckCuda(int code, const char* call) {
  if (code == cudaSuccess) return;
  cudaGetLastError();  // or the next launch is blamed for it
  throw CudaError(call, code);
}

void CheckLaunch(const char* kernel) { CheckCuda(cudaGetLastError(), kernel); }

}  // namespace parity
