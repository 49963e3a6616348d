// A GPU as a device: the instruments of kernels/cuda over its memory, in order on one stream.
#ifndef GTEST_PARITY_DEVICE_CUDA_CUDA_DEVICE_H_
#define GTEST_PARITY_DEVICE_CUDA_CUDA_DEVICE_H_

#include <cuda_runtime_api.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gtest_parity/device/device.h"
#include "kernels/cuda/cuda_kernels.h"

namespace parity {

// What was freed is kept for the next Allocate; it goes back where memory runs out. Allocations may
// be asked for and given back by another thread than the one that uses the device, one at a time.
class CudaDevice final : public Device {
 public:
  CudaDevice(int ordinal, std::string uuid);
  ~CudaDevice() override;
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  std::string Name() const override { return uuid_; }
  int ordinal() const override { return ordinal_; }
  void UseStream(void* stream) override;
  void Synchronize() override;
  std::string WhyNotHere(const void* data, std::uint64_t bytes) const override;

  std::uint8_t* Allocate(std::uint64_t bytes) override;
  void Free(std::uint8_t* data) noexcept override;
  void Copy(void* to, const void* from, std::uint64_t bytes) override;
  void Fetch(void* host, const void* from, std::uint64_t bytes) override;
  void Put(void* to, const void* host, std::uint64_t bytes) override;
  void CopyElements(DType dtype, std::span<const ElementRun> ranges, const void* from,
                    void* to) override;
  void Fill(DType dtype, ElementBits pattern, void* data, std::uint64_t count) override;
  void Gather(const StridedLayout& layout, std::uint32_t element_bytes, const void* strided,
              void* dense) override;
  void Scatter(const StridedLayout& layout, std::uint32_t element_bytes, const void* dense,
               void* strided) override;
  Inexact Convert(DType from, const void* in, DType to, void* out, std::uint64_t count) override;
  void CopyPages(std::span<const PageCopy> pages) override;
  std::vector<bool> PagesDiffer(std::span<const PageCopy> pages) override;
  std::vector<ElementStats> CompareElements(std::span<const ComparedArrays> pairs) override;
  std::vector<RowStats> CompareRows(DType dtype, std::uint32_t columns, std::uint64_t rows,
                                    const void* a, const void* b) override;
  DecisionStats CompareDecisions(DType dtype, const void* a, const void* b, std::uint64_t count,
                                 const DecisionScores& scores) override;
  std::vector<std::uint64_t> ChangedBlocks(const void* a, const void* b,
                                           std::uint64_t bytes) override;
  std::vector<ElementRun> UnwrittenElements(DType dtype, const void* a, ElementBits pattern_a,
                                            const void* b, ElementBits pattern_b,
                                            std::span<const ElementRun> ranges) override;
  OutsideRange CountOutside(DType dtype, const void* data, std::uint64_t count,
                            const ValueRange& range) override;
  std::vector<Digest> DigestsOf(std::span<const DigestTask> tasks) override;
  CopyTime MeasureCopy() override;

 private:
  // Carries `work` out with this GPU as the thread's and turns what CUDA says into DeviceError.
  template <typename Work>
  auto On(Work work) const;
  std::uint8_t* Malloc(std::uint64_t bytes);
  void ReleaseKept();
  // Of elements that share a byte with others: those bytes by way of the host.
  void CopyNibbles(const ElementRun& range, const std::uint8_t* from, std::uint8_t* to);

  int ordinal_;
  std::string uuid_;
  cudaStream_t own_stream_ = nullptr, stream_ = nullptr;
  std::unique_ptr<CudaKernels> kernels_;
  std::map<std::uint8_t*, std::uint64_t> lent_;       // their sizes
  std::multimap<std::uint64_t, std::uint8_t*> kept_;  // freed ones, by size
};

}  // namespace parity

#endif  // GTEST_PARITY_DEVICE_CUDA_CUDA_DEVICE_H_
