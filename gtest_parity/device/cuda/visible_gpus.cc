#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>

#include "gtest_parity/device/cuda/cuda_device.h"
#include "gtest_parity/device/cuda/why_no_gpus.h"
#include "gtest_parity/device/gpus.h"

namespace parity {
namespace {

std::string UuidText(const cudaUUID_t& uuid) {
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof(digits), "%02x", static_cast<unsigned char>(uuid.bytes[i]));
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += digits;
  }
  return text;
}

}  // namespace

std::string WhyNoGpus(int code, int driver, int runtime, const char* visible_devices) {
  const auto version = [](int number) {
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
  };
  if (driver == 0) return "no NVIDIA driver is installed";
  if (code == cudaErrorInsufficientDriver) {
    return "the NVIDIA driver is for CUDA " + version(driver) + ", this build is of CUDA " +
           version(runtime) + ": a driver of that version or later is needed";
  }
  if (code == cudaErrorNoDevice) {
    return "no GPU is visible" +
           (visible_devices == nullptr
                ? std::string()
                : std::string(" (CUDA_VISIBLE_DEVICES=") + visible_devices + ")");
  }
  return std::string("CUDA does not start: ") + cudaGetErrorString(static_cast<cudaError_t>(code)) +
         " (" + cudaGetErrorName(static_cast<cudaError_t>(code)) + ")";
}

std::vector<Gpu> VisibleGpus() {
  int count = 0, driver = 0, runtime = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess) {
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    throw GpuUnavailable(WhyNoGpus(code, driver, runtime, std::getenv("CUDA_VISIBLE_DEVICES")));
  }
  std::vector<Gpu> gpus;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    cudaDeviceProp properties{};
    int mode = cudaComputeModeDefault;
    if (cudaGetDeviceProperties(&properties, ordinal) != cudaSuccess ||
        cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, ordinal) != cudaSuccess) {
      throw GpuUnavailable("GPU " + std::to_string(ordinal) + " does not tell its properties");
    }
    gpus.push_back(
        {UuidText(properties.uuid), properties.name, ordinal, mode == cudaComputeModeDefault});
  }
  return gpus;
}

std::shared_ptr<Device> OpenGpu(const std::string& uuid) {
  std::string seen;
  for (const Gpu& gpu : VisibleGpus()) {
    if (gpu.uuid == uuid) return std::make_shared<CudaDevice>(gpu.ordinal, gpu.uuid);
    seen += " " + gpu.uuid;
  }
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  throw DeviceError(
      DeviceError::Kind::kFailed,
      uuid + " is not among the GPUs that this process sees:" + seen +
          (visible == nullptr ? "" : std::string(", CUDA_VISIBLE_DEVICES=") + visible));
}

}  // namespace parity
