// The host as a device: the definitions in kernels/ over memory of this process.
#ifndef GTEST_PARITY_DEVICE_HOST_DEVICE_H_
#define GTEST_PARITY_DEVICE_HOST_DEVICE_H_

#include <string>
#include <vector>

#include "gtest_parity/device/device.h"

namespace parity {

class HostDevice final : public Device {
 public:
  std::string Name() const override { return "the host"; }
  int ordinal() const override { return -1; }
  void UseStream(void*) override {}
  void Synchronize() override {}
  std::string WhyNotHere(const void*, std::uint64_t) const override { return ""; }

  std::uint8_t* Allocate(std::uint64_t bytes) override;
  void Free(std::uint8_t* data) noexcept override;
  void Copy(void* to, const void* from, std::uint64_t bytes) override;
  void Fetch(void* host, const void* from, std::uint64_t bytes) override {
    Copy(host, from, bytes);
  }
  void Put(void* to, const void* host, std::uint64_t bytes) override { Copy(to, host, bytes); }
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
};

}  // namespace parity

#endif  // GTEST_PARITY_DEVICE_HOST_DEVICE_H_
