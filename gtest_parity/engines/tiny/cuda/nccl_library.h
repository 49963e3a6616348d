// NCCL, found when ranks need it: one rank runs without.
#ifndef GTEST_PARITY_ENGINES_TINY_CUDA_NCCL_LIBRARY_H_
#define GTEST_PARITY_ENGINES_TINY_CUDA_NCCL_LIBRARY_H_

#include <nccl.h>

namespace parity::tiny::cuda {

struct NcclLibrary {
  decltype(&ncclGetUniqueId) unique_id = nullptr;
  decltype(&ncclCommInitRank) init_rank = nullptr;
  decltype(&ncclCommDestroy) destroy = nullptr;
  decltype(&ncclCommAbort) abort = nullptr;
  decltype(&ncclCommGetAsyncError) async_error = nullptr;
  decltype(&ncclAllReduce) all_reduce = nullptr;
  decltype(&ncclGetErrorString) error_string = nullptr;
};

// Throws EngineError, PARITY_UNSUPPORTED, where libnccl.so.2 is not found.
const NcclLibrary& Nccl();

// Throws EngineError.
void Check(ncclResult_t code, const char* call);

}  // namespace parity::tiny::cuda

#endif  // GTEST_PARITY_ENGINES_TINY_CUDA_NCCL_LIBRARY_H_
