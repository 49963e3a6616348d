// The driver's memory-mapping calls. The runtime finds them: nothing links libcuda, so that the
// same program starts on a machine that has none.
#ifndef GTEST_PARITY_DEVICE_CUDA_DRIVER_CALLS_H_
#define GTEST_PARITY_DEVICE_CUDA_DRIVER_CALLS_H_

#include <cuda.h>

#include <string>

namespace parity {

struct DriverCalls {
  decltype(&cuMemGetAllocationGranularity) granularity = nullptr;
  decltype(&cuMemCreate) create = nullptr;
  decltype(&cuMemRelease) release = nullptr;
  decltype(&cuMemExportToShareableHandle) export_handle = nullptr;
  decltype(&cuMemImportFromShareableHandle) import_handle = nullptr;
  decltype(&cuMemAddressReserve) reserve = nullptr;
  decltype(&cuMemAddressFree) free = nullptr;
  decltype(&cuMemMap) map = nullptr;
  decltype(&cuMemUnmap) unmap = nullptr;
  decltype(&cuMemSetAccess) set_access = nullptr;
  decltype(&cuDeviceGetAttribute) attribute = nullptr;
  decltype(&cuGetErrorString) error_string = nullptr;
};

// Throws DeviceError where the driver lacks one.
const DriverCalls& Driver();

// Throws DeviceError: "<gpu>: <call>: <the driver's words>".
void CheckDriver(CUresult result, const std::string& gpu, const char* call);

}  // namespace parity

#endif  // GTEST_PARITY_DEVICE_CUDA_DRIVER_CALLS_H_
