#include <cstring>
#include <new>

#include "gtest_parity/engines/tiny/backend.h"

namespace parity::tiny {
namespace {

class HostBackend final : public Backend {
 public:
  parity_memory memory() const override { return PARITY_MEMORY_HOST; }
  std::int32_t device() const override { return -1; }
  void* stream() const override { return nullptr; }
  std::byte* Allocate(std::uint64_t bytes) override {
    auto* data = static_cast<std::byte*>(::operator new (bytes, std::align_val_t{64}));
    std::memset(data, 0, bytes);
    return data;
  }
  void Free(std::byte* data) noexcept override { ::operator delete (data, std::align_val_t{64}); }
  void Zero(std::byte* data, std::uint64_t bytes) override { std::memset(data, 0, bytes); }
  void Copy(void* to, const void* from, std::uint64_t bytes) override {
    std::memcpy(to, from, bytes);
  }
  void Write(void* to, const void* host, std::uint64_t bytes) override { Copy(to, host, bytes); }
  void Synchronize() override {}
  void RunCaptured(const std::string&, const std::function<void()>& ops) override { ops(); }
  void StoreNowhere() override { *static_cast<volatile int*>(nullptr) = 1; }
};

}  // namespace

std::unique_ptr<Backend> MakeHostBackend(const parity_create_args&, const EngineSpec&) {
  return std::make_unique<HostBackend>();
}

}  // namespace parity::tiny
