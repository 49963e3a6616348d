#include <gtest/gtest.h>

#ifdef PARITY_HAS_CUDA
#include <cuda_runtime_api.h>

#include "gtest_parity/device/cuda/why_no_gpus.h"

namespace parity {
namespace {

TEST(WhyNoGpus, NamesWhatIsMissing) {
  EXPECT_EQ(WhyNoGpus(cudaErrorInsufficientDriver, 0, 13000, nullptr),
            "no NVIDIA driver is installed");
  EXPECT_EQ(WhyNoGpus(cudaErrorInsufficientDriver, 12020, 13000, nullptr),
            "the NVIDIA driver is for CUDA 12.2, this build is of CUDA 13.0: a driver of that "
            "version or later is needed");
  EXPECT_EQ(WhyNoGpus(cudaErrorNoDevice, 13000, 13000, nullptr), "no GPU is visible");
  EXPECT_EQ(WhyNoGpus(cudaErrorNoDevice, 13000, 13000, ""),
            "no GPU is visible (CUDA_VISIBLE_DEVICES=)");
  EXPECT_EQ(WhyNoGpus(cudaErrorDevicesUnavailable, 13000, 13000, nullptr),
            "CUDA does not start: CUDA-capable device(s) is/are busy or unavailable "
            "(cudaErrorDevicesUnavailable)");
}

}  // namespace
}  // namespace parity
#else
#include "gtest_parity/device/gpus.h"

namespace parity {
namespace {

TEST(WithoutCuda, EveryWayToAGpuSaysSo) {
  EXPECT_THROW(VisibleGpus(), GpuUnavailable);
  EXPECT_THROW(GpusForRanks(1), GpuUnavailable);
  EXPECT_THROW(OpenGpu("GPU-0"), DeviceError);
}

}  // namespace
}  // namespace parity
#endif
