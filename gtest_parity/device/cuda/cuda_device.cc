#include "gtest_parity/device/cuda/cuda_device.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "gtest_parity/device/cuda/cuda_failure.h"

namespace parity {
namespace {

constexpr std::uint64_t kAllocationUnit = 512;

// Which memory an address is of, asked once for each 2 MiB, the unit in which CUDA maps.
class Places {
 public:
  bool OnDevice(const void* data) {
    const auto unit = reinterpret_cast<std::uintptr_t>(data) >> 21;
    const auto found = known_.find(unit);
    if (found != known_.end()) return found->second;
    cudaPointerAttributes attributes{};
    CheckCuda(cudaPointerGetAttributes(&attributes, data), "cudaPointerGetAttributes");
    return known_[unit] = attributes.type == cudaMemoryTypeDevice;
  }

 private:
  std::unordered_map<std::uintptr_t, bool> known_;
};

}  // namespace

template <typename Work>
auto CudaDevice::On(Work work) const {
  try {
    CheckCuda(cudaSetDevice(ordinal_), "cudaSetDevice");
    return work();
  } catch (const CudaError& error) {
    throw FailureOf(uuid_, error);
  }
}

CudaDevice::CudaDevice(int ordinal, std::string uuid) : ordinal_(ordinal), uuid_(std::move(uuid)) {
  On([&] {
    CheckCuda(cudaStreamCreateWithFlags(&own_stream_, cudaStreamNonBlocking), "cudaStreamCreate");
    stream_ = own_stream_;
    kernels_ = std::make_unique<CudaKernels>(stream_);
  });
}

CudaDevice::~CudaDevice() {
  cudaSetDevice(ordinal_);
  kernels_.reset();
  ReleaseKept();
  cudaStreamDestroy(own_stream_);
}

void CudaDevice::UseStream(void* stream) {
  On([&] {
    CheckCuda(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    kernels_.reset();
    stream_ = static_cast<cudaStream_t>(stream);
    kernels_ = std::make_unique<CudaKernels>(stream_);
  });
}

void CudaDevice::Synchronize() {
  On([&] {
    CheckCuda(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    CheckCuda(cudaGetLastError(), "an earlier call");
  });
}

std::string CudaDevice::WhyNotHere(const void* data, std::uint64_t bytes) const {
  return On([&]() -> std::string {
    if (bytes == 0) return "";
    for (const std::uint64_t at : {std::uint64_t{0}, bytes - 1}) {
      cudaPointerAttributes attributes{};
      CheckCuda(cudaPointerGetAttributes(&attributes, static_cast<const std::uint8_t*>(data) + at),
                "cudaPointerGetAttributes");
      if (attributes.type == cudaMemoryTypeUnregistered) {
        return "byte " + std::to_string(at) + " of " + std::to_string(bytes) +
               " is not in memory that " + uuid_ + " can reach";
      }
      if (attributes.type == cudaMemoryTypeDevice && attributes.device != ordinal_) {
        return "lies on device " + std::to_string(attributes.device) + ", expected device " +
               std::to_string(ordinal_) + " (" + uuid_ + ")";
      }
    }
    return "";
  });
}

std::uint8_t* CudaDevice::Malloc(std::uint64_t bytes) {
  void* data = nullptr;
  cudaError_t code = cudaMalloc(&data, bytes);
  if (code == cudaErrorMemoryAllocation && !kept_.empty()) {
    cudaGetLastError();
    ReleaseKept();
    code = cudaMalloc(&data, bytes);
  }
  if (code != cudaSuccess) cudaGetLastError();
  if (code == cudaErrorMemoryAllocation) throw OutOfMemory(uuid_, bytes);
  CheckCuda(code, "cudaMalloc");
  return static_cast<std::uint8_t*>(data);
}

// Freed memory may still be in use by what is queued; so is all that will be queued on it.
std::uint8_t* CudaDevice::Allocate(std::uint64_t bytes) {
  return On([&] {
    const std::uint64_t rounded =
        std::max(bytes + kAllocationUnit - 1, kAllocationUnit) / kAllocationUnit * kAllocationUnit;
    std::uint8_t* data = nullptr;
    std::uint64_t size = rounded;
    const auto found = kept_.lower_bound(rounded);
    if (found != kept_.end() && found->first / 2 <= rounded) {
      std::tie(size, data) = *found;
      kept_.erase(found);
    } else {
      data = Malloc(rounded);
    }
    lent_[data] = size;
    return data;
  });
}

void CudaDevice::Free(std::uint8_t* data) noexcept {
  const auto found = lent_.find(data);
  if (found == lent_.end()) return;
  kept_.emplace(found->second, data);
  lent_.erase(found);
}

void CudaDevice::ReleaseKept() {
  for (const auto& [size, data] : kept_) cudaFree(data);
  kept_.clear();
}

void CudaDevice::Copy(void* to, const void* from, std::uint64_t bytes) {
  if (bytes == 0) return;
  On([&] {
    CheckCuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_), "cudaMemcpyAsync");
  });
}

void CudaDevice::Fetch(void* host, const void* from, std::uint64_t bytes) {
  Copy(host, from, bytes);
  Synchronize();
}

void CudaDevice::Put(void* to, const void* host, std::uint64_t bytes) {
  Copy(to, host, bytes);
  Synchronize();
}

void CudaDevice::CopyNibbles(const ElementRun& range, const std::uint8_t* from, std::uint8_t* to) {
  const std::uint64_t begin = range.first / 2, end = (range.first + range.count + 1) / 2;
  std::vector<std::uint8_t> source(end - begin), target(end - begin);
  Fetch(source.data(), from + begin, source.size());
  Fetch(target.data(), to + begin, target.size());
  for (std::uint64_t i = range.first; i < range.first + range.count; ++i) {
    const unsigned mask = i % 2 == 0 ? 0x0f : 0xf0;
    std::uint8_t& byte = target[i / 2 - begin];
    byte = static_cast<std::uint8_t>((byte & ~mask) | (source[i / 2 - begin] & mask));
  }
  Put(to + begin, target.data(), target.size());
}

void CudaDevice::CopyElements(DType dtype, std::span<const ElementRun> ranges, const void* from,
                              void* to) {
  const auto* source = static_cast<const std::uint8_t*>(from);
  auto* target = static_cast<std::uint8_t*>(to);
  std::vector<CopyTask> tasks;
  for (const ElementRun& range : ranges) {
    if (BitsOf(dtype) < 8) {
      CopyNibbles(range, source, target);
      continue;
    }
    const std::uint64_t offset = BytesOf(dtype, range.first);
    tasks.push_back({source + offset, target + offset, BytesOf(dtype, range.count)});
  }
  On([&] { kernels_->CopyBytes(tasks); });
}

void CudaDevice::Fill(DType dtype, ElementBits pattern, void* data, std::uint64_t count) {
  const FillTask task{dtype, pattern, data, count};
  On([&] { kernels_->FillPoison({&task, 1}); });
}

void CudaDevice::Gather(const StridedLayout& layout, std::uint32_t element_bytes,
                        const void* strided, void* dense) {
  On([&] { kernels_->Gather(layout, element_bytes, strided, dense); });
}

void CudaDevice::Scatter(const StridedLayout& layout, std::uint32_t element_bytes,
                         const void* dense, void* strided) {
  On([&] { kernels_->Scatter(layout, element_bytes, dense, strided); });
}

Inexact CudaDevice::Convert(DType from, const void* in, DType to, void* out, std::uint64_t count) {
  const ConvertTask task{from, in, to, out, count};
  return On([&] { return kernels_->Convert({&task, 1})[0]; });
}

void CudaDevice::CopyPages(std::span<const PageCopy> pages) {
  On([&] {
    Places places;
    std::vector<CopyTask> here;
    bool waits = false;
    for (const PageCopy& page : pages) {
      if (places.OnDevice(page.from) && places.OnDevice(page.to)) {
        here.push_back({page.from, page.to, page.bytes});
        continue;
      }
      waits = true;
      CheckCuda(cudaMemcpyAsync(page.to, page.from, page.bytes, cudaMemcpyDefault, stream_),
                "cudaMemcpyAsync");
    }
    kernels_->CopyBytes(here);
    if (waits) CheckCuda(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  });
}

std::vector<bool> CudaDevice::PagesDiffer(std::span<const PageCopy> pages) {
  return On([&] {
    Places places;
    std::vector<ChangedTask> tasks;
    std::vector<DeviceBytes> copies;  // of pages that lie in host memory
    for (const PageCopy& page : pages) {
      const void* to = page.to;
      if (!places.OnDevice(page.to)) {
        copies.emplace_back().Assign(*this, page.to, page.bytes);
        to = copies.back().data();
      }
      tasks.push_back({page.from, to, page.bytes});
    }
    const std::vector<std::uint8_t> differ = kernels_->Differ(tasks);
    return std::vector<bool>(differ.begin(), differ.end());
  });
}

std::vector<ElementStats> CudaDevice::CompareElements(std::span<const ComparedArrays> pairs) {
  std::vector<ElementsTask> tasks;
  for (const auto& [dtype, a, b, ranges] : pairs) {
    for (const ElementRun& range : ranges) tasks.push_back({dtype, a, b, range.count, range.first});
  }
  return On([&] {
    const std::vector<ElementStats> of_each = kernels_->CompareElements(tasks);
    std::vector<ElementStats> stats(pairs.size());
    std::size_t task = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      for (const ElementRun& range : pairs[i].ranges) stats[i].Merge(of_each[task++], range.first);
    }
    return stats;
  });
}

std::vector<RowStats> CudaDevice::CompareRows(DType dtype, std::uint32_t columns,
                                              std::uint64_t rows, const void* a, const void* b) {
  const RowsTask task{dtype, columns, rows, a, b};
  return On([&] { return std::move(kernels_->CompareRows({&task, 1})[0]); });
}

DecisionStats CudaDevice::CompareDecisions(DType dtype, const void* a, const void* b,
                                           std::uint64_t count, const DecisionScores& scores) {
  const DecisionsTask task{dtype, a, b, count, scores};
  return On([&] { return std::move(kernels_->CompareDecisions({&task, 1})[0]); });
}

std::vector<std::uint64_t> CudaDevice::ChangedBlocks(const void* a, const void* b,
                                                     std::uint64_t bytes) {
  const ChangedTask task{a, b, bytes};
  return On([&] { return std::move(kernels_->ChangedBlocks({&task, 1})[0]); });
}

std::vector<ElementRun> CudaDevice::UnwrittenElements(DType dtype, const void* a,
                                                      ElementBits pattern_a, const void* b,
                                                      ElementBits pattern_b,
                                                      std::span<const ElementRun> ranges) {
  std::vector<UnwrittenTask> tasks;
  for (const ElementRun& range : ranges) {
    tasks.push_back({dtype, a, pattern_a, b, pattern_b, range.count, range.first});
  }
  return On([&] {
    const std::vector<std::vector<ElementRun>> of_each = kernels_->UnwrittenElements(tasks);
    std::vector<ElementRun> unwritten;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      for (const ElementRun& run : of_each[i]) {
        unwritten.push_back({ranges[i].first + run.first, run.count});
      }
    }
    return unwritten;
  });
}

OutsideRange CudaDevice::CountOutside(DType dtype, const void* data, std::uint64_t count,
                                      const ValueRange& range) {
  const DomainTask task{dtype, data, count, range};
  return On([&] { return kernels_->CountOutside({&task, 1})[0]; });
}

std::vector<Digest> CudaDevice::DigestsOf(std::span<const DigestTask> tasks) {
  return On([&] { return kernels_->DigestOf(tasks); });
}

}  // namespace parity
