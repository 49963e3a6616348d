#include "kernels/bench/shared_memory.h"

#include <cuda_runtime_api.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>
#include <string>

#include "kernels/cuda/cuda_error.h"

namespace parity {
namespace {

// Calls the driver's function of this name, which links no driver.
template <auto* kFunction, typename... Arguments>
void Call(const char* name, Arguments... arguments) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  CheckCuda(cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &result),
            name);
  const CUresult code = reinterpret_cast<decltype(kFunction)>(found)(arguments...);
  if (code == CUDA_SUCCESS) return;
  throw std::runtime_error(std::string(name) + ": error " + std::to_string(code));
}

}  // namespace

SharedMemory::SharedMemory(std::uint64_t bytes) {
  int device = 0;
  CheckCuda(cudaGetDevice(&device), "cudaGetDevice");
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  std::size_t unit = 0;
  Call<&cuMemGetAllocationGranularity>("cuMemGetAllocationGranularity", &unit, &properties,
                                       CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  bytes_ = (bytes + unit - 1) / unit * unit;
  int fd = -1;
  Call<&cuMemCreate>("cuMemCreate", &kept_, bytes_, &properties, 0ull);
  Call<&cuMemExportToShareableHandle>("cuMemExportToShareableHandle", &fd, kept_,
                                      CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0ull);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): how a descriptor is passed
  void* const handle = reinterpret_cast<void*>(static_cast<std::uintptr_t>(fd));
  Call<&cuMemImportFromShareableHandle>("cuMemImportFromShareableHandle", &imported_, handle,
                                        CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  close(fd);
  Call<&cuMemAddressReserve>("cuMemAddressReserve", &at_, bytes_, std::size_t{0}, CUdeviceptr{0},
                             0ull);
  Call<&cuMemMap>("cuMemMap", at_, bytes_, std::size_t{0}, imported_, 0ull);
  CUmemAccessDesc access{};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  Call<&cuMemSetAccess>("cuMemSetAccess", at_, bytes_, &access, std::size_t{1});
}

SharedMemory::~SharedMemory() {
  try {
    Call<&cuMemUnmap>("cuMemUnmap", at_, bytes_);
    Call<&cuMemAddressFree>("cuMemAddressFree", at_, bytes_);
    Call<&cuMemRelease>("cuMemRelease", imported_);
    Call<&cuMemRelease>("cuMemRelease", kept_);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "shared memory is not given back: %s\n", error.what());
  }
}

}  // namespace parity
