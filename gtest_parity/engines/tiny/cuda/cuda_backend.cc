#include "gtest_parity/engines/tiny/cuda/cuda_backend.h"

#include <algorithm>
#include <cstring>

#include "gtest_parity/engines/tiny/cuda/check.h"
#include "gtest_parity/engines/tiny/cuda/kernels.h"
#include "gtest_parity/engines/tiny/error.h"

namespace parity::tiny::cuda {
namespace {

constexpr std::size_t kBlasWorkspaceBytes = std::size_t{32} << 20;

void* Malloc(std::uint64_t bytes) {
  void* data = nullptr;
  Check(cudaMalloc(&data, std::max<std::uint64_t>(bytes, 1)), "cudaMalloc");
  return data;
}

}  // namespace

CudaBackend::CudaBackend(const parity_create_args& args, const EngineSpec& spec)
    : device_(args.device) {
  if (device_ < 0) throw Invalid("args.device is -1, expected a GPU");
  Check(cudaSetDevice(device_), "cudaSetDevice");
  Check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
  Check(cublasCreate(&blas_), "cublasCreate");
  Check(cublasSetStream(blas_, stream_), "cublasSetStream");
  // Its own choice of workspace would depend on what ran before.
  blas_workspace_ = Malloc(kBlasWorkspaceBytes);
  Check(cublasSetWorkspace(blas_, blas_workspace_, kBlasWorkspaceBytes), "cublasSetWorkspace");
  MakeScratch(spec);
  if (args.rank_count == 1) return;
  ncclUniqueId id;
  if (args.rendezvous_bytes != sizeof(id)) {
    throw Invalid("the rendezvous has " + std::to_string(args.rendezvous_bytes) +
                  " bytes, expected " + std::to_string(sizeof(id)));
  }
  std::memcpy(&id, args.rendezvous, sizeof(id));
  Check(Nccl().init_rank(&communicator_, static_cast<int>(args.rank_count), id,
                         static_cast<int>(args.rank)),
        "ncclCommInitRank");
}

void CudaBackend::MakeScratch(const EngineSpec& spec) {
  std::uint64_t largest = 0;
  for (const TensorSpec& tensor : spec.buffers) {
    if (tensor.role != "constant") continue;
    std::uint64_t elements = 1;
    for (const std::uint64_t extent : Evaluate(tensor.shape, Extents{})) elements *= extent;
    largest = std::max(largest, elements);
  }
  row_floats_ = kMaxRows * std::max(spec.model.intermediate, spec.model.QueryWidth());
  widened_ = static_cast<float*>(Malloc(largest * sizeof(float)));
  rows_ = static_cast<float*>(Malloc(kScratchRows * row_floats_ * sizeof(float)));
}

CudaBackend::~CudaBackend() {
  cudaSetDevice(device_);
  for (const auto& [key, graph] : graphs_) cudaGraphExecDestroy(graph);
  if (communicator_ != nullptr) Nccl().abort(communicator_);
  cublasDestroy(blas_);
  for (void* data : {blas_workspace_, static_cast<void*>(widened_), static_cast<void*>(rows_)}) {
    cudaFree(data);
  }
  cudaStreamDestroy(stream_);
}

std::byte* CudaBackend::Allocate(std::uint64_t bytes) {
  auto* data = static_cast<std::byte*>(Malloc(bytes));
  Zero(data, bytes);
  return data;
}

void CudaBackend::Free(std::byte* data) noexcept { cudaFree(data); }

void CudaBackend::Zero(std::byte* data, std::uint64_t bytes) {
  Check(cudaMemsetAsync(data, 0, bytes, stream_), "cudaMemsetAsync");
}

void CudaBackend::Copy(void* to, const void* from, std::uint64_t bytes) {
  Check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_), "cudaMemcpyAsync");
}

void CudaBackend::Write(void* to, const void* host, std::uint64_t bytes) {
  Check(cudaMemcpyAsync(to, host, bytes, cudaMemcpyHostToDevice, stream_), "cudaMemcpyAsync");
  Check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
}

// With others the wait is one that can be ended: a rank that died never comes to the collective.
void CudaBackend::Synchronize() {
  if (communicator_ == nullptr) {
    Check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    return;
  }
  for (;;) {
    const cudaError_t state = cudaStreamQuery(stream_);
    if (state != cudaErrorNotReady) {
      Check(state, "cudaStreamQuery");
      return;
    }
    ncclResult_t error = ncclSuccess;
    Check(Nccl().async_error(communicator_, &error), "ncclCommGetAsyncError");
    Check(error, "ncclAllReduce");
    if (!cancelled_.exchange(false)) continue;
    Check(Nccl().abort(communicator_), "ncclCommAbort");
    communicator_ = nullptr;
    throw EngineError(PARITY_CANCELLED, "cancelled in a collective: its communicator is gone");
  }
}

void CudaBackend::RunCaptured(const std::string& key, const std::function<void()>& ops) {
  cudaGraphExec_t& graph = graphs_[key];
  if (graph == nullptr) {
    cudaGraph_t captured = nullptr;
    Check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed), "cudaStreamBeginCapture");
    try {
      ops();
    } catch (...) {
      cudaStreamEndCapture(stream_, &captured);
      if (captured != nullptr) cudaGraphDestroy(captured);
      throw;
    }
    Check(cudaStreamEndCapture(stream_, &captured), "cudaStreamEndCapture");
    const cudaError_t made = cudaGraphInstantiate(&graph, captured, 0);
    cudaGraphDestroy(captured);
    Check(made, "cudaGraphInstantiate");
  }
  Check(cudaGraphLaunch(graph, stream_), "cudaGraphLaunch");
}

void CudaBackend::StoreNowhere() { LaunchStoreNowhere(stream_); }

void CudaBackend::Multiply(const Operand& x, const Operand& weight, const Operand& y) {
  const auto width = static_cast<int>(weight.dims[1]), outputs = static_cast<int>(weight.dims[0]);
  const auto rows = static_cast<int>(x.Elements() / weight.dims[1]);
  const void* w = weight.data;
  cudaDataType_t type = CUDA_R_16BF;
  if (x.dtype == PARITY_F32) {
    Widen(weight.data, widened_, weight.Elements(), stream_);
    w = widened_;
    type = CUDA_R_32F;
  }
  const float one = 1, zero = 0;
  // Row-major matrices are transposed column-major ones.
  Check(cublasGemmEx(blas_, CUBLAS_OP_T, CUBLAS_OP_N, outputs, rows, width, &one, w, type, width,
                     x.data, type, width, &zero, y.data,
                     y.dtype == PARITY_F32 ? CUDA_R_32F : CUDA_R_16BF, outputs, CUBLAS_COMPUTE_32F,
                     CUBLAS_GEMM_DEFAULT),
        "cublasGemmEx");
}

void CudaBackend::AllReduce(float* partial, std::uint64_t elements) {
  if (communicator_ == nullptr) return;
  Check(Nccl().all_reduce(partial, partial, elements, ncclFloat32, ncclSum, communicator_, stream_),
        "ncclAllReduce");
}

std::unique_ptr<Backend> MakeCudaBackend(const parity_create_args& args, const EngineSpec& spec) {
  return std::make_unique<CudaBackend>(args, spec);
}

std::vector<std::byte> NcclRendezvous() {
  ncclUniqueId id{};
  Check(Nccl().unique_id(&id), "ncclGetUniqueId");
  const auto* bytes = reinterpret_cast<const std::byte*>(&id);
  return {bytes, bytes + sizeof(id)};
}

}  // namespace parity::tiny::cuda
