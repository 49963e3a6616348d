#include "gtest_parity/device/cuda/driver_calls.h"

#include <cuda_runtime_api.h>

#include "gtest_parity/device/device.h"

namespace parity {
namespace {

template <typename Function>
void Find(const char* name, Function* function) {
  constexpr unsigned kVersion = 12000;  // of CUDA, whose form of each call this file is written for
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  const cudaError_t code =
      cudaGetDriverEntryPointByVersion(name, &found, kVersion, cudaEnableDefault, &result);
  if (code != cudaSuccess || result != cudaDriverEntryPointSuccess) {
    throw DeviceError(DeviceError::Kind::kFailed,
                      std::string("the NVIDIA driver has no ") + name + ", which CUDA 12 brings");
  }
  *function = reinterpret_cast<Function>(found);
}

DriverCalls FindAll() {
  DriverCalls calls;
  Find("cuMemGetAllocationGranularity", &calls.granularity);
  Find("cuMemCreate", &calls.create);
  Find("cuMemRelease", &calls.release);
  Find("cuMemExportToShareableHandle", &calls.export_handle);
  Find("cuMemImportFromShareableHandle", &calls.import_handle);
  Find("cuMemAddressReserve", &calls.reserve);
  Find("cuMemAddressFree", &calls.free);
  Find("cuMemMap", &calls.map);
  Find("cuMemUnmap", &calls.unmap);
  Find("cuMemSetAccess", &calls.set_access);
  Find("cuDeviceGetAttribute", &calls.attribute);
  Find("cuGetErrorString", &calls.error_string);
  return calls;
}

}  // namespace

const DriverCalls& Driver() {
  static const DriverCalls calls = FindAll();
  return calls;
}

void CheckDriver(CUresult result, const std::string& gpu, const char* call) {
  if (result == CUDA_SUCCESS) return;
  const char* words = nullptr;
  if (Driver().error_string(result, &words) != CUDA_SUCCESS) words = "an unknown error";
  throw DeviceError(result == CUDA_ERROR_OUT_OF_MEMORY ? DeviceError::Kind::kOutOfMemory
                                                       : DeviceError::Kind::kFailed,
                    gpu + ": " + call + ": " + words);
}

}  // namespace parity
