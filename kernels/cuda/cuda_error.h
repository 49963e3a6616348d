// A CUDA call that failed.
#ifndef GTEST_PARITY_KERNELS_CUDA_CUDA_ERROR_H_
#define GTEST_PARITY_KERNELS_CUDA_CUDA_ERROR_H_

#include <stdexcept>
#include <string>

namespace parity {

// "cudaMemcpyAsync: an illegal memory access was encountered (cudaErrorIllegalAddress)".
class CudaError : public std::runtime_error {
 public:
  // `code` is a cudaError_t.
  CudaError(const std::string& call, int code);
  int code() const { return code_; }
  // Whether every later call of this process on the device fails too: the context is gone.
  bool sticky() const;

 private:
  int code_;
};

// Throws CudaError unless `code`, a cudaError_t, is cudaSuccess.
void CheckCuda(int code, const char* call);
// After a launch: what was wrong with its configuration.
void CheckLaunch(const char* kernel);

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_CUDA_ERROR_H_
