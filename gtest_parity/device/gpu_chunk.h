// A chunk of the recording in a GPU's memory: made by its keeper, mapped by others.
#ifndef GTEST_PARITY_DEVICE_GPU_CHUNK_H_
#define GTEST_PARITY_DEVICE_GPU_CHUNK_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "gtest_parity/device/device.h"
#include "gtest_parity/device/pages.h"

namespace parity {

// How GPU memory is shared.
enum class GpuSharing : std::uint8_t {
  kDescriptor,  // a file descriptor: who maps it says whether it may be written
  kIpc,         // a handle of bytes: who maps it may write
};

// What another process needs to map a chunk.
struct ChunkHandle {
  int fd = -1;                    // of host memory, or of a GPU's
  std::uint64_t gpu_bytes = 0;    // 0: host memory
  std::vector<std::uint8_t> ipc;  // instead of a descriptor

  ChunkHandle() = default;
  ChunkHandle(int fd) : fd(fd) {}  // NOLINT: a descriptor is a chunk of host memory
};

// The keeper's: the memory lives until this object and every mapping are gone.
class GpuChunk {
 public:
  virtual ~GpuChunk() = default;
  virtual ChunkHandle handle() const = 0;
  // As the keeper reads it.
  virtual const MappedChunk& mapped() const = 0;
};

// Descriptors where the GPU and the system can export them, else IPC.
GpuSharing SharingOf(const Device& gpu);

// `bytes` of `gpu`'s memory. Throws DeviceError: out of memory, with what was free.
std::unique_ptr<GpuChunk> CreateGpuChunk(const std::shared_ptr<Device>& gpu, std::uint64_t bytes,
                                         GpuSharing sharing);

// In another process than the keeper's. With a descriptor what is not `writable` faults whoever
// stores into it. The descriptor can be closed then. Throws DeviceError.
MappedChunk MapGpuChunk(const std::shared_ptr<Device>& gpu, const ChunkHandle& handle,
                        bool writable);

// Bytes of the GPU's memory.
struct GpuMemory {
  std::uint64_t free = 0, total = 0;
};
GpuMemory MemoryOf(const Device& gpu);

}  // namespace parity

#endif  // GTEST_PARITY_DEVICE_GPU_CHUNK_H_
