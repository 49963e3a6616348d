#include "gtest_parity/device/device.h"

#include <utility>

namespace parity {

DeviceBytes& DeviceBytes::operator=(DeviceBytes&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(capacity_, other.capacity_);
  return *this;
}

void DeviceBytes::Resize(Device& device, std::uint64_t bytes) {
  if (device_ != &device || bytes > capacity_) {
    Release();
    data_ = device.Allocate(bytes);
    device_ = &device;
    capacity_ = bytes;
  }
  bytes_ = bytes;
}

void DeviceBytes::Assign(Device& device, const void* from, std::uint64_t bytes) {
  Resize(device, bytes);
  device.Copy(data_, from, bytes);
}

void DeviceBytes::Release() noexcept {
  if (device_ != nullptr) device_->Free(data_);
  device_ = nullptr;
  data_ = nullptr;
  bytes_ = capacity_ = 0;
}

}  // namespace parity
