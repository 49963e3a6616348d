#include "gtest_parity/device/gpu_chunk.h"

#include <cuda_runtime_api.h>
#include <fcntl.h>

#include <cstring>
#include <utility>

#include "gtest_parity/device/cuda/cuda_failure.h"
#include "gtest_parity/device/cuda/driver_calls.h"
#include "gtest_parity/device/file_descriptor.h"

namespace parity {
namespace {

CUmemAllocationProp PropertiesOf(const Device& gpu) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, gpu.ordinal()};
  return properties;
}

void MakeCurrent(const Device& gpu) {
  try {
    CheckCuda(cudaSetDevice(gpu.ordinal()), "cudaSetDevice");
  } catch (const CudaError& error) {
    throw FailureOf(gpu.Name(), error);
  }
}

std::uint64_t RoundedUp(const Device& gpu, std::uint64_t bytes) {
  const CUmemAllocationProp properties = PropertiesOf(gpu);
  std::size_t unit = 0;
  CheckDriver(Driver().granularity(&unit, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
              gpu.Name(), "cuMemGetAllocationGranularity");
  return (bytes + unit - 1) / unit * unit;
}

// An allocation as this process has it, apart from where it is mapped.
class Allocation {
 public:
  Allocation() = default;
  ~Allocation() {
    if (handle_ != 0) Driver().release(handle_);
  }
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;
  CUmemGenericAllocationHandle* out() { return &handle_; }
  CUmemGenericAllocationHandle get() const { return handle_; }

 private:
  CUmemGenericAllocationHandle handle_ = 0;
};

// Where an allocation is mapped; keeps the memory for as long as it lives.
class GpuMapping {
 public:
  GpuMapping(const Device& gpu, const Allocation& allocation, std::uint64_t bytes, bool writable)
      : bytes_(bytes) {
    const DriverCalls& driver = Driver();
    CheckDriver(driver.reserve(&at_, bytes, 0, 0, 0), gpu.Name(), "cuMemAddressReserve");
    try {
      CheckDriver(driver.map(at_, bytes, 0, allocation.get(), 0), gpu.Name(), "cuMemMap");
      mapped_ = true;
      CUmemAccessDesc access{};
      access.location = {CU_MEM_LOCATION_TYPE_DEVICE, gpu.ordinal()};
      access.flags = writable ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_READ;
      CheckDriver(driver.set_access(at_, bytes, &access, 1), gpu.Name(), "cuMemSetAccess");
    } catch (...) {
      Release();
      throw;
    }
  }
  ~GpuMapping() { Release(); }
  GpuMapping(const GpuMapping&) = delete;
  GpuMapping& operator=(const GpuMapping&) = delete;
  std::uint8_t* data() const { return reinterpret_cast<std::uint8_t*>(at_); }

 private:
  void Release() {
    if (mapped_) Driver().unmap(at_, bytes_);
    Driver().free(at_, bytes_);
  }

  CUdeviceptr at_ = 0;
  std::uint64_t bytes_;
  bool mapped_ = false;
};

MappedChunk MapAllocation(const std::shared_ptr<Device>& gpu, const Allocation& allocation,
                          std::uint64_t bytes, bool writable) {
  auto mapping = std::make_shared<GpuMapping>(*gpu, allocation, RoundedUp(*gpu, bytes), writable);
  std::uint8_t* data = mapping->data();
  return {data, bytes, std::move(mapping)};
}

class ExportedChunk final : public GpuChunk {
 public:
  ExportedChunk(const std::shared_ptr<Device>& gpu, std::uint64_t bytes) {
    MakeCurrent(*gpu);
    const CUmemAllocationProp properties = PropertiesOf(*gpu);
    Allocation allocation;
    const CUresult created =
        Driver().create(allocation.out(), RoundedUp(*gpu, bytes), &properties, 0);
    if (created == CUDA_ERROR_OUT_OF_MEMORY) throw OutOfMemory(gpu->Name(), bytes);
    CheckDriver(created, gpu->Name(), "cuMemCreate");
    int fd = -1;
    CheckDriver(
        Driver().export_handle(&fd, allocation.get(), CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
        gpu->Name(), "cuMemExportToShareableHandle");
    fd_ = FileDescriptor(fd);
    fcntl(fd, F_SETFD, FD_CLOEXEC);  // who is to have it is sent it
    mapped_ = MapAllocation(gpu, allocation, bytes, false);
  }

  ChunkHandle handle() const override {
    ChunkHandle handle(fd_.get());
    handle.gpu_bytes = mapped_.bytes;
    return handle;
  }
  const MappedChunk& mapped() const override { return mapped_; }

 private:
  FileDescriptor fd_;
  MappedChunk mapped_;
};

class IpcChunk final : public GpuChunk {
 public:
  IpcChunk(const std::shared_ptr<Device>& gpu, std::uint64_t bytes) {
    MakeCurrent(*gpu);
    std::uint8_t* data = gpu->Allocate(bytes);
    mapped_ = {data, bytes, std::shared_ptr<void>(data, [gpu](void* freed) {
                 gpu->Free(static_cast<std::uint8_t*>(freed));
               })};
    try {
      CheckCuda(cudaIpcGetMemHandle(&handle_, data), "cudaIpcGetMemHandle");
    } catch (const CudaError& error) {
      throw FailureOf(gpu->Name(), error);
    }
  }

  ChunkHandle handle() const override {
    ChunkHandle handle;
    handle.gpu_bytes = mapped_.bytes;
    handle.ipc.resize(sizeof(handle_));
    std::memcpy(handle.ipc.data(), &handle_, sizeof(handle_));
    return handle;
  }
  const MappedChunk& mapped() const override { return mapped_; }

 private:
  cudaIpcMemHandle_t handle_{};
  MappedChunk mapped_;
};

MappedChunk OpenIpc(const std::shared_ptr<Device>& gpu, const ChunkHandle& handle) {
  cudaIpcMemHandle_t ipc{};
  if (handle.ipc.size() != sizeof(ipc)) {
    throw DeviceError(DeviceError::Kind::kFailed,
                      "an IPC handle of " + std::to_string(handle.ipc.size()) +
                          " bytes, expected " + std::to_string(sizeof(ipc)));
  }
  std::memcpy(&ipc, handle.ipc.data(), sizeof(ipc));
  void* data = nullptr;
  try {
    CheckCuda(cudaIpcOpenMemHandle(&data, ipc, cudaIpcMemLazyEnablePeerAccess),
              "cudaIpcOpenMemHandle");
  } catch (const CudaError& error) {
    throw FailureOf(gpu->Name(), error);
  }
  return {static_cast<std::uint8_t*>(data), handle.gpu_bytes,
          std::shared_ptr<void>(data, [](void* opened) { cudaIpcCloseMemHandle(opened); })};
}

}  // namespace

GpuSharing SharingOf(const Device& gpu) {
  MakeCurrent(gpu);
  int exports = 0;
  CheckDriver(
      Driver().attribute(&exports, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED,
                         gpu.ordinal()),
      gpu.Name(), "cuDeviceGetAttribute");
  return exports != 0 ? GpuSharing::kDescriptor : GpuSharing::kIpc;
}

std::unique_ptr<GpuChunk> CreateGpuChunk(const std::shared_ptr<Device>& gpu, std::uint64_t bytes,
                                         GpuSharing sharing) {
  if (sharing == GpuSharing::kIpc) return std::make_unique<IpcChunk>(gpu, bytes);
  return std::make_unique<ExportedChunk>(gpu, bytes);
}

MappedChunk MapGpuChunk(const std::shared_ptr<Device>& gpu, const ChunkHandle& handle,
                        bool writable) {
  MakeCurrent(*gpu);
  if (handle.fd < 0) return OpenIpc(gpu, handle);
  Allocation allocation;
  CheckDriver(Driver().import_handle(
                  allocation.out(), reinterpret_cast<void*>(static_cast<std::uintptr_t>(handle.fd)),
                  CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
              gpu->Name(), "cuMemImportFromShareableHandle");
  return MapAllocation(gpu, allocation, handle.gpu_bytes, writable);
}

GpuMemory MemoryOf(const Device& gpu) {
  MakeCurrent(gpu);
  std::size_t free = 0, total = 0;
  try {
    CheckCuda(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  } catch (const CudaError& error) {
    throw FailureOf(gpu.Name(), error);
  }
  return {free, total};
}

}  // namespace parity
