// What a build without the CUDA backend says when it is asked for a GPU.
#include "gtest_parity/device/gpu_chunk.h"
#include "gtest_parity/device/gpus.h"

namespace parity {
namespace {

constexpr char kWords[] = "this build has no backend 'cuda', only 'host' (PARITY_CUDA=ON)";

[[noreturn]] void Fail() { throw DeviceError(DeviceError::Kind::kFailed, kWords); }

}  // namespace

std::vector<Gpu> VisibleGpus() { throw GpuUnavailable(kWords); }

std::shared_ptr<Device> OpenGpu(const std::string&) { Fail(); }

GpuSharing SharingOf(const Device&) { Fail(); }

std::unique_ptr<GpuChunk> CreateGpuChunk(const std::shared_ptr<Device>&, std::uint64_t,
                                         GpuSharing) {
  Fail();
}

MappedChunk MapGpuChunk(const std::shared_ptr<Device>&, const ChunkHandle&, bool) { Fail(); }

GpuMemory MemoryOf(const Device&) { Fail(); }

}  // namespace parity
