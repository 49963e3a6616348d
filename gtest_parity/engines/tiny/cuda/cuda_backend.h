// A rank on a GPU: its stream, cuBLAS, scratch memory and communicator.
#ifndef GTEST_PARITY_ENGINES_TINY_CUDA_CUDA_BACKEND_H_
#define GTEST_PARITY_ENGINES_TINY_CUDA_CUDA_BACKEND_H_

#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gtest_parity/engines/tiny/backend.h"
#include "gtest_parity/engines/tiny/cuda/nccl_library.h"
#include "gtest_parity/engines/tiny/spec.h"

namespace parity::tiny::cuda {

class CudaBackend final : public Backend {
 public:
  CudaBackend(const parity_create_args& args, const EngineSpec& spec);
  ~CudaBackend() override;

  parity_memory memory() const override { return PARITY_MEMORY_CUDA; }
  std::int32_t device() const override { return device_; }
  void* stream() const override { return stream_; }
  std::byte* Allocate(std::uint64_t bytes) override;
  void Free(std::byte* data) noexcept override;
  void Zero(std::byte* data, std::uint64_t bytes) override;
  void Copy(void* to, const void* from, std::uint64_t bytes) override;
  void Write(void* to, const void* host, std::uint64_t bytes) override;
  void Synchronize() override;
  void Cancel() override { cancelled_ = true; }
  void RunCaptured(const std::string& key, const std::function<void()>& ops) override;
  void StoreNowhere() override;

  cudaStream_t cuda_stream() const { return stream_; }
  // f32 values for one op: the largest weight widened, and `kScratchRows` rows beside it.
  float* widened() const { return widened_; }
  float* rows(int which) const { return rows_ + which * row_floats_; }
  static constexpr int kScratchRows = 3;

  // y [rows, outputs] = x [rows, width] weight [outputs, width]^T, products in f32.
  void Multiply(const Operand& x, const Operand& weight, const Operand& y);
  // partial += those of the other ranks; f32.
  void AllReduce(float* partial, std::uint64_t elements);

 private:
  void MakeScratch(const EngineSpec& spec);

  std::int32_t device_;
  cudaStream_t stream_ = nullptr;
  cublasHandle_t blas_ = nullptr;
  ncclComm_t communicator_ = nullptr;  // of several ranks
  void* blas_workspace_ = nullptr;
  float *widened_ = nullptr, *rows_ = nullptr;
  std::uint64_t row_floats_ = 0;
  std::map<std::string, cudaGraphExec_t> graphs_;
  std::atomic<bool> cancelled_{false};
};

std::unique_ptr<Backend> MakeCudaBackend(const parity_create_args& args, const EngineSpec& spec);
// An ncclUniqueId.
std::vector<std::byte> NcclRendezvous();

// Of the rank whose op this is.
inline CudaBackend& On(const OpArgs& args) { return *static_cast<CudaBackend*>(args.backend); }

}  // namespace parity::tiny::cuda

#endif  // GTEST_PARITY_ENGINES_TINY_CUDA_CUDA_BACKEND_H_
