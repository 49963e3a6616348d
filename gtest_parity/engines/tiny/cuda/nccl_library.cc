#include "gtest_parity/engines/tiny/cuda/nccl_library.h"

#include <dlfcn.h>

#include <string>

#include "gtest_parity/engines/tiny/error.h"

namespace parity::tiny::cuda {
namespace {

NcclLibrary Open() {
  void* library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw EngineError(PARITY_UNSUPPORTED,
                      std::string("several ranks on GPUs need NCCL: ") + dlerror());
  }
  NcclLibrary nccl;
  const auto find = [library](const char* name, auto& function) {
    void* found = dlsym(library, name);
    if (found == nullptr) throw Failed(std::string("libnccl.so.2 has no ") + name);
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(found);
  };
  find("ncclGetUniqueId", nccl.unique_id);
  find("ncclCommInitRank", nccl.init_rank);
  find("ncclCommDestroy", nccl.destroy);
  find("ncclCommAbort", nccl.abort);
  find("ncclCommGetAsyncError", nccl.async_error);
  find("ncclAllReduce", nccl.all_reduce);
  find("ncclGetErrorString", nccl.error_string);
  return nccl;
}

}  // namespace

const NcclLibrary& Nccl() {
  static const NcclLibrary nccl = Open();
  return nccl;
}

void Check(ncclResult_t code, const char* call) {
  if (code == ncclSuccess || code == ncclInProgress) return;
  throw Failed(std::string(call) + ": " + Nccl().error_string(code));
}

}  // namespace parity::tiny::cuda
