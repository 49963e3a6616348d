#include <algorithm>
#include <chrono>
#include <limits>

#include "gtest_parity/device/cuda/cuda_device.h"

namespace parity {

CopyTime CudaDevice::MeasureCopy() {
  using Clock = std::chrono::steady_clock;
  constexpr std::uint64_t kBytes = std::uint64_t{512} << 20;  // caches hold up to a tenth of that
  constexpr int kCopies = 4;                                  // the first finds everything cold
  DeviceBytes from, to;
  from.Resize(*this, kBytes);
  to.Resize(*this, kBytes);
  CopyTime best{kBytes, std::numeric_limits<double>::infinity()};
  for (int copy = 0; copy < kCopies; ++copy) {
    Synchronize();
    const Clock::time_point begin = Clock::now();
    Copy(to.data(), from.data(), kBytes);
    Synchronize();
    best.seconds =
        std::min(best.seconds, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  from = {};
  to = {};
  ReleaseKept();
  return best;
}

}  // namespace parity
