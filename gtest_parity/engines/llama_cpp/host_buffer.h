// Host memory as regions must be: aligned to 64 bytes.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_HOST_BUFFER_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_HOST_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

#include "gtest_parity/engine/engine.h"

namespace parity::llama_cpp {

class HostBuffer {
 public:
  HostBuffer() = default;
  explicit HostBuffer(std::uint64_t bytes)
      : data_(static_cast<std::byte*>(::operator new(bytes, kAlignment))), bytes_(bytes) {}

  std::byte* data() { return data_.get(); }
  const std::byte* data() const { return data_.get(); }
  std::uint64_t bytes() const { return bytes_; }

  parity_region Region() {
    parity_region region{};
    region.struct_size = sizeof(region);
    region.memory = PARITY_MEMORY_HOST;
    region.device = -1;
    region.data = data_.get();
    region.live_bytes = bytes_;
    return region;
  }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Free {
    void operator()(std::byte* data) const { ::operator delete(data, kAlignment); }
  };
  std::unique_ptr<std::byte, Free> data_;
  std::uint64_t bytes_ = 0;
};

}  // namespace parity::llama_cpp

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_HOST_BUFFER_H_
