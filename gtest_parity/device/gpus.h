// The GPUs of this machine, as this process sees them.
#ifndef GTEST_PARITY_DEVICE_GPUS_H_
#define GTEST_PARITY_DEVICE_GPUS_H_

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "gtest_parity/device/device.h"

namespace parity {

// Nothing can run on a GPU here, and why: no backend, driver or device, too few, or none that two
// processes may use.
class GpuUnavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// CUDA's ordinals differ between processes, as CUDA_VISIBLE_DEVICES has it; `uuid` does not.
struct Gpu {
  std::string uuid;  // "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6"
  std::string name;
  int ordinal = 0;
  bool shared = true;  // several processes may use it
};

// Throws GpuUnavailable where there is none.
std::vector<Gpu> VisibleGpus();

// One for each rank: what CTest allotted to this test (the indices or UUIDs of its resource
// groups), else the first that are visible. Throws GpuUnavailable for too few and for those that
// other processes may not use beside this one.
std::vector<Gpu> GpusForRanks(std::uint32_t ranks);

// The same of `visible`. `allotted`: by rank, empty: nothing was.
std::vector<Gpu> ChooseGpus(const std::vector<Gpu>& visible, std::uint32_t ranks,
                            const std::vector<std::string>& allotted);

// What CTest allotted, by resource group: CTEST_RESOURCE_GROUP_<n>_GPUS of "id:<id>,slots:<n>".
// Empty where it allotted nothing.
std::vector<std::string> AllottedGpus();

// The memory and the instruments of the GPU of that UUID, for one rank. Throws DeviceError, with
// the GPUs that this process sees where it is none of them.
std::shared_ptr<Device> OpenGpu(const std::string& uuid);

}  // namespace parity

#endif  // GTEST_PARITY_DEVICE_GPUS_H_
